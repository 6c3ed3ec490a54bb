import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { loadParsers, type Parsers } from '../../../src/engine/parsers.ts';
import { sampleArguments } from '../../../src/loop/new-scorer/arguments.ts';
import { callableFunctions, shellFunctions } from '../../../src/loop/new-scorer/functions.ts';
import type { Language } from '../../../src/loop/syntax.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('functions that a scoring script can call', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });
  const names = (language: Language, text: string): readonly string[] => callableFunctions(parsers.parse(language, text)).map(({ name }) => name);
  const given = (language: Language, text: string): string => {
    const [first] = callableFunctions(parsers.parse(language, text));
    assert.ok(first);
    return sampleArguments(first, language === 'python' ? 'python' : 'javascript');
  };

  it('are the exported ones of a module, however they are exported', () => {
    assert.deepEqual(names('javascript', 'export function a() {}\nfunction hidden() {}\nexport const b = (x) => x, c = 3;\nconst d = function () {};\nexport { d };\nexport default function e() {}\n'), ['a', 'b', 'd', 'default']);
    assert.deepEqual(names('typescript', 'export async function a(x: string): Promise<void> {}\nexport type T = string;\nexport class K {}\nfunction b() {}\nexport { b as other };\n'), ['a']);
    assert.deepEqual(names('javascript', 'export default (list) => list;\n'), ['default']);
  });

  it('are those that a CommonJS module gives away', () => {
    assert.deepEqual(names('javascript', 'function a() {}\nfunction b() {}\nfunction hidden() {}\nmodule.exports = { a, b: b };\n'), ['a', 'b']);
    assert.deepEqual(names('javascript', 'const a = () => 1;\nexports.a = a;\n'), ['a']);
    assert.deepEqual(names('javascript', 'module.exports = function (x) { return x; };\n'), ['default']);
  });

  it('are the public ones at the top level of a Python file', () => {
    assert.deepEqual(names('python', 'def a(x):\n    def inner(): pass\n\n\n@cached\ndef b(): pass\n\n\nasync def later(): pass\n\n\ndef _private(): pass\n\n\nclass K:\n    def method(self): pass\n'), ['a', 'b']);
  });

  it('are all that a shell script defines', () => {
    assert.deepEqual(shellFunctions('# f() {\nf() {\n  :\n}\nfunction g {\n  :\n}\nh () (\n  :\n)\nif true; then k() { :; }; fi\n').map(({ name }) => name), ['f', 'g', 'h']);
  });

  it('get arguments by annotation, by name, and none for what can be left out', () => {
    assert.equal(given('typescript', 'export function f(title: string, size: number, marks: number[], rest = 3) {}\n'), "'The quick brown fox jumps over the lazy dog', 10, [5, 3, 8, 1, 9, 2, 7]");
    assert.equal(given('javascript', 'export const f = (numbers, limit) => numbers;\n'), '[5, 3, 8, 1, 9, 2, 7], 10');
    assert.equal(given('javascript', 'export const f = text => text;\n'), "'The quick brown fox jumps over the lazy dog'");
    assert.equal(given('python', 'def f(values: list[int], strict: bool, *rest, size=3):\n    pass\n'), '[5, 3, 8, 1, 9, 2, 7], True');
    assert.equal(given('python', 'def f():\n    pass\n'), '');
  });
});
