/**
 * Measures the two examples and prints tables: how much val_bpb differs from seed to seed, how much the function's time differs
 * from run to run, and how far both can be improved by changing their constants alone.
 *
 *     node bench/examples.ts
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

const EXAMPLES = join(import.meta.dirname, '..', 'examples');
const RUNS = 10;

type Constants = Readonly<Record<string, string>>;

interface Example {
  readonly folder: string;
  readonly target: string;
  readonly command: readonly [string, ...string[]];
  readonly metric: RegExp;
}

const TRAIN: Example = {
  folder: 'train', target: 'train.py',
  command: [process.platform === 'win32' ? 'python' : 'python3', '-B', 'train.py'], metric: /^val_bpb:\s+(\S+)$/m,
};
const FUNCTION: Example = {
  folder: 'function', target: 'top-customers.js', command: [process.execPath, 'score.mjs'], metric: /^METRIC ms=(\S+)$/m,
};

/** Constants that a search over literals can reach; found by hand, one by one. */
const TUNED_TRAIN: Constants = { MAX_ORDER: '5', HASH_BITS: '20', COUNT_LIMIT: '1000', SMOOTHING: '0.1' };
const TUNED_FUNCTION: Constants = { USE_CACHE: 'true', CACHE_LIMIT: '1000', BATCH_SIZE: '1000', KEEP_SORTED: 'false' };

/** The target's text with other constants. Throws where one isn't there, so that the bench can't measure nothing. */
function withConstants(text: string, constants: Constants): string {
  let changed = text;
  for (const [name, value] of Object.entries(constants)) {
    const line = new RegExp(`^((?:const )?${name} = )[^;\\s]+`, 'm');
    if (!line.test(changed)) throw new Error(`There is no constant ${name}.`);
    changed = changed.replace(line, `$1${value}`);
  }
  return changed;
}

interface Run {
  readonly value: number;
  readonly wallS: number;
}

/** Runs one variant of an example in a copy of its folder. */
function run(example: Example, constants: Constants): Run {
  const copy = mkdtempSync(join(tmpdir(), 'ratchet-bench-'));
  try {
    cpSync(join(EXAMPLES, example.folder), copy, { recursive: true });
    const target = join(copy, example.target);
    writeFileSync(target, withConstants(readFileSync(target, 'utf8'), constants));
    const [file, ...args] = example.command;
    const start = performance.now();
    const { stdout, stderr, status } = spawnSync(file, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, RATCHET_TARGET: target } });
    const wallS = (performance.now() - start) / 1000;
    const value = Number(example.metric.exec(stdout)?.[1]);
    if (status !== 0 || !Number.isFinite(value)) throw new Error(`${example.command.join(' ')} gave no value:\n${stdout}${stderr}`);
    return { value, wallS };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** One row: name, median, standard deviation, lowest, highest, median wall time. */
function row(name: string, runs: readonly Run[], digits: number): string {
  const values = runs.map(({ value }) => value);
  const figures = [median(values), spread(values), Math.min(...values), Math.max(...values)].map((figure) => figure.toFixed(digits));
  return `| ${[name, ...figures, `${median(runs.map(({ wallS }) => wallS)).toFixed(1)} s`].join(' | ')} |`;
}

function times(make: (index: number) => Run): readonly Run[] {
  return Array.from({ length: RUNS }, (_, index) => make(index));
}

function table(title: string, rows: readonly string[]): void {
  console.log(`\n${title}\n\n| | median | standard deviation | lowest | highest | a run takes |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}`);
}

console.log(`${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, ${process.platform}, ${RUNS} runs each`);
table('train: val_bpb over seeds 1 to 10', [
  row('as shipped', times((index) => run(TRAIN, { SEED: String(index + 1) })), 4),
  row('tuned constants', times((index) => run(TRAIN, { ...TUNED_TRAIN, SEED: String(index + 1) })), 4),
]);
table('function: ms from run to run', [
  row('as shipped', times(() => run(FUNCTION, {})), 2),
  row('tuned constants', times(() => run(FUNCTION, TUNED_FUNCTION)), 2),
]);
