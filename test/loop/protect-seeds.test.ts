import assert from 'node:assert/strict';
import type { Parsers } from '../../src/engine/parsers.ts';
import { isProtected, protectedLines, touchesProtected, type ProtectedRange } from '../../src/loop/protect.ts';
import { languageOf } from '../../src/loop/syntax.ts';
import { loadTestParsers } from './signals/edits.ts';

/** An edit: its language, the text before and after, and where there is one, the option `seed:`. */
type Case = readonly [ending: string, before: string, after: string, named?: string];

const CHANGED: readonly (readonly [touched: string, ...Case])[] = [
  ['1 SEED 42', 'py', 'SEED = 42\nx = 1\n', 'SEED = 43\nx = 2\n'], ['1 random.seed 42', 'py', 'random.seed(42)\nx = 1\n', 'random.seed(7)\nx = 2\n'],
  ['1 seed 3', 'py', 'def train(steps=10, seed=3):\n    pass\n', 'def train(steps=20, seed=4):\n    pass\n'],
  ['1 random_state 0', 'py', 'm = Forest(depth=3, random_state=0)\n', 'm = Forest(depth=9, random_state=1)\n'],
  ['1 mulberry32 1', 'js', 'const r = mulberry32(1);\nconst n = 1;\n', 'const r = mulberry32(2);\nconst n = 2;\n'],
  ['2 seed 1', 'ts', 'const a = 1;\nrun({ seed: 1, n: 2 });\n', 'const a = 1;\nrun({ seed: 5, n: 3 });\n'],
  ['1 srand 42', 'c', 'srand(42);\nint n = 1;\n', 'srand(43);\nint n = 2;\n'], ['1 rand.NewSource 3', 'go', 'r := rand.New(rand.NewSource(3))\n', 'r := rand.New(rand.NewSource(4))\nn := 1\n'],
  // Another name for it hides nothing.
  ['1 SEED 42', 'py', 'SEED = 42\nr = Random(SEED)\n', 'r = Random(43)\n'], ['2 random_state 1', 'py', 'random.seed(0)\nm = F(random_state=1)\n', 'random.seed(0)\nm = F(random_state=0)\n'],
  ['1 random.seed abc', 'py', 'random.seed("abc")\n', 'random.seed("abd")\nx = 1\n'],
  ['1 START 3', 'py', 'START = 3\nx = 1\n', 'START = 4\nx = 2\n', 'START'], ['1 start 8', 'rs', 'let start: u64 = 8;\n', 'let start: u64 = 9;\nlet n = 1;\n', 'start'],
];

const FREE: readonly Case[] = [
  // The line around a seed, its name, its place and how it is written.
  ['py', 'def train(steps=10, seed=3):\n    pass\n', 'def train(steps=20, seed=3, rate=1):\n    pass\n'], ['py', 'SEED = 42\nx = 1\n', 'x = 2\nRNG_SEED = 42  # moved\n'], ['py', 'random.seed(1000)\n', 'random.seed(1_000)\nx = 1\n'],
  // It goes with its code, comes with new code, or twice.
  ['py', 'random.seed(42)\nx = random.random()\n', 'x = 0.5\n'], ['py', 'x = 1\n', 'import random\nrandom.seed(42)\nx = 2\n'], ['py', 'r = Random(42)\n', 'r = Random(42)\nq = Random(42)\n'], ['py', 'random.seed(1)\nm = F(random_state=2)\n', 'm = F(random_state=2)\n'],
  // What only looks like one.
  ['py', 'def train(steps, seed):\n    return 1\n', 'def train(seed, steps):\n    return 2\n'], ['py', 'num_seeds = 4\n', 'num_seeds = 5\n'], ['py', '# seed = 4\n', '# seed = 5\nx = 1\n'], ['py', 'text = "SEED = 4"\n', 'text = "SEED = 5"\n'],
  ['js', 'const f = (seed, n = 3) => n;\n', 'const f = (seed, n = 4) => n;\n'], ['ts', 'function f(seed: number): number { return 3; }\n', 'function f(seed: number): number { return 4; }\n'], ['go', 'seedCount := 5\n', 'seedCount := 6\n'], ['c', 'void plant(int seed) { n = 4; }\n', 'void plant(int seed) { n = 5; }\n'],
  // Where one is named, it is the one.
  ['py', 'START = 3\nseed = 4\n', 'START = 3\nseed = 5\n', 'START'],
];

describe('a protected seed', () => {
  let parsers: Parsers;
  before(async () => { parsers = await loadTestParsers(); });

  function ranges(ending: string, text: string, named?: string): readonly ProtectedRange[] {
    const language = languageOf(`f.${ending}`);
    return protectedLines(text, language === undefined ? undefined : parsers.parse(language, text), { trainPy: false, projectModules: new Set(), seeds: { named } });
  }

  const touched = ([ending, before, after, named]: Case): string => {
    const { line, seed } = touchesProtected(before, after, ranges(ending, before, named), ranges(ending, after, named)) ?? {};
    return seed === undefined ? '' : `${line} ${seed.name} ${seed.written}`;
  };

  it(`may not get another value, in any language (${CHANGED.length})`, () => {
    for (const [expected, ...edit] of CHANGED) assert.equal(touched(edit), expected, edit[2]);
  });

  it(`leaves all else alone (${FREE.length})`, () => {
    for (const edit of FREE) assert.equal(touched(edit), '', edit[2]);
  });

  it('is no whole line: what is varied or broken beside it stays free, and what takes it out with its code', () => {
    const text = 'm = Forest(depth=3, seed=12)\n';
    const at = (word: string): { start: number; end: number } => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });
    const found = ranges('py', text);
    const line = { from: 1, to: 1 };
    assert.equal(isProtected(found, line, at('12')), true);
    assert.equal(isProtected(found, line, at('3')), false);
    assert.equal(isProtected(found, line, at('Forest(depth=3, seed=12)')), false);
  });

  it('of a train.py is its whole line, beside the one that is named', () => {
    const text = 'import torch\ntorch.manual_seed(1)\nSTART = 3\nprint(f"val_bpb: {1}")\n';
    const told = (named?: string): readonly string[] => protectedLines(text, parsers.parse('python', text), { trainPy: true, projectModules: new Set(), seeds: { named } }).flatMap(({ from, why, seed }) => (seed === undefined ? (why === 'a seed' ? [`${from} whole`] : []) : [`${from} ${seed.name}`]));
    assert.deepEqual(told(), ['2 whole']);
    assert.deepEqual(told('START'), ['2 whole', '3 START']);
  });
});
