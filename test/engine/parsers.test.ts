import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadParsers, PARSER_ASSETS } from '../../src/engine/parsers.ts';
import type { Parsers } from '../../src/engine/parsers.ts';
import { ancestorsOf, descendantsOf, fieldOf, LANGUAGES, languageOf, lineFinder, textOf } from '../../src/loop/syntax.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('parsers', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });

  it('needs its folder only while loading', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ratchet-parsers-'));
    for (const name of PARSER_ASSETS) await cp(join(grammars, name), join(folder, name));
    const loaded = await loadParsers(folder);
    await rm(folder, { recursive: true });
    for (const language of LANGUAGES) assert.equal(loaded.parse(language, 'x = 1').hasError, false);
  });

  it('says which file is missing', async () => {
    await assert.rejects(loadParsers(join(grammars, 'nowhere')), /ENOENT.*tree-sitter/);
  });

  it('copies the whole tree with offsets in the text, also after characters of two units and a byte-order mark', () => {
    const tree = parsers.parse('python', '\uFEFFname = "é😀" + f(3)\n');
    const number = tree.nodes.find((node) => node.type === 'integer');
    assert.ok(number);
    assert.equal(textOf(tree, number), '3');
    const assignment = tree.nodes.find((node) => node.type === 'assignment');
    assert.ok(assignment);
    const left = fieldOf(assignment, 'left');
    assert.ok(left);
    assert.equal(textOf(tree, left), 'name');
    assert.deepEqual(ancestorsOf(number).map((node) => node.type), ['argument_list', 'call', 'binary_operator', 'assignment', 'expression_statement', 'module']);
    assert.deepEqual(descendantsOf(tree.root), tree.nodes);
  });

  it('says where code is broken', () => {
    assert.equal(parsers.parse('python', 'def f(:\n  return 1\n').hasError, true);
    assert.equal(parsers.parse('typescript', 'const x: number = 1;').hasError, false);
    assert.equal(parsers.parse('javascript', 'const x: number = 1;').hasError, true);
    assert.equal(parsers.parse('tsx', 'const x: number = <b>1</b>;').hasError, false);
    const missing = parsers.parse('javascript', 'if (a) { b()').nodes.filter((node) => node.missing);
    assert.deepEqual(missing.map((node) => node.type), ['}']);
  });

  it('reads a sum of ten thousand terms and an empty file', () => {
    const tree = parsers.parse('python', `x = ${'1 + '.repeat(10_000)}1\n`);
    assert.equal(tree.nodes.filter((node) => node.type === 'integer').length, 10_001);
    assert.equal(parsers.parse('python', '').nodes.length, 1);
  });

  it('holds no memory of earlier trees', () => {
    const text = 'def f(x):\n    return x + 1\n'.repeat(200);
    const grow = (times: number): number => {
      for (let i = 0; i < times; i++) parsers.parse('python', text);
      return process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    };
    const before = grow(50);
    // A tree of this text takes about 100 kB of the parser's memory: kept ones would add 30 MB.
    assert.ok(grow(300) - before < 5_000_000, 'the memory of the parser grew');
  });
});

describe('syntax', () => {
  it('knows languages by the ending of the name', () => {
    const expected = {
      'train.py': 'python', 'a/b.PY': 'python', 'x.js': 'javascript', 'x.mjs': 'javascript', 'x.jsx': 'javascript', 'x.ts': 'typescript',
      'x.d.ts': 'typescript', 'x.tsx': 'tsx', 'x.rs': undefined, 'py': undefined, 'a.py/readme': undefined, '.py/x': undefined,
    };
    for (const [path, language] of Object.entries(expected)) assert.equal(languageOf(path), language, path);
  });

  it('finds lines', () => {
    const lineAt = lineFinder('a\r\nb\n\nc');
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7].map(lineAt), [1, 1, 1, 2, 2, 3, 4, 4]);
    assert.deepEqual([0, 1, 2, 3].map(lineFinder('a\rb\n')), [1, 1, 2, 2], 'as edits count them');
  });
});
