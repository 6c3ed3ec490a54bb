import assert from 'node:assert/strict';
import { mutated } from '../../../src/loop/audit/mutant.ts';
import { auditOf } from '../../../src/loop/audit/mutants.ts';
import { otherNumber } from '../../../src/loop/audit/literals.ts';
import { noOp } from '../../../src/loop/audit/no-op.ts';
import type { Parsers } from '../../../src/engine/parsers.ts';
import { languageOf, type SyntaxTree } from '../../../src/loop/syntax.ts';
import { codeFingerprint } from '../../../src/loop/tokens.ts';
import { corpus, testParsers } from './corpus.ts';

describe('the breaks of a target', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await testParsers();
  });
  const parse = (path: string, text: string): SyntaxTree => {
    const language = languageOf(path);
    assert.ok(language);
    return parsers.parse(language, text);
  };
  /** Each break as `region kind: what it became`, the changed lines only. */
  const shown = (path: string, text: string): readonly string[] => auditOf(text, parse(path, text)).mutants.map((mutant) => {
    const before = text.split('\n');
    const changed = mutated(text, mutant).split('\n').filter((line) => !before.includes(line));
    return `${mutant.region} ${mutant.kind}: ${changed.map((line) => line.trim()).join(' ')}`;
  });

  it('parse, differ from the original, and a comment alone is no change of code, in hundreds of real files', function () {
    this.timeout(120_000);
    let mutants = 0;
    const broken: string[] = [];
    for (const { path, text } of corpus()) {
      const tree = parse(path, text);
      if (tree.hasError) continue;
      const audit = auditOf(text, tree);
      const ids = new Set(audit.mutants.map(({ id }) => id));
      assert.equal(ids.size, audit.mutants.length, path);
      for (const mutant of audit.mutants) {
        mutants++;
        const after = mutated(text, mutant);
        assert.notEqual(after, text);
        const parsed = parse(path, after);
        if (parsed.hasError) broken.push(`${path}:${mutant.line} ${mutant.kind} ${mutant.description}`);
        assert.notEqual(codeFingerprint(parsed), codeFingerprint(tree), `${path}:${mutant.line} ${mutant.description}`);
      }
      const comment = noOp(text, path);
      assert.ok(comment !== undefined && comment !== text);
      assert.equal(codeFingerprint(parse(path, comment)), codeFingerprint(tree), path);
    }
    assert.deepEqual(broken, []);
    assert.ok(mutants > 1_000, String(mutants));
  });

  it('empty functions and methods first, the largest before the others, and break no part twice before each was once', () => {
    const text = `import os
LIMIT = 40
NAMES = {"a": 1}


class Box(Base):
    """A box."""
    size: int = 3

    @property
    def area(self):  # of it
        return self.size ** 2

    def idle(self):
        """Does nothing."""
        ...


def slug(text: str = "x") -> str:
    """Docs."""
    if not text and LIMIT > 3:
        return ""
    while text < "b":
        text += "c"
    return text if len(text) in (1, 2) else text[:LIMIT]


async def none(): return None

for i in range(3):
    print(i)
print("end")
if __name__ == "__main__":
    slug("a")
`;
    assert.deepEqual(shown('a.py', text), [
      'slug emptied: return None', 'Box.area emptied: return None', 'for i in range(3): emptied: pass', 'if __name__ == "__main__": emptied: pass', 'print("end") emptied: pass',
      'Box constant: size: int = 0', 'LIMIT constant: LIMIT = 0', 'NAMES emptied: NAMES = None',
      'slug branch: if  not (not text and LIMIT > 3):', 'Box.area operator: return self.size  *  2', 'for i in range(3): constant: for i in range(0):', 'if __name__ == "__main__": operator: if __name__  !=  "__main__":', 'print("end") constant: print("ratchetend")', 'NAMES constant: NAMES = {"ratcheta": 1}',
      'slug operator: if not text  or  LIMIT > 3:', 'Box.area constant: return self.size ** 0', 'if __name__ == "__main__": constant: if __name__ == "ratchet__main__":', 'NAMES constant: NAMES = {"a": 0}',
    ]);
  });

  it('know functions of JavaScript and TypeScript in all their forms, and leave types, imports and directives alone', () => {
    const text = `'use strict';
import a from 'a';
type Kind = 'x' | 1;
export const slug = memo((text: string) => text.trim());
const { left, right } = a;
export default class Box extends Base {
  readonly grow = () => 1;
  #size = 3;
  constructor() { super(); }
  get size(): 1 | 2 { return this.#size; }
}
export const api = { run() { return 5; }, walk: (x) => x ? 1n : 0x0n, name: 'n' };
export function* steps() { yield 1; }
declare const LATER: 3;
module.exports.old = function () { return !left; };
if (left === right) { left(); }
`;
    assert.deepEqual(shown('a.ts', text).filter((line) => line.includes(' emptied: ')), [
      'slug emptied: export const slug = memo((text: string) => (undefined as never));', 'Box.grow emptied: readonly grow = () => (undefined as never);',
      'Box.constructor emptied: constructor() { return (undefined as never); }', 'Box.size emptied: get size(): 1 | 2 { return (undefined as never); }',
      'api.run emptied: export const api = { run() { return (undefined as never); }, walk: (x) => x ? 1n : 0x0n, name: \'n\' };',
      'api.walk emptied: export const api = { run() { return 5; }, walk: (x) => (undefined as never), name: \'n\' };',
      'steps emptied: export function* steps() { return (undefined as never); }', 'old emptied: module.exports.old = function () { return (undefined as never); };',
      'if (left === right) { left(); } emptied: ;', '{ left, right } emptied: const { left, right } = (undefined as never);',
    ]);
    const changed = shown('a.ts', text).filter((line) => !line.includes(' emptied: '));
    assert.ok(!changed.some((line) => /^(Kind|LATER)|use strict|type Kind|import/.test(line)), changed.join('\n'));
    assert.ok(changed.includes('Box constant: #size = 0;'), changed.join('\n'));
    assert.ok(changed.includes('if (left === right) { left(); } branch: if (!(left === right)) { left(); }'), changed.join('\n'));
  });

  it('leave protected lines alone', () => {
    const text = 'A = 1\n\n\ndef f():\n    return 2\n\n\ndef g():\n    return 3\n';
    const audit = auditOf(text, parse('a.py', text), [{ from: 1, to: 1, why: 'a seed' }, { from: 5, to: 5, why: 'part of the evaluation' }]);
    assert.deepEqual(audit.regions.map((region) => region.name), ['g']);
    assert.deepEqual([...new Set(audit.mutants.map(({ line }) => line))], [9]);
  });

  it('change a number to another one in whatever way it is written', () => {
    const others = { 5: '0', 0: '1', '0.0': '1', '1.5': '0', '1.': '0.', '0.': '1.', '10n': '0n', '0n': '1n', '3j': '0j', '0x1F': '0', '0x0': '1', '0xEn': '0n', '1e-3': '0', '0e5': '1', '1_000': '0', '0b0': '1', '0o7': '0' };
    for (const [written, other] of Object.entries(others)) assert.equal(otherNumber(written), other, written);
  });

  it('are guessed where there is no parser, a value before a block, and no comment is taken for code', () => {
    const text = '# a 1\nserver:\n  # 9\n  port: 80\n\n\nlog: true\n\n# end\n';
    const audit = auditOf(text, undefined);
    assert.match(audit.guessed ?? '', /no parser/);
    assert.deepEqual(audit.mutants.map((mutant) => [mutant.region, mutant.kind, mutated(text, mutant)]), [
      ['server:', 'constant', text.replace('80', '0')], ['log: true', 'constant', text.replace('true', 'false')],
      ['server:', 'emptied', text.replace('server:\n  # 9\n  port: 80', '')], ['log: true', 'emptied', text.replace('log: true', '')],
    ]);
    assert.match(auditOf('def f(:\n  return 1\n', parse('a.py', 'def f(:\n  return 1\n')).guessed ?? '', /syntax error/);
  });
});

describe('a comment alone', () => {
  it('is written as the file writes comments and line ends, and not where there are none', () => {
    const comment = 'ratchet check: a comment, and nothing else';
    assert.equal(noOp('a = 1', 'x/a.py'), `a = 1\n# ${comment}\n`);
    assert.equal(noOp('a\r\n', 'a.ts'), `a\r\n// ${comment}\r\n`);
    assert.equal(noOp('a {}\n', 'a.css'), `a {}\n/* ${comment} */\n`);
    assert.equal(noOp('<p>\n', 'a.html'), `<p>\n<!-- ${comment} -->\n`);
    assert.equal(noOp('select 1\n', 'a.sql'), `select 1\n-- ${comment}\n`);
    assert.equal(noOp('#!/bin/sh\n', 'run'), `#!/bin/sh\n# ${comment}\n`);
    assert.equal(noOp('all:\n', 'Makefile'), `all:\n# ${comment}\n`);
    for (const path of ['a.json', 'a.csv', 'a.txt', 'notes']) assert.equal(noOp('x\n', path), undefined, path);
  });
});
