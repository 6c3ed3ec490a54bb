import { objectsIn, readJson } from '../json.ts';
import { numberIn } from '../number.ts';
import type { Report } from './report.ts';
import { unreadable } from './report.ts';
import type { Timing } from './timings.ts';
import { timingsReport } from './timings.ts';

type Row = ReadonlyMap<string, string>;
interface Cell {
  readonly value: number;
  readonly rme?: number;
}

const NAME = /^task name$/i;
const COLUMNS = [
  ['mean', /^(?:latency (?:avg|average)|average time) \(ns\)$/i],
  ['median', /^latency (?:med|median) \(ns\)$/i],
] as const;

/**
 * What `console.table(bench.table())` of tinybench prints (versions 2 to 6), or JSON of `bench.table()`. Times are in
 * nanoseconds, as the columns say; the spread is what stands behind ±.
 */
export function tinybench(text: string): Report {
  const rows = rowsIn(text);
  if (rows.length === 0) return unreadable('The output has no table of tinybench: print `console.table(bench.table())`.');
  const timings: Timing[] = [];
  const failed: string[] = [];
  for (const row of rows) {
    const name = cellOf(row, NAME) ?? '';
    const cells = COLUMNS.map(([statistic, column]) => [statistic, read(cellOf(row, column), cellOf(row, /^margin$/i))] as const);
    const [, mean] = cells[0] ?? [];
    if (![...row.keys()].some((column) => COLUMNS.some(([, known]) => known.test(column)))) return unreadable(`The table of tinybench has no column for the time in nanoseconds; it has ${[...row.keys()].join(', ')}.`);
    if (mean === undefined) {
      failed.push(`The benchmark ${JSON.stringify(name)} gave no time: ${cellOf(row, /^error$/i) || 'its row holds no plain number'}.`);
      continue;
    }
    const present = cells.flatMap(([statistic, cell]) => (cell === undefined ? [] : [[statistic, cell] as const]));
    timings.push({
      name,
      statistics: Object.fromEntries(present.map(([statistic, { value }]) => [statistic, value])),
      rme: Object.fromEntries(present.flatMap(([statistic, { rme }]) => (rme === undefined ? [] : [[statistic, rme]]))),
    });
  }
  return timingsReport(timings, failed);
}

/** `468.75 ± 2.59%`, or `468.75` with the margin in a column of its own; behind a median stands its deviation in ns. */
function read(text: string | undefined, margin: string | undefined): Cell | undefined {
  const [number = '', spread = margin?.replace('±', '') ?? ''] = text?.split('±') ?? [];
  const value = numberIn(number.trim());
  if (value === undefined) return undefined;
  const beside = numberIn(spread.trim().replace(/%$/, ''));
  if (beside === undefined) return { value };
  return { value, rme: spread.trim().endsWith('%') ? beside : (100 * beside) / value };
}

function cellOf(row: Row, column: RegExp): string | undefined {
  return [...row].find(([name]) => column.test(name))?.[1];
}

function rowsIn(text: string): readonly Row[] {
  const json = objectsIn(readJson(text)?.value).map((row) => new Map(Object.entries(row).map(([name, value]) => [name, String(value)])));
  return (json.length > 0 ? json : tableRows(text)).filter((row) => cellOf(row, NAME) !== undefined);
}

/** Rows of the tables that console.table draws. */
function tableRows(text: string): readonly Row[] {
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  for (const line of text.split('\n')) {
    const cells = /^[│|].*[│|]\s*$/.test(line.trim()) ? line.trim().slice(1, -1).split(/[│|]/).map((cell) => cell.trim()) : [];
    if (cells[0] === '(index)') columns = cells;
    else if (cells.length > 0 && cells.length === columns.length) rows.push(new Map(columns.map((column, index) => [column, unquoted(cells[index] ?? '')])));
    else if (cells.length === 0 && !/^[├└]/.test(line.trim())) columns = [];
  }
  return rows;
}

function unquoted(cell: string): string {
  return /^(['"`]).*\1$/.test(cell) ? cell.slice(1, -1) : cell;
}
