import { eslint } from './eslint.ts';
import { hyperfine } from './hyperfine.ts';
import { jest } from './jest.ts';
import { junit } from './junit.ts';
import { mitata } from './mitata.ts';
import { pytestBenchmark } from './pytest-benchmark.ts';
import { pytest } from './pytest.ts';
import type { Report, ReportFormat } from './report.ts';
import { ruff } from './ruff.ts';
import { tap } from './tap.ts';
import { tinybench } from './tinybench.ts';
import { vitestBench } from './vitest-bench.ts';

const READERS: Readonly<Record<ReportFormat, (text: string) => Report>> = {
  'vitest-bench': vitestBench, junit, hyperfine, jest, tap, pytest, 'pytest-benchmark': pytestBenchmark, tinybench, mitata, eslint, ruff,
};

/** Reads the text of a report. Never throws: what is wrong with it stands in `problem`. */
export function readReport(text: string, format: ReportFormat): Report {
  return READERS[format](text);
}
