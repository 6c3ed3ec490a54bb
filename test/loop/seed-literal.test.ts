import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Parsers } from '../../src/engine/parsers.ts';
import { seedLiterals, withSeed } from '../../src/loop/seed-literal.ts';
import { seedProblem } from '../../src/loop/seed-problem.ts';
import type { SeedLiteral } from '../../src/loop/seed-literal.ts';
import { languageOf } from '../../src/loop/syntax.ts';
import { loadTestParsers } from './signals/edits.ts';

/** Code, and the seeds in it: name and value as written. */
const CASES: readonly (readonly [ending: string, text: string, ...seeds: string[]])[] = [
  ['py', 'random.seed(42)', 'random.seed 42'], ['py', 'np.random.seed(7)', 'np.random.seed 7'], ['py', 'torch.manual_seed(1_000)', 'torch.manual_seed 1_000'], ['py', 'torch.cuda.manual_seed_all(3)', 'torch.cuda.manual_seed_all 3'],
  ['py', 'SEED = 42\nrng = random.Random(SEED)', 'SEED 42'], ['py', 'rng = np.random.default_rng(0)', 'np.random.default_rng 0'], ['py', 'm = Forest(depth=3, random_state=0)', 'random_state 0'], ['py', 'key = jax.random.PRNGKey(0)', 'jax.random.PRNGKey 0'],
  ['py', 'key = jax.random.key(5)', 'jax.random.key 5'], ['py', 'START = 9\nrandom.seed(START)', 'START 9'], ['py', 'random.seed(42 + rank)', 'random.seed 42'], ['py', 'def train(steps=10, seed=3): pass', 'seed 3'], ['py', 'def train(seed: int = 3): pass', 'seed 3'],
  ['py', 'config = {"seed": 4, "depth": 2}', 'seed 4'], ['py', 'self.seed = 8', 'self.seed 8'], ['py', 'np.random.default_rng(seed=6)', 'seed 6'], ['py', 'random.seed("abc")', 'random.seed abc'], ['py', 'tf.random.set_seed(2)', 'tf.random.set_seed 2'], ['py', 'seed_everything(2)', 'seed_everything 2'],
  ['py', 'random.seed(time.time())'], ['py', 'random.seed(None)'], ['py', 'num_seeds = 4'], ['py', 'proceeds = 4\nlinseed(3)'], ['py', '# SEED = 4'], ['py', 'text = "SEED = 4"'], ['py', 'x = 42'], ['py', 'seed = 0.5'], ['py', 'g.seedling(3)'],
  ['js', 'const rng = mulberry32(1);', 'mulberry32 1'], ['js', 'const r = new Random(42);', 'Random 42'], ['js', 'const r = seedrandom("x");', 'seedrandom x'], ['js', 'faker.seed(12)', 'faker.seed 12'], ['js', 'const randomSeed = 5, depth = 3;', 'randomSeed 5'], ['js', 'f({ seed: 1, n: 2 })', 'seed 1'],
  ['js', 'class A { seed = 3; }', 'seed 3'], ['js', 'function f(n, seed = 4) {}', 'seed 4'], ['ts', 'const SEED: number = 0x2a;', 'SEED 0x2a'], ['ts', 'const seed = 42n;', 'seed 42n'], ['js', 'let start = 3; rng.setSeed(start);', 'start 3'],
  ['js', 'xs.map((x) => x + 3)'], ['js', 'const seedling = 3;'],
  ['c', 'srand(42);', 'srand 42'], ['rs', 'let r = StdRng::seed_from_u64(7);', 'seed_from_u64 7'], ['go', 'r := rand.New(rand.NewSource(3))', 'rand.NewSource 3'], ['jl', 'Random.seed!(5)', 'Random.seed! 5'], ['r', 'set.seed(1)\n# set.seed(2)', 'set.seed 1'], ['cpp', 'std::mt19937 gen(9);', 'mt19937 gen 9'],
  ['go', 'rand.Seed(4)', 'rand.Seed 4'], ['rs', 'let seed: u64 = 5;', 'seed 5'], ['java', 'this.randomSeed = 6;', 'this.randomSeed 6'],
  ['c', 'int n = 42;'], ['go', 'seedCount := 5\nseedlings := plantSeeds(4)'], ['c', 'int num_seeds = 4; void plant(int seed);'], ['py', 'def train(steps, seed): pass'], ['py', 'def train(steps, seed: int, *, rate=3): pass'], ['js', 'function f(seed, n = 3) {}'], ['ts', 'const f = (seed: number, n = 3) => seed + n;'],
];

