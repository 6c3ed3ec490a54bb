import type { CaseScore } from '../../../records.ts';
import type { Figures } from '../figures.ts';

/** Formats of reports that are read at once, and how a sentence calls them. */
export const REPORT_FORMATS = {
  'vitest-bench': '`vitest bench --outputJson`',
  junit: 'JUnit XML',
  hyperfine: '`hyperfine --export-json`',
  jest: '`jest --json` or `vitest --reporter=json`',
  tap: 'TAP',
  pytest: 'pytest',
  'pytest-benchmark': '`pytest --benchmark-json`',
  tinybench: 'tinybench',
  mitata: 'mitata',
  eslint: '`eslint -f json`',
  ruff: '`ruff check --output-format json`',
} as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;

/** A report that a command writes. */
export interface ReportRef {
  /** As the command has it: relative to the folder in which it runs, or absolute. STDOUT where it is printed. */
  readonly file: string;
  readonly format: ReportFormat;
}

/** Stands for standard output, as on command lines. */
export const STDOUT = '-';

/** What a report says. */
export interface Report {
  readonly figures: Figures;
  readonly cases: readonly CaseScore[];
  /** One sentence, where the report can't be read or holds no result. */
  readonly problem?: string;
  /** How many results stand in the text, where it isn't one: the last counts, and one more than usual is suspicious. */
  readonly values?: number;
}

export function unreadable(problem: string): Report {
  return { figures: new Map(), cases: [], problem };
}
