import type { Outcome } from '../../records.ts';
import { readReport } from './adapters/read.ts';
import type { Report, ReportRef } from './adapters/report.ts';
import { STDOUT } from './adapters/report.ts';
import { badEnding } from './ending.ts';
import { shownLines } from './lines.ts';
import type { ScorerOutput } from './output.ts';
import { printedAs, printedReport } from './printed-report.ts';

/** What one run of a gate says: `scored` where it passed, `no-score` where it ended well and checked nothing. */
export interface GateReading {
  readonly outcome: Outcome;
  /** One sentence. */
  readonly why: string;
  /** Names of the checks that failed, as far as a report or a common mark tells them. */
  readonly failed: readonly string[];
}

const MOST_NAMES = 20;
const LONGEST_NAME = 200;

/** How runners say that there was nothing to check; each stands alone on its line. */
const NOTHING: readonly RegExp[] = [
  /^\s*0 passing\b/, /^(?:collected 0 items|=* ?no tests ran\b.*)/, /^1\.\.0\b/, /^Ran 0 tests in /, /^\s*Tests?:?\s+0 (?:total|passed|tests)\s*$/i, /^No tests? (?:found|files? found|matches|were (?:found|run|executed))/i,
  /^(?:ℹ|#) tests 0$/, /^0 tests? (?:ran|run|executed|passed|completed)\b/i, /\[no test(?:s to run| files)\]$/,
];
/** Runners that say in a sum what several packages did: there one line of nothing is no proof. */
const SOMETHING: readonly RegExp[] = [/^\s*[1-9]\d* passing\b/, /^ok\s+\S+\s+[\d.]+s(?! \[no test)/, /\b[1-9]\d* passed\b/, /^Ran [1-9]\d* tests? in /, /^(?:ℹ|#) pass [1-9]/, /^ok [1-9]/];
/** What stands before the name of a failed check. */
const FAILED: readonly RegExp[] = [
  /^not ok \d+ -? ?(.+)$/, /^\s*(?:✖|✗|✕|×|●)\s+(.+)$/, /^(?:FAILED|ERROR) (\S+(?:::\S+)?)/, /^(?:FAIL|ERROR): (.+)$/, /^\s*--- FAIL: (\S+)/, /^(\S+\(\d+,\d+\): error \S+.*)$/, /^(\S+:\d+:\d+ - error .*)$/, /^test (\S+) \.\.\. FAILED$/,
];

/** Reads what a gate left behind. Exit code 0 is a pass, unless the output shows that no check ran. */
export function readGate(output: ScorerOutput, ref?: ReportRef): GateReading {
  const lines = shownLines(`${output.stdout}\n${output.stderr}`).map((line) => line.trimEnd());
  const report = reportIn(output, ref);
  const bad = badEnding(output);
  if (bad !== undefined) return { outcome: bad.outcome, why: bad.why.replace('The scorer', 'It').replace('The run of the scorer', 'It'), failed: namesIn(report, lines) };
  if (report?.figures.get('tests') === 0 || (report?.figures.get('tests') === undefined && checkedNothing(lines)))
    return { outcome: 'no-score', why: 'It ended with exit code 0, but no check ran.', failed: [] };
  return { outcome: 'scored', why: 'It ended with exit code 0.', failed: [] };
}

function reportIn(output: ScorerOutput, ref: ReportRef | undefined): Report | undefined {
  if (ref !== undefined && ref.file !== STDOUT) return output.report === undefined ? undefined : readReport(output.report, ref.format);
  const lines = shownLines(output.stdout);
  return ref === undefined ? printedReport(lines)?.report : printedAs(ref.format, lines).report;
}

function checkedNothing(lines: readonly string[]): boolean {
  return lines.some((line) => NOTHING.some((mark) => mark.test(line))) && !lines.some((line) => SOMETHING.some((mark) => mark.test(line)));
}

function namesIn(report: Report | undefined, lines: readonly string[]): readonly string[] {
  const told = report?.cases.filter(({ score }) => score === 0).map(({ name }) => name) ?? [];
  const names = told.length > 0 ? told : lines.flatMap((line) => FAILED.map((mark) => mark.exec(line)?.[1]).find((name) => name !== undefined) ?? []);
  return [...new Set(names.map((name) => name.trim().slice(0, LONGEST_NAME)))].slice(0, MOST_NAMES);
}
