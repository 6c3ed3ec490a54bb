import type { CaseScore } from '../../../records.ts';
import type { Figures } from '../figures.ts';

/** Formats of report files that are read at once. */
export const REPORT_FORMATS = ['vitest-bench', 'junit', 'hyperfine'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A report file that a command writes. */
export interface ReportRef {
  /** As the command has it: relative to the folder in which it runs, or absolute. */
  readonly file: string;
  readonly format: ReportFormat;
}

/** What a report says. */
export interface Report {
  readonly figures: Figures;
  readonly cases: readonly CaseScore[];
  /** One sentence, where the report can't be read or holds no result. */
  readonly problem?: string;
}

export function unreadable(problem: string): Report {
  return { figures: new Map(), cases: [], problem };
}
