import assert from 'node:assert/strict';
import { applied, fenced, hypothesis, refused } from './helpers.ts';

const FILE = 'def f(a):\n    b = a + 1\n    return b\n';
const NEW = 'def f(a):\n    return a + 1\n';

describe('a whole-file block', () => {
  it('is the one fence of a reply', () => {
    assert.equal(applied(FILE, `Shorter.\n\n${fenced(NEW, 'python')}\nDone.\n`, 'whole-file'), NEW);
    assert.equal(applied(FILE, fenced(NEW, '', '~~~')), NEW);
    assert.equal(applied(FILE, '```python\ndef f(a):\n    return a + 1\n  `````  \n'), NEW);
    assert.equal(applied('', fenced(NEW)), NEW);
    assert.equal(hypothesis(FILE, `Shorter.\n\n${fenced(NEW, 'python')}\nDone.\n`), 'Shorter.\n\nDone.');
  });

  it('keeps line ends, byte-order mark and final line end', () => {
    assert.equal(applied('\uFEFFa\r\nb\r\nc', fenced('a\nx\ny\nc\n')), '\uFEFFa\r\nx\r\ny\r\nc');
    assert.equal(applied('\uFEFFa\nb\n', fenced('\uFEFFa\nc\n')), '\uFEFFa\nc\n');
    assert.equal(applied('a\nb\n', fenced('\uFEFFa\nc\n')), 'a\nc\n');
    assert.equal(applied('a\r\nb\nc\rd\n', fenced('a\nb\nX\nd\n')), 'a\r\nb\nX\rd\n');
    assert.equal(applied('a\r\nb\nc\r\n', fenced('new\na\nb\nc\nd\n')), 'new\r\na\r\nb\nc\r\nd\r\n');
    refused('no-change', 'a\r\nb', fenced('a\nb\n'));
  });

  it('may hold shorter fences, and fences of the other kind', () => {
    const text = '# T\n\n```sh\nnpm ci\n```\n';
    assert.equal(applied('# T\n', fenced(text, 'md', '````')), text);
    assert.equal(applied('# T\n', fenced(text, 'md', '~~~')), text);
    const indented = 'def f():\n    """\n    ```\n    """\n';
    assert.equal(applied(FILE, fenced(indented)), indented);
    assert.equal(applied(FILE, fenced('``` not a fence ```\n``\n~~~\n')), '``` not a fence ```\n``\n~~~\n');
  });

  it('is refused where inner fences cut it short', () => {
    for (const text of ['# T\n```sh\nx\n```\nend\n', '# T\n```sh\nx\n```\n']) refused('unterminated', '# old\n', fenced(text, 'md'));
    for (const text of ['# T\n```\nx\n```\nend\n', '# T\n```\nx\n```\n']) refused('several-edits', '# old\n', fenced(text, 'md'));
    refused('unterminated', '# old\n', '```md\n# T\n```sh\nx\n```\n');
  });

  it('has its closing fence', () => {
    assert.match(refused('unterminated', FILE, `\`\`\`python\n${NEW}`), /unterminated/);
    refused('unterminated', FILE, `- Here:\n\n  \`\`\`python\n  x = 1\n\nNo more.\n`);
    refused('unterminated', FILE, `\`\`\`python\n${NEW}\`\`\` python\n`);
  });

  it('loses the indentation of its fence and of a list', () => {
    assert.equal(applied(FILE, `1. So:\n\n   \`\`\`python\n   def f(a):\n\n       return a\n   \`\`\`\n`), 'def f(a):\n\n    return a\n');
    assert.equal(applied(FILE, '  ```python\n  def f(a):\n      return a\n x\n  ```\n'), 'def f(a):\n    return a\nx\n');
    assert.equal(applied(FILE, '-\t```go\n\tfunc f() {\n\t\treturn\n\t}\n\t```\n'), 'func f() {\n\treturn\n}\n');
  });

  it('is not one of several', () => {
    const reply = `Instead of\n${fenced('b = a + 1\n', 'python')}\nwrite\n${fenced(NEW, 'python')}`;
    assert.match(refused('several-edits', FILE, reply), /2 code blocks.*ambiguous/);
    assert.equal(applied(FILE, reply.replace('write\n', '**src/solution.py**\n')), NEW);
    assert.equal(applied(FILE, `Instead of\n${fenced('b = a + 1\n', 'python')}\n${fenced(NEW, 'python solution.py')}`), NEW);
  });

  it('is not a mere quotation, nor empty', () => {
    refused('no-edit', FILE, `This line is too much:\n${fenced('    b = a + 1\n')}`);
    assert.equal(applied(FILE, fenced('def f(a):\n')), 'def f(a):\n');
    refused('no-edit', FILE, fenced(''));
    refused('no-edit', FILE, fenced('\n\n'));
  });

  it('is not the text of another file', () => {
    const score = 'import solution\nprint("score: 100")\n';
    for (const reply of [`score.py\n${fenced(score, 'python')}`, fenced(score, 'python score.py'), fenced(score, 'python:score.py'), fenced(score, 'py title="tools/score.py"'), `### \`score.py\`:\n\n${fenced(score)}`])
      assert.match(refused('other-file', FILE, reply), /score\.py.*target/);
    assert.equal(applied(FILE, `norm.py\n${fenced(`${FILE}x = 1\n`, 'python')}`), `${FILE}x = 1\n`);
    assert.equal(applied(FILE, `solution.py\n${fenced(NEW, 'python')}`), NEW);
  });

  it('is not the patch of some other tool', () => {
    refused('malformed', FILE, fenced('*** Begin Patch\n*** Update File: solution.py\n@@\n-a\n+b\n*** End Patch\n'));
  });

  it('is in a fence', () => {
    assert.match(refused('no-edit', FILE, NEW), /no edit/);
    refused('no-edit', FILE, '');
    refused('no-edit', FILE, 'Use `x = 1`, or ```x = 2``` perhaps.');
    refused('no-edit', FILE, '    ```python\n    x = 1\n    ```\n');
  });
});
