import { readFile } from 'node:fs/promises';
import { explain, type Explanation } from '../../src/loop/explain.ts';
import { formatNumber } from '../../src/loop/format.ts';
import type { ResultRow, ResultTable } from '../../src/loop/results.ts';
import type { OneRun } from './one-run.ts';
import { OTHERS } from './rules.ts';
import { line } from './table.ts';

/** An attempt as the published files have it; number 0 is the unchanged train.py. */
interface Attempt {
  readonly n: number;
  readonly val_bpb: number | null;
  readonly status: ResultRow['status'];
}

/** A published log, with the file's own words on where it comes from. */
export interface Trace {
  readonly name: string;
  readonly source: string;
  readonly table: ResultTable;
}

/** Every published log in `data/`. */
export async function traces(): Promise<readonly Trace[]> {
  const h100 = await read<{ source: string; attempts: readonly Attempt[] }>('autoresearch-h100-mar8.json');
  const bilevel = await read<{ source: string; runs: readonly { run: string; attempts: readonly Attempt[] }[] }>('bilevel-traces.json');
  return [
    { name: 'autoresearch, H100, mar8', source: h100.source, table: tableOf(h100.attempts) },
    ...bilevel.runs.map(({ run, attempts }) => ({ name: `bilevel ${run}`, source: bilevel.source, table: tableOf(attempts) })),
  ];
}

/** The second table: what each rule makes of the published numbers, as they stand. */
export async function printedTraces(): Promise<string> {
  const all = await traces();
  const head = ['log (val_bpb)', 'attempts', 'kept', 'noise of one run', 'likely real', 'within noise', 'can\'t be told', 'expected false', 'runs of each that would settle one (median)', ...Object.keys(OTHERS)];
  const lines = all.map(({ name, table }) => {
    const told = explain(table);
    if (typeof told === 'string') throw new Error(`${name}: ${told}`);
    return line([
      name, String(told.scored - 1), String(told.keeps.length - told.counts['not better']), noiseText(told),
      String(told.counts['likely real']), String(told.counts['within noise']), String(told.counts["can't be told"]), told.expectedFalse.toFixed(1), settleText(told),
      ...Object.values(OTHERS).map((rule) => String(keptBy(rule, table.rows))),
    ]);
  });
  return [
    '**Published logs**: what was kept, what `ratchet explain` says of it, and how many of the same numbers the other rules keep', '',
    line(head), line(head.map(() => '---')), ...lines, '', ...new Set(all.map(({ source }) => `Source: ${source}`)), '',
  ].join('\n');
}

function noiseText({ noise }: Explanation): string {
  return noise === undefined ? 'not told' : `${formatNumber(noise.sd, 2)} (${formatNumber(noise.low, 2)}–${formatNumber(noise.high, 2)}), ${noise.source === 'repeats' ? `${noise.values} runs of the start` : 'by the attempts'}`;
}

function settleText({ keeps }: Explanation): string {
  const runs = keeps.filter(({ verdict }) => verdict === 'within noise' || verdict === "can't be told").map(({ runsToSettle = Infinity }) => runsToSettle).sort((a, b) => a - b);
  const middle = runs[Math.floor(runs.length / 2)];
  return middle === undefined ? '–' : middle === Infinity ? '> 100' : String(middle);
}

/** How many of a log's attempts the rule keeps; a new start begins its history anew. */
function keptBy(rule: OneRun, rows: readonly ResultRow[]): number {
  let past: number[] = [];
  let keeps: number[] = [];
  let kept = 0;
  for (const { score, status, description } of rows) {
    if (score === undefined) continue;
    const value = -score;
    if (past.length === 0 || description === 'baseline' || (status === 'keep' && value < Math.max(...keeps))) {
      past = [value];
      keeps = [value];
      continue;
    }
    if (rule(value, past, keeps, score)) {
      kept++;
      keeps.push(value);
    }
    past.push(value);
  }
  return kept;
}

async function read<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`data/${name}`, import.meta.url), 'utf8')) as T;
}

function tableOf(attempts: readonly Attempt[]): ResultTable {
  const rows = attempts.map(({ n, val_bpb: score, status }) => ({ commit: '', ...(score === null ? {} : { score }), status, description: n === 0 ? 'baseline' : `attempt ${n}` }));
  return { columns: ['commit', 'val_bpb', 'status', 'description'], rows, warnings: [] };
}
