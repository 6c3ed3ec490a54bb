import type { CheckReport, CheckVerdict } from './report.ts';

/** What a check found, in short. */
export interface CheckSummary {
  readonly verdict: CheckVerdict;
  /** Titles of the lines that have this verdict. */
  readonly titles: readonly string[];
}

export function summaryOf({ verdict, lines }: Pick<CheckReport, 'verdict' | 'lines'>): CheckSummary {
  return { verdict, titles: lines.filter((line) => line.verdict === verdict).map(({ title }) => title) };
}

/** "checked: yes", "checked: 2 warnings (Noise, A clear goal)"; undefined where there was no check that says anything. */
export function summaryWords(summary: CheckSummary | undefined): string | undefined {
  switch (summary?.verdict) {
    case 'yes':
      return 'checked: yes';
    case 'warning':
      return `checked: ${summary.titles.length} ${summary.titles.length === 1 ? 'warning' : 'warnings'} (${summary.titles.join(', ')})`;
    case 'no':
      return `checked: no (${summary.titles.join(', ')})`;
    case 'not tried':
    case undefined:
      return undefined;
  }
}
