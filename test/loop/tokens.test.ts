import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { loadParsers } from '../../src/engine/parsers.ts';
import type { Parsers } from '../../src/engine/parsers.ts';
import type { Language, SyntaxTree } from '../../src/loop/syntax.ts';
import { codeFingerprint, countTokens } from '../../src/loop/tokens.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

const PYTHON = `import os

class Box:
    """A box."""
    size: int = 3

    def grow(self, by=2, *more):
        for item in more:
            if item and \\
                    by > 1:
                self.size += item * 1e-3
            elif by:
                pass
            else:
                print(f"{self.size:>{by}.2f} {item!r}", 'x\\n')
        return [a for a in more if a], {"k": (1,)}
`;
const TSX = `import { a } from 'b';
export const Row = ({ n = 3 }: { n?: number }) => {
  const label = \`\${n}  px\`;
  if (/a b+/g.test(label)) return null
  for (let i = 0; i < n; i++) a(i)
  return <p id="x" {...a}>one <b>two</b> {n}</p>;
};
`;

const sameCode = (a: SyntaxTree | string, b: SyntaxTree | string): boolean => codeFingerprint(a) === codeFingerprint(b);

describe('tokens', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });
  const same = (language: Language, a: string, b: string): boolean => sameCode(parsers.parse(language, a), parsers.parse(language, b));

  it('leaves out comments, blank lines and layout', () => {
    assert.ok(same('python', 'x = f(1, 2)  # why\n', '# head\n\nx = f(1,\n      2)\n'));
    assert.ok(same('python', 'if a and b:\n  x = 1\n  y = 2\n', 'if a and \\\n    b:\n        x = 1\n\n        # so\n        y = 2'));
    assert.ok(same('javascript', 'const f = (a) => { return a }', '/* c */ const f = (a) => {\n\treturn a // d\n}\n'));
    assert.ok(same('tsx', 'const a = <p>one <b>two</b></p>;', 'const a = <p>\n  one <b>two</b>\n</p>;'));
    assert.ok(same('python', 'x = 1\ny = 2\n', 'x = 1\r\ny = 2\r\n'));
  });

  it('sees a statement that leaves a loop, though the words stay', () => {
    assert.ok(!same('python', 'for i in x:\n    a(i)\n    b(i)\n', 'for i in x:\n    a(i)\nb(i)\n'));
    assert.ok(!same('python', 'if a:\n  if b:\n    c\n  else:\n    d\n', 'if a:\n  if b:\n    c\nelse:\n    d\n'));
  });

  it('sees where a line break changes the meaning', () => {
    assert.ok(!same('javascript', 'function f() { return\nx }', 'function f() { return x }'));
    assert.ok(!same('python', 'a\n(b)\n', 'a(b)\n'));
    assert.ok(same('javascript', 'const x = a\n  .b()', 'const x = a.b()'));
  });

  it('counts commas, parentheses, docstrings and all of a string as code', () => {
    assert.ok(!same('python', 'f(a)', 'f(a,)'));
    assert.ok(!same('python', 'x = a * b', 'x = (a * b)'));
    assert.ok(!same('python', 'def f():\n  "One."\n', 'def f():\n  "Two."\n'));
    assert.ok(!same('python', 'x = "a b"', 'x = "a  b"'));
    assert.ok(!same('python', 'x = "a\\\n b"', 'x = "a\\\nb"'));
    assert.ok(!same('python', 'print(f"{x:.2f}")', 'print(f"{x:.3f}")'));
    assert.ok(!same('javascript', 'x = `a ${b}`', 'x = `a  ${b}`'));
    assert.ok(!same('javascript', 'x = /a b/', 'x = /a  b/'));
    assert.ok(!same('tsx', 'x = <p>a <b/></p>', 'x = <p>a<b/></p>'));
  });

  it('goes by the text where there is no parser, or a syntax error', () => {
    assert.ok(sameCode('a = 1', 'a = 1'));
    assert.ok(!sameCode('a = 1', 'a  = 1'));
    assert.ok(!same('python', 'x = (1 ??? 2', 'x = (1  ??? 2'));
    assert.ok(!sameCode('x = 1', parsers.parse('python', 'x = 1')));
  });

  it('counts tokens', () => {
    const count = (language: Language, text: string): number => countTokens(parsers.parse(language, text));
    assert.equal(count('python', ''), 0);
    assert.equal(count('python', '# nothing\n'), 0);
    assert.equal(count('python', 'x = f(1, "two words")  # c'), 8);
    assert.equal(count('python', 'x = f(1, "two words",)'), 9);
    assert.equal(count('javascript', 'x = /a+/g'), 3);
    assert.equal(count('javascript', 'const a = `b`;'), 5);
    assert.ok(count('javascript', 'const a = `b${c + d}`;') > 5);
    assert.equal(count('javascript', 'f(1'), 3);
  });

  it('changes with each token, and never with layout', () => {
    for (const [language, text] of [['python', PYTHON], ['tsx', TSX]] as const) {
      const tree = parsers.parse(language, text);
      assert.equal(tree.hasError, false);
      const fingerprint = codeFingerprint(tree);
      const comment = language === 'python' ? '# note' : '// note';
      const lines = text.split('\n');
      // Not after a continued line, and not inside the JSX, where text is content.
      const free = [...lines.keys()].filter((at) => at === 0 || !/\\$|return </.test(lines[at - 1] ?? ''));
      fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...free), fc.constantFrom('', '   ', comment)), { maxLength: 6 }), fc.boolean(), (extra, wide) => {
        const changed = lines.flatMap((line, at) => [
          ...extra.filter(([where]) => where === at).map(([, what]) => what),
          wide ? line.replace(/^ +/, (indent) => indent + indent) : line,
        ]);
        assert.equal(codeFingerprint(parsers.parse(language, changed.join('\n'))), fingerprint);
      }), { numRuns: 60, seed: 7 });
      const words = tree.nodes.filter((node) => node.children.length === 0 && /^(identifier|integer|float|number|string_content|string_fragment)$/.test(node.type));
      assert.ok(words.length > 20);
      for (const word of words) {
        const changed = parsers.parse(language, `${text.slice(0, word.end)}7${text.slice(word.end)}`);
        assert.notEqual(codeFingerprint(changed), fingerprint, text.slice(word.start, word.end));
      }
    }
  });

  it('is quick: 500 lines in at most 5 ms', () => {
    const tree = parsers.parse('python', PYTHON.repeat(30));
    const best = (work: () => unknown): number => Math.min(...Array.from({ length: 15 }, () => {
      const started = performance.now();
      work();
      return performance.now() - started;
    }));
    assert.ok(best(() => codeFingerprint(tree)) <= 5);
    assert.ok(best(() => countTokens(tree)) <= 5);
  });
});
