import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadParsers } from '../../src/engine/parsers.ts';
import { readProgram } from '../../src/loop/program.ts';
import { TRAIN_REASONS } from '../../src/loop/protect-train.ts';
import { protectedLines } from '../../src/loop/protect.ts';
import type { Scored } from './scoring.ts';
import { NODE, pythonOrSkip, run, score } from './scoring.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** Runs `use` in a copy of an example, so that nothing is ever written into the project. */
async function inCopy<T>(example: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ratchet-example-'));
  try {
    await cp(join(EXAMPLES, example), folder, { recursive: true });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Replaces pieces of a file's text; a piece that isn't there is an error in the test. */
async function edit(path: string, changes: readonly (readonly [string, string])[]): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${path} has no ${from}`);
    text = text.replace(from, () => to);
  }
  await writeFile(path, text);
}

describe('examples/train', function () {
  this.timeout(90_000);
  let python = '';
  before(async function () {
    python = await pythonOrSkip(this);
  });

  /** One run of train.py with changes, scored as its own scorer. */
  async function train(changes: readonly (readonly [string, string])[] = []): Promise<Scored> {
    return inCopy('train', async (folder) => {
      await edit(join(folder, 'train.py'), changes);
      return score(folder, 'train.py', { kind: 'self', python: [python] }, { name: 'val_bpb', direction: 'lower' }, python);
    });
  }

  it('prints the same val_bpb twice, in a few seconds', async () => {
    const first = await train();
    const second = await train();
    assert.equal(first.reading.outcome, 'scored', first.execution.stderr);
    assert.ok(first.reading.score !== undefined && first.reading.score > 2 && first.reading.score < 3);
    assert.equal(second.reading.score, first.reading.score);
    assert.equal(first.reading.values, 1);
    assert.ok(Math.min(first.execution.durationMs, second.execution.durationMs) < 10_000);
  });

  it('prints the summary block, and nothing after it', async () => {
    const { execution } = await train();
    const summary = execution.stdout.slice(execution.stdout.indexOf('---\n'));
    const names = summary.trim().split('\n').slice(1).map((line) => /^(\w+): +\d+(\.\d+)?$/.exec(line)?.[1]);
    assert.deepEqual(names, ['val_bpb', 'training_seconds', 'eval_seconds', 'total_seconds', 'peak_vram_mb', 'num_steps', 'num_params']);
  });

  it('gives another value for another seed, and a far better one for better constants', async () => {
    const [shipped, seed, tuned] = [
      await train(), await train([['SEED = 1337', 'SEED = 1338']]), await train([['HASH_BITS = 12', 'HASH_BITS = 18'], ['COUNT_LIMIT = 32', 'COUNT_LIMIT = 512']]),
    ].map(({ reading }) => reading.score ?? Number.NaN);
    assert.ok(shipped !== undefined && seed !== undefined && tuned !== undefined);
    assert.notEqual(seed, shipped);
    assert.ok(Math.abs(seed - shipped) < 0.05, `${seed} against ${shipped}`);
    assert.ok(tuned < shipped - 0.15, `${tuned} against ${shipped}`);
  });

  it('trains on the same number of bytes whatever its constants are', async () => {
    const { reading } = await train([['SEGMENT_BYTES = 128', 'SEGMENT_BYTES = 1000'], ['MAX_ORDER = 3', 'MAX_ORDER = 99']]);
    assert.equal(reading.metrics['num_steps'], 98304);
  });

  it('has an evaluation that refuses a model which promises too much', async () => {
    await inCopy('train', async (folder) => {
      await writeFile(join(folder, 'cheat.py'), 'from prepare import evaluate_bpb\n\n\nclass Cheat:\n    def predict(self, context):\n        return [1.0] * 256\n\n\nprint(evaluate_bpb(Cheat()))\n');
      const { exitCode, stderr } = await run([python, 'cheat.py'], folder);
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /sum to 1/);
    });
  });

  it('has an evaluation that knows the even guess to be 8 bits', async () => {
    await inCopy('train', async (folder) => {
      await writeFile(join(folder, 'even.py'), 'from prepare import evaluate_bpb\n\n\nclass Even:\n    def predict(self, context):\n        return [1 / 256] * 256\n\n\nprint(evaluate_bpb(Even()))\n');
      const { stdout } = await run([python, 'even.py'], folder);
      assert.ok(Math.abs(Number(stdout) - 8) < 1e-9, stdout);
    });
  });
});

describe('examples/train, what is protected', () => {
  it('is the import, the evaluation, the summary, the seed and the clock, and no hyperparameter', async () => {
    const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));
    const parsers = await loadParsers(grammars);
    const text = await readFile(join(EXAMPLES, 'train', 'train.py'), 'utf8');
    const ranges = protectedLines(text, parsers.parse('python', text), { trainPy: true, projectModules: new Set(['prepare']) });
    // Rebinding is what an edit would have to add.
    const { rebinding: _added, ...written } = TRAIN_REASONS;
    assert.deepEqual(new Set(ranges.map(({ why }) => why)), new Set(Object.values(written)));
    const lines = text.split('\n');
    const isProtected = (line: number): boolean => ranges.some(({ from, to }) => from <= line && line <= to);
    const constants = lines.flatMap((line, index) => (/^[A-Z_]+ = /.test(line) ? [{ line, isProtected: isProtected(index + 1) }] : []));
    assert.ok(constants.length >= 9);
    assert.deepEqual(constants.filter((constant) => constant.isProtected).map(({ line }) => line.split(' ')[0]), ['SEED']);
  });
});

describe('examples/function', function () {
  this.timeout(90_000);
  const METRIC = { name: 'ms', direction: 'lower' } as const;

  async function scoreWith(changes: readonly (readonly [string, string])[] = []): Promise<Scored> {
    return inCopy('function', async (folder) => {
      await edit(join(folder, 'top-customers.js'), changes);
      return score(folder, 'top-customers.js', 'node score.mjs', METRIC, 'python3');
    });
  }

  it('names its scorer and metric in program.md', async () => {
    const { choices, problems } = readProgram(await readFile(join(EXAMPLES, 'function', 'program.md'), 'utf8'));
    assert.deepEqual(problems, []);
    assert.deepEqual(choices, { scorer: 'node score.mjs', metric: 'ms', direction: 'lower', unit: 'ms', attempts: 40 });
  });

  it('passes its own tests', async () => {
    const { exitCode, stdout } = await inCopy('function', (folder) => run([NODE, '--test'], folder));
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /pass 9\b/);
  });

  it('is scored in milliseconds, once, and better constants are faster', async () => {
    const shipped = await scoreWith();
    assert.equal(shipped.reading.outcome, 'scored', shipped.execution.stderr);
    assert.equal(shipped.reading.values, 1);
    const tuned = await scoreWith([['USE_CACHE = false', 'USE_CACHE = true'], ['CACHE_LIMIT = 200', 'CACHE_LIMIT = 1000'], ['BATCH_SIZE = 10', 'BATCH_SIZE = 1000']]);
    assert.ok(tuned.reading.score !== undefined && shipped.reading.score !== undefined);
    assert.ok(tuned.reading.score > 0 && tuned.reading.score < shipped.reading.score, `${tuned.reading.score} against ${shipped.reading.score}`);
  });

  it('stays right with any constants', async () => {
    const { reading, execution } = await scoreWith([
      ['USE_CACHE = false', 'USE_CACHE = true'], ['CACHE_LIMIT = 200', 'CACHE_LIMIT = 1'], ['BATCH_SIZE = 10', 'BATCH_SIZE = 1'], ['KEEP_SORTED = true', 'KEEP_SORTED = false'],
    ]);
    assert.equal(reading.outcome, 'scored', execution.stderr);
  });

  it('scores the file in RATCHET_TARGET, and the one beside it without', async () => {
    await inCopy('function', async (folder) => {
      const other = join(folder, 'elsewhere.js');
      await writeFile(other, 'throw new Error("this one was loaded");\n');
      const told = await run([NODE, 'score.mjs'], folder, { RATCHET_TARGET: other });
      assert.equal(told.exitCode, 1);
      assert.match(told.stderr, /this one was loaded/);
      const alone = await run([NODE, 'score.mjs'], folder, { RATCHET_TARGET: '' });
      assert.equal(alone.exitCode, 0, alone.stderr);
    });
  });

  const broken: readonly (readonly [string, readonly [string, string]])[] = [
    ['orders of one customer are added up', ['known.orders += 1', 'known.orders += 2']],
    ['spellings of one name are one customer', [".normalize('NFC')", '']],
    ['equal totals stand in the order of the names', ['b.cents - a.cents || compareNames(a, b)', 'b.cents - a.cents || compareNames(b, a)']],
    ['quoted fields hold commas, quotes and line breaks', ['if (wasQuote) field', 'if (isQuoted) field']],
    ['line ends of Windows and a missing last one are fine', ['of `${csv}\\n`', 'of csv']],
    ['the answer while being timed', ['of readRows(csv)', 'of readRows(csv).slice(0, 1000)']],
  ];
  for (const [check, change] of broken)
    it(`fails a candidate that is wrong: ${check}`, async () => {
      const { reading, execution } = await scoreWith([change]);
      assert.equal(reading.outcome, 'crashed');
      assert.equal(execution.exitCode, 1);
      assert.ok(execution.stderr.includes(`failed: ${check}`), execution.stderr);
      assert.doesNotMatch(execution.stdout, /METRIC/);
    });
});
