import { hyperfine } from './hyperfine.ts';
import { junit } from './junit.ts';
import type { Report, ReportFormat } from './report.ts';
import { vitestBench } from './vitest-bench.ts';

/** Reads the text of a report file. Never throws: what is wrong with it stands in `problem`. */
export function readReport(text: string, format: ReportFormat): Report {
  switch (format) {
    case 'vitest-bench': return vitestBench(text);
    case 'junit': return junit(text);
    case 'hyperfine': return hyperfine(text);
  }
}
