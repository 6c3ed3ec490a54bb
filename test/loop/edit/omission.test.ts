import assert from 'node:assert/strict';
import { isOmission } from '../../../src/loop/edit/omission.ts';
import { applied, block, fenced, refused } from './helpers.ts';

const OMISSIONS = [
  '# ...', '// ...', '/* ... */', '<!-- ... -->', '-- ...', '{/* ... */}', '; …', '  //…  ', '# ....',
  '// ... the other functions are unchanged ...', '# ... rest of the code ...', '// rest of the code ...', '# ... existing code', '// ...existing code...',
  '# (rest of the file remains the same)', '// The rest of the code remains unchanged', '/* rest of methods ... */', '<!-- existing content ... -->',
  '// ... [previous code] ...', '# ... (unchanged)', '# unchanged', '// unchanged code', '// Existing imports and setup ...', '# rest of the solve function',
  '-- rest of file', '# keep the other imports as is', '// other methods stay the same', '# ... same as before', '// code omitted for brevity', '// ... etc.',
  '# --- rest of the file unchanged ---', ' * ... remaining methods', '%% ... rest of script ...', '// ... 其余代码不变 ...',
  'return x  # ... rest unchanged', 'class A { /* ... */ }', 'function b() { /* existing code */ }', 'def b(): ...  # unchanged', 'pass  # existing code',
  '... rest of the code ...', '[... rest of code unchanged ...]', '...existing code...', '… remaining functions …', '(... other methods ...)',
];
const CODE = [
  '...', '    ...', 'def f(x): ...', 'def f(x): ...  # noqa: E704', 'x: tuple[int, ...] = ()', 'return [...parts].join("");', '...rest,', '  ...other', '...existing', '*rest, last = xs', '**rest,',
  'print("... rest of the code ...")', 'const s = "// ... existing code ...";', "x = '# ...'", '"... rest of the code ...",', '>>> f(1)', '... return x', '... other.method()',
  '# the rest of the rows keep their order', '# keep the rest of the queue', '// loading the remaining rows...', '# wait for the other workers ...', '# remaining time is short...',
  '# Other helpers', '# existing users keep their session', '# rest of the rows', '# the previous value', '# same as above', 'rate = 0.1  # unchanged', '// the remaining functions are unchanged by this flag',
  '// see http://...', '// $$ is a pair; $1 and $` stay as typed', '#include <rest.h>', '# continue...', '--x;', '# parse the rest of the file...', '# falls back to the original code path',
  '// TODO: implement the remaining cases with a table', 'a = b  # the rest', '/* Copyright ... and others */', '# Unchanged cells are skipped: their hash is the same.', '', '   ', '#', '//',
];

describe('omission comments', () => {
  it('are told from code and other comments', () => {
    assert.deepEqual(OMISSIONS.filter((line) => !isOmission(line)), []);
    assert.deepEqual(CODE.filter(isOmission), []);
  });

  it('are refused in all forms', () => {
    const file = 'a\nb\nc\n';
    for (const line of ['# ... rest of the code ...', '// ...', '<!-- unchanged -->']) {
      assert.match(refused('placeholder', file, block('a\n', `A\n${line}\n`)), /placeholder/);
      assert.match(refused('placeholder', file, fenced(`A\n${line}\n`)), /placeholder/);
      assert.match(refused('placeholder', file, fenced(`@@ @@\n-a\n+A\n+    ${line}\n b\n`, 'diff')), /placeholder/);
    }
  });

  it('stay where the target has them', () => {
    const line = '# ... existing code ...';
    const file = `a\n${line}\nc\n`;
    assert.equal(applied(file, block(`a\n${line}\n`, `A\n${line}\n`)), `A\n${line}\nc\n`);
    assert.equal(applied(file, block(`a\n${line}\n`, `A\n  ${line}\n`)), `A\n  ${line}\nc\n`);
    assert.equal(applied(file, fenced(`A\n${line}\nc\n`)), `A\n${line}\nc\n`);
    assert.equal(applied(file, fenced(`@@ @@\n-a\n+A\n ${line}\n`, 'diff')), `A\n${line}\nc\n`);
    // One in SEARCH allows one, and it must be in that block.
    refused('placeholder', file, block(`a\n${line}\n`, `${line}\nA\n${line}\n`));
    refused('placeholder', file, block('a\n', `A\n${line}\n`));
  });

  it('in SEARCH are lines like others', () => {
    refused('not-found', 'a\nb\nc\n', block('a\n# ...\nc\n', 'A\n# ...\nC\n'));
  });
});
