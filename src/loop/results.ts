import type { Metric, Verdict } from '../records.ts';
import { cleanLine } from './one-line.ts';
import { LARGEST } from './score/found.ts';

/** A row of results.tsv, the log that karpathy's autoresearch writes and that its tools read. */
export interface ResultRow {
  /** First 7 of the candidate's hash. */
  readonly commit: string;
  /** Absent on a crash. */
  readonly score?: number;
  readonly memoryGb?: number;
  readonly status: 'keep' | 'discard' | 'crash';
  readonly description: string;
}

/** What was read of somebody's results.tsv, ours or not. */
export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
  /** One sentence for each row that can't be read. */
  readonly warnings: readonly string[];
}

export function resultStatus(verdict: Verdict): ResultRow['status'] {
  switch (verdict) {
    case 'kept':
      return 'keep';
    case 'discarded':
    case 'flagged':
    case 'cancelled':
      return 'discard';
    case 'crashed':
    case 'timed-out':
    case 'no-score':
    case 'invalid-score':
    case 'refused':
      return 'crash';
  }
}

/** The columns of a new file. The second bears the metric's name. */
export function resultColumns(metric: Metric): readonly string[] {
  return ['commit', metric.name, 'memory_gb', 'status', 'description'];
}

export function resultHeader(metric: Metric): string {
  return `${resultColumns(metric).map(cell).join('\t')}\n`;
}

/** One line for the given columns (in any order; ones that aren't ours stay empty), with its line end. */
export function resultLine(row: ResultRow, columns: readonly string[]): string {
  return `${columns.map((column, index) => cell(valueOf(row, column, index))).join('\t')}\n`;
}

/**
 * What must be appended so that the new row stands alone: a line end first where the text ends in a torn row.
 * The torn row stays as it is.
 */
export function appendResult(text: string, row: ResultRow, metric: Metric): string {
  if (text === '') return resultHeader(metric) + resultLine(row, resultColumns(metric));
  const { columns } = readResults(text);
  const start = text.endsWith('\n') ? '' : '\n';
  return start + resultLine(row, columns.length > 0 ? columns : resultColumns(metric));
}

/** Reads a results.tsv tolerantly: extra columns, another order, CRLF, a torn last row. Never throws. */
export function readResults(text: string): ResultTable {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const torn = lines.at(-1) !== '';
  const columns = (lines[0] ?? '').split('\t').map((name) => name.trim());
  const rows: ResultRow[] = [];
  const warnings: string[] = [];
  lines.slice(1).forEach((line, index) => {
    const number = index + 2;
    if (line.trim() === '') return;
    const cells = line.split('\t');
    const row = rowOf(cells, columns);
    if (torn && number === lines.length && cells.length < columns.length)
      warnings.push(`Line ${number} is left out: it ends in the middle of a row.`);
    else if (row === undefined) warnings.push(`Line ${number} is left out: it has no status keep, discard or crash.`);
    else {
      const problem = row.status === 'crash' ? undefined : valueProblem(cells[scoreColumn(columns)] ?? '', row, metricName(columns) ?? 'score');
      if (problem !== undefined) warnings.push(`Line ${number} is left out: ${problem}`);
      rows.push(row);
    }
  });
  return { columns: columns.filter((name) => name !== ''), rows, warnings };
}

const STATUS = 'status';
const DESCRIPTIONS = ['description', 'note', 'hypothesis', 'notes'];
const KEYS = ['commit', 'attempt', 'n', 'id'];

function rowOf(cells: readonly string[], columns: readonly string[]): ResultRow | undefined {
  const at = (names: readonly string[]): string => cells[columns.findIndex((column) => names.includes(column))]?.trim() ?? '';
  const status = at([STATUS]).toLowerCase();
  if (status !== 'keep' && status !== 'discard' && status !== 'crash') return undefined;
  const score = numberOf(cells[scoreColumn(columns)]);
  const memoryGb = numberOf(at(['memory_gb']));
  return {
    commit: at(KEYS),
    ...(score === undefined || status === 'crash' ? {} : { score }),
    ...(memoryGb === undefined ? {} : { memoryGb }),
    status,
    description: at(DESCRIPTIONS),
  };
}

function valueOf(row: ResultRow, column: string, index: number): string {
  if (KEYS.includes(column)) return row.commit;
  if (column === STATUS) return row.status;
  if (DESCRIPTIONS.includes(column)) return row.description;
  if (column === 'memory_gb') return row.memoryGb === undefined ? '' : row.memoryGb.toFixed(1);
  return index === 1 ? (row.score === undefined ? '' : String(row.score)) : '';
}

/** The name of the metric's column; undefined where there is none. */
export function metricName(columns: readonly string[]): string | undefined {
  return columns[scoreColumn(columns)];
}

/** The metric's column is the first that isn't one of the known others. */
function scoreColumn(columns: readonly string[]): number {
  const others = [...KEYS, ...DESCRIPTIONS, STATUS, 'memory_gb'];
  return columns.findIndex((column) => !others.includes(column));
}

/** What is wrong with a row's value, and how to write it; undefined where it can be read. A discarded attempt may have none. */
function valueProblem(text: string, { score, status }: ResultRow, metric: string): string | undefined {
  if (score !== undefined && Math.abs(score) <= LARGEST) return undefined;
  const written = cleanLine(text, MOST_SHOWN);
  if (written === '') return status === 'keep' ? `it was kept, and has no value of ${cleanLine(metric, MOST_SHOWN)}.` : undefined;
  if (score !== undefined) return `\`${written}\` is too large to compare.`;
  const decimal = DECIMAL_COMMA.test(written) ? `: write ${written.replace(',', '.')}` : '';
  return `\`${written}\` isn't a number${decimal}.`;
}

const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
const MOST_SHOWN = 40;

function numberOf(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  const value = Number(trimmed);
  return trimmed === '' || !Number.isFinite(value) ? undefined : value;
}

/** Tabs and line breaks would start new cells and rows. */
function cell(text: string): string {
  return text.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ').replace(/ {2,}/g, ' ').trim();
}
