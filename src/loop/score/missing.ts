import type { Report } from './adapters/report.ts';
import { others } from './figures.ts';
import { quoted } from './lines.ts';
import type { ScorerOutput } from './output.ts';
import type { Printed } from './printed.ts';
import { printedIn } from './printed.ts';

/** Why no line gave the metric, and what to do: one or two sentences. */
export function missing(metric: string, printed: Printed, report: Report | undefined, output: ScorerOutput): string {
  const wanted = `"${metric}: NUMBER"`;
  if (output.readsStdout === false) return 'The module ended before it gave a value.';
  if (output.result !== undefined && output.result.trim() !== '') return `The file at RATCHET_RESULT holds no JSON, and no line of the output is ${wanted}.`;
  if (report !== undefined) return `${reportProblem(metric, report)} No line of the output gives \`${metric}\` either.`;
  if (printed.nearest !== undefined) return `No line is exactly ${wanted}; the nearest is ${quoted(printed.nearest)}.${advice(printed.nearest, metric)}`;

  const onStderr = printedIn(output.stderr, metric).lastNaming;
  if (onStderr !== undefined) return `The line ${quoted(onStderr.line)} stands on standard error; print it on standard output.`;
  if (printed.tail === undefined) return `The scorer printed nothing on standard output. Let it print a line ${wanted}.`;
  const names = namesOf(printed, metric);
  if (names !== '') return `No line gives \`${metric}\`. The output has numbers under other names: ${names}.`;
  return `No line of the output gives \`${metric}\`; the last line is ${quoted(printed.tail)}. Let the scorer print a line ${wanted}.`;
}

function reportProblem(metric: string, report: Report): string {
  if (report.problem !== undefined) return report.problem;
  return `The report has no \`${metric}\`; it has ${namesOf(report, metric)}.`;
}

function namesOf(from: Pick<Report, 'figures'>, metric: string): string {
  return others(from.figures, metric).slice(-8).map(({ name }) => `\`${name}\``).join(', ');
}

function advice(line: string, metric: string): string {
  if (/\d,\d/.test(line)) return ' Print the number with a decimal point and without thousands marks.';
  if (line.startsWith(`"${metric}"`)) return ' Print a JSON object on one line, or write it to the file at RATCHET_RESULT.';
  if (/\d\s*[^\s\d.,]+$/.test(line)) return ' Print the number alone, without a unit.';
  return '';
}
