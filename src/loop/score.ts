import type { Metric } from '../records.ts';
import type { Report, ReportRef } from './score/adapters/report.ts';
import { STDOUT } from './score/adapters/report.ts';
import { readReport } from './score/adapters/read.ts';
import { badEnding } from './score/ending.ts';
import type { Figures } from './score/figures.ts';
import { note } from './score/figures.ts';
import type { Reading } from './score/found.ts';
import { finished, unscored } from './score/found.ts';
import { isObject, readJson } from './score/json.ts';
import { quoted, shownLines } from './score/lines.ts';
import { missing } from './score/missing.ts';
import { agree } from './score/number.ts';
import type { ScorerOutput } from './score/output.ts';
import type { Printed } from './score/printed.ts';
import { printedIn } from './score/printed.ts';
import { placeOf, printedAs, printedReport } from './score/printed-report.ts';
import type { Stated } from './score/stated.ts';
import { stated } from './score/stated.ts';

export { boundedFeedback, feedbackOf } from './score/feedback.ts';
export { readGate } from './score/gate.ts';
export { reportOf } from './score/report-of.ts';
export type { ReportFormat, ReportRef } from './score/adapters/report.ts';
export type { Reading } from './score/found.ts';
export type { ScorerOutput } from './score/output.ts';

/** The metrics whose direction is known: `score`, higher, and `val_bpb`, lower. Any other needs to be told. */
export function defaultMetric(name: string): Metric | undefined {
  if (name === 'score') return { name, direction: 'higher' };
  if (name === 'val_bpb') return { name, direction: 'lower' };
  return undefined;
}

/**
 * Reads the metric from what a scorer left behind. The order of precedence:
 * 1. An ending other than exit code 0 gives no score, whatever was printed.
 * 2. JSON at RATCHET_RESULT is the result, also where the metric is missing in it.
 * 3. The last line of standard output that gives the metric by name.
 * 4. The runner's report, in the file that the command names, or printed. One that no command names counts like a line of step 5.
 * 5. A line that is a number alone. Without a value in a report it counts like a line of step 3: the last line wins.
 *    It counts for nothing where the command says that what it prints is a report: tests print numbers too.
 * Wherever a named value that doesn't count differs from the one that does, `conflict` says so.
 */
export function readScore(output: ScorerOutput, metric: Metric, report?: ReportRef): Reading {
  const bad = badEnding(output);
  if (bad !== undefined) return { ...bad, metrics: {}, cases: [], values: 0, source: 'none', candidates: [] };

  const printed = printedIn(output.readsStdout === false ? '' : output.stdout, metric.name);
  const file = resultFile(output.result, metric.name);
  if (file !== undefined) return fromFile(file, printed, output, metric);

  const found = foundReport(printed, output, report);
  const inReport = found?.report.figures.get(metric.name);
  if (inReport !== undefined && found !== undefined && printed.lastNaming === undefined)
    return finished({
      metric, value: inReport, source: 'report', where: `read from ${found.place}`, values: found.report.values ?? 1,
      figures: withSpread(merged(printed.figures, found.report.figures), metric), cases: found.report.cases,
    });
  return fromLines(report?.file === STDOUT ? withoutBare(printed) : printed, found?.report, output, metric);
}

interface FoundReport {
  readonly report: Report;
  readonly place: string;
}

function foundReport(printed: Printed, output: ScorerOutput, report: ReportRef | undefined): FoundReport | undefined {
  if (output.readsStdout === false) return undefined;
  if (report !== undefined && report.file !== STDOUT) return { report: readReportFile(output.report, report), place: `the report ${report.file}` };
  const found = report === undefined ? printedReport(printed.sinceBare) : printedAs(report.format, shownLines(output.stdout));
  return found === undefined ? undefined : { report: found.report, place: placeOf(found) };
}

function withoutBare({ last, lastNaming, ...others }: Printed): Printed {
  return { ...others, bare: 0, ...(lastNaming === undefined ? {} : { last: last?.kind === 'bare-number' ? lastNaming : last ?? lastNaming, lastNaming }) };
}

