import assert from 'node:assert/strict';
import type { Parsers } from '../../src/engine/parsers.ts';
import { regionsOf } from '../../src/loop/regions.ts';
import { languageOf } from '../../src/loop/syntax.ts';
import { testParsers } from './audit/corpus.ts';

describe('the regions of a target', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await testParsers();
  });
  const shown = (path: string, text: string): readonly string[] => {
    const language = languageOf(path);
    return regionsOf(text, language === undefined ? undefined : parsers.parse(language, text)).regions.map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`);
  };

  it('of Python are functions, classes with methods, constants and statements, with their decorators', () => {
    const text = '"""Docs."""\nimport os\n# c\nA: int = 1\nB, C = 1, 2\n\n@d\nclass Box:\n    x = 1\n    @p\n    def f(self):\n        pass\n    class In:\n        def g(self): pass\n\nasync def f():\n    return (\n        1)\n\nA = 2\nprint(\n  A)\nB += 1\ntry:\n    pass\nfinally:\n    pass\n';
    assert.deepEqual(shown('a.py', text), [
      'constant A 4-4', 'statements B, C = 1, 2 5-5', 'class Box 7-14', 'method Box.f 10-12', 'class Box.In 13-14', 'method Box.In.g 14-14', 'function f 16-18', 'constant A#2 20-20',
      'statements print( 21-23', 'statements try: 24-27',
    ]);
  });

  it('of scripts are what is declared, exported or assigned to exports, by the names that others use', () => {
    const text = 'import a from "a";\nexport default function () { return 1; }\nconst x = 1, f = () => 2;\nfunction* g() {}\nclass K { m() {} static n = () => 1; p = 1 }\nexports.q = function () {};\nmodule.exports = { r() {}, "s": () => 1, t: 2 };\nlet later;\nf();\nfor (;;) {}\nexport { f };\n';
    assert.deepEqual(shown('a.js', text), [
      'function default 2-2', 'constant x 3-3', 'function f 3-3', 'function g 4-4', 'class K 5-5', 'method K.m 5-5', 'method K.n 5-5', 'function q 6-6',
      'constant module.exports 7-7', 'method module.exports.r 7-7', 'method module.exports."s" 7-7', 'statements let later; 8-9', 'statements for (;;) {} 10-10',
    ]);
    assert.deepEqual(shown('a.tsx', 'interface P { a: 1 }\ntype T = 1;\ndeclare function d(): void;\nexport const Row = ({ a }: P) => <b>{a}</b>;\nexport abstract class A { abstract z(): void; y(): void {} }\nenum E { A = 1 }\n'), [
      'function Row 4-4', 'class A 5-5', 'method A.y 5-5', 'statements enum E { A = 1 } 6-6',
    ]);
  });

  it('are guessed for other files, and said to be', () => {
    const text = '#include <a.h>\n\n// adds\nint add(int a)\n{\n  return a;\n\n}\n\nint main() {\n  return 0;\n}\n';
    assert.deepEqual(shown('a.c', text), ['block #include <a.h> 1-1', 'block int add(int a) 4-8', 'block int main() { 10-12']);
    assert.match(regionsOf(text, undefined).guessed ?? '', /^There is no parser for this kind of file/);
    assert.match(regionsOf('def f(:', parsers.parse('python', 'def f(:')).guessed ?? '', /syntax error/);
    assert.equal(regionsOf('x = 1', parsers.parse('python', 'x = 1')).guessed, undefined);
    assert.deepEqual(regionsOf('\n\n', undefined).regions, []);
    assert.deepEqual(shown('a.txt', '  only indented\n  text\n'), ['block only indented 1-2']);
  });
});