describe('seeds written in a target', () => {
  let parsers: Parsers;
  before(async () => { parsers = await loadTestParsers(); });
  const found = (ending: string, text: string, named?: string): readonly SeedLiteral[] => {
    const language = languageOf(`f.${ending}`);
    return seedLiterals(text, language === undefined ? undefined : parsers.parse(language, text), named);
  };
  const told = (text: string, literals: readonly SeedLiteral[]): string[] => literals.map(({ name, from, to }) => `${name} ${text.slice(from, to)}`);

  it(`are found in code of any language (${CASES.length})`, () => {
    for (const [ending, text, ...seeds] of CASES) assert.deepEqual(told(text, found(ending, text)), seeds, text);
  });

  it('are the one of the shipped train.py', () => {
    const text = readFileSync(join(import.meta.dirname, '../../examples/train/train.py'), 'utf8');
    assert.deepEqual(told(text, found('py', text)), ['SEED 1337']);
  });

  it('are the one that a person names, by its name or the text before it', () => {
    const text = 'START = 3\nSTARTS = 4\nf(5, start=6)  # START = 7\n';
    assert.deepEqual(told(text, found('py', text, 'START')), ['START 3']);
    assert.deepEqual(told(text, found('py', text, 'f(')), ['f( 5']);
    assert.deepEqual(told(text, found('py', text, 'start=')), ['start= 6']);
    assert.deepEqual(told(text, found('py', text, 'missing')), []);
    assert.deepEqual(told('let start: u64 = 8;', found('rs', 'let start: u64 = 8;', 'start')), ['start 8']);
    assert.deepEqual(told('const START = 0x2a; const STARTS = 42n;', found('ts', 'const START = 0x2a; const STARTS = 42n;', 'START')), ['START 0x2a']);
  });

  it('can\'t be named where there is no such number, and that is said with those that are found', () => {
    const problem = (text: string, named: string): string | undefined => seedProblem(text, parsers.parse('python', text), named, { program: 'program.md', target: 'f.py' });
    assert.equal(problem('START = 3\n', 'START'), undefined);
    assert.equal(problem('START = 3\n', 'NOPE'), 'program.md says `seed: NOPE`, but f.py has no whole number named NOPE: write the name, or the text right before the number, as it stands there, or take the line out.');
    assert.match(problem('SEED = 4\nNOPE = 0.5\n', 'NOPE') ?? '', /take the line out \(SEED is found without it\)\.$/);
    assert.match(problem('# NOPE = 3\nNOPES = 4\n', 'NOPE') ?? '', /no whole number named NOPE/);
  });

  it('are replaced, and nothing else is', () => {
    const text = 'SEED = 42  # äöü 42\nrandom.seed("abc")\nm = F(depth=42, random_state=0)\r\n';
    assert.equal(withSeed(text, found('py', text), 7), 'SEED = 7  # äöü 42\nrandom.seed("7")\nm = F(depth=42, random_state=7)\r\n');
    assert.equal(withSeed('const s = 0x2a; const seed = 4_2;', found('ts', 'const s = 0x2a; const seed = 4_2;'), 42), 'const s = 0x2a; const seed = 4_2;');
  });

  it('stay as they are under their own number, and all around them stays under any', () => {
    const lines = CASES.filter(([ending]) => ending === 'py').map(([, text]) => text);
    fc.assert(fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 6 }), fc.nat(1_000_000), fc.constantFrom('\n', '\r\n'), (parts, seed, end) => {
      const text = parts.join(end);
      const literals = found('py', text);
      const changed = withSeed(text, literals, seed);
      const around = (of: string, places: readonly SeedLiteral[]): string[] => places.map(({ to }, i) => of.slice(to, places[i + 1]?.from));
      const again = found('py', changed);
      assert.equal(again.length, literals.length);
      assert.deepEqual(around(changed, again), around(text, literals));
      assert.equal(changed.slice(0, again[0]?.from), text.slice(0, literals[0]?.from));
      assert.ok(again.every(({ from, to }) => Number(changed.slice(from, to).replaceAll('_', '')) === seed));
      assert.equal(withSeed(changed, again, seed), changed);
      for (const literal of literals) {
        const own = Number(text.slice(literal.from, literal.to));
        if (!Number.isNaN(own)) assert.equal(withSeed(text, [literal], own), text);
      }
    }), { numRuns: 200, seed: 5 });
  });
});