/** The runner's own claim about the metric's spread last, as the first figures are left out where there are many. */
function withSpread(figures: Figures, metric: Metric): Figures {
  const spread = figures.get(`${metric.name}_rme`);
  const moved = new Map(figures);
  note(moved, `${metric.name}_rme`, spread);
  return moved;
}

function fromFile(file: Stated, printed: Printed, output: ScorerOutput, metric: Metric): Reading {
  const isModule = output.readsStdout === false;
  const figures = merged(printed.figures, file.figures);
  const place = isModule ? 'what the module returned' : 'the file at RATCHET_RESULT';
  if (file.value === undefined) {
    const why = file.problem === undefined
      ? `There is no \`${metric.name}\` in ${place}.`
      : `In ${place}, ${file.problem}`;
    return unscored('no-score', why, { metric, values: printed.naming, figures, cases: file.cases, notes: file.notes });
  }
  const named = printed.lastNaming;
  const conflict = named === undefined || (named.value !== undefined && agree(named.value, file.value))
    ? undefined
    : `${place} says ${file.value}, but the output says ${quoted(named.line)}.`.replace(/^./, (first) => first.toUpperCase());
  return finished({
    metric, value: file.value, source: isModule ? 'module' : 'result-file', where: `read from ${place}`,
    values: printed.naming + 1, figures, cases: file.cases, notes: file.notes, conflict,
  });
}

function fromLines(printed: Printed, report: Report | undefined, output: ScorerOutput, metric: Metric): Reading {
  const inReport = report?.figures.get(metric.name);
  const statement = inReport === undefined ? printed.last : printed.lastNaming;
  const figures = merged(printed.figures, report?.figures ?? new Map());
  if (statement?.value === undefined) {
    const why = statement?.problem ?? (statement?.json?.problem === undefined
      ? missing(metric.name, printed, report, output)
      : `In the last line with the metric, ${statement.json.problem}`);
    return unscored('no-score', why, { metric, values: printed.naming, figures, cases: [] });
  }
  const { value, kind, line, json } = statement;
  const values = printed.naming + (kind === 'bare-number' ? printed.bare : 0) + (inReport === undefined ? 0 : 1);
  const lines = kind === 'bare-number' ? printed.naming + printed.bare : printed.naming;
  const broken = (output.result ?? '').trim() === '' ? '' : '; the file at RATCHET_RESULT holds no JSON';
  const where = `read from ${lines > 1 ? `the last of ${lines} lines that give it` : 'the line'} ${quoted(line)}${broken}`;
  return finished({
    metric, value, source: kind, where, values, figures,
    cases: json?.cases.length ? json.cases : report?.cases ?? [], notes: json?.notes, conflict: conflictIn(printed, inReport, value, line),
  });
}

/** A report that differs from the line that counts, or a named line before a number alone that counts. */
function conflictIn(printed: Printed, inReport: number | undefined, value: number, line: string): string | undefined {
  if (inReport !== undefined && !agree(inReport, value)) return `The report says ${inReport}, but the output says ${quoted(line)}.`;
  const named = printed.lastNaming;
  if (named === undefined || (named.value !== undefined && agree(named.value, value))) return undefined;
  return named === printed.last ? undefined : `The output says ${quoted(named.line)}, and then ${quoted(line)}.`;
}

function merged(first: Figures, second: Figures): Figures {
  const figures = new Map(first);
  for (const [name, value] of second) note(figures, name, value);
  return figures;
}

/** The result file as JSON; a bare number is the metric. Undefined where nothing, or no JSON, was written. */
function resultFile(text: string | undefined, metric: string): Stated | undefined {
  const json = readJson((text ?? '').replace(/^\ufeff/, ''));
  if (json === undefined) return undefined;
  return stated(isObject(json.value) ? json.value : { [metric]: json.value }, metric, true);
}

function readReportFile(text: string | undefined, report: ReportRef): Report {
  if (text === undefined) return { figures: new Map(), cases: [], problem: `The report ${report.file} was not written.` };
  return readReport(text.replace(/^\ufeff/, ''), report.format);
}
