import type { Report, ReportFormat } from './adapters/report.ts';
import { REPORT_FORMATS, unreadable } from './adapters/report.ts';
import { readReport } from './adapters/read.ts';
import { isObject, objectsIn, own, readJson } from './json.ts';

/** A report among what was printed, and what it is. */
export interface PrintedReport {
  readonly report: Report;
  readonly format: ReportFormat;
}

/** Put in by the engine where more was printed than it keeps. */
const LEFT_OUT = /\[… \d+ bytes left out …\]/;
const IN_JSON: ReadonlySet<ReportFormat> = new Set(['jest', 'eslint', 'ruff']);

/** Reads the report that a command says to print. */
export function printedAs(format: ReportFormat, lines: readonly string[]): PrintedReport {
  const text = lines.join('\n');
  // The closing line of pytest is at the end, whatever was printed before it.
  if (format !== 'pytest' && LEFT_OUT.test(text)) return { format, report: unreadable('The report on standard output is longer than what is kept of it: let the runner write it to a file, or print less.') };
  const report = readReport(IN_JSON.has(format) ? jsonAmong(lines) ?? '' : text, format);
  return { format, report: report.problem === undefined ? report : { ...report, problem: `${report.problem} (It was looked for on standard output.)` } };
}

/** Finds the report of a runner that nothing in the command names, by marks that only such a report has. */
export function printedReport(lines: readonly string[]): PrintedReport | undefined {
  const format = TEXT_MARKS.find(([, mark]) => lines.some((line) => mark.test(line)))?.[0];
  if (format !== undefined) return printedAs(format, lines);
  const json = jsonAmong(lines);
  const value = json === undefined ? undefined : readJson(json)?.value;
  const found = value === undefined ? undefined : formatOf(value);
  return found === undefined || json === undefined ? undefined : { format: found, report: readReport(json, found) };
}

/** How a sentence names where the report was. */
export function placeOf({ format }: PrintedReport): string {
  return `the report of ${REPORT_FORMATS[format]} on standard output`;
}

const TEXT_MARKS: readonly (readonly [ReportFormat, RegExp])[] = [
  ['tap', /^TAP version 1[34]\s*$/],
  ['tinybench', /^[│|] *\(index\) *[│|] *'?task name'? *[│|]/i],
  ['mitata', /^benchmark\s+avg \(min … max\)/],
];

function formatOf(value: unknown): ReportFormat | undefined {
  if (isObject(value)) {
    if (typeof own(value, 'numTotalTests') === 'number' && Array.isArray(own(value, 'testResults'))) return 'jest';
    return Array.isArray(own(value, 'layout')) && Array.isArray(own(value, 'benchmarks')) ? 'mitata' : undefined;
  }
  const [first] = objectsIn(value);
  if (first === undefined) return undefined;
  if (Object.hasOwn(first, 'filePath') && Array.isArray(own(first, 'messages'))) return 'eslint';
  if (Object.hasOwn(first, 'filename') && Object.hasOwn(first, 'code') && Object.hasOwn(first, 'location')) return 'ruff';
  return Object.keys(first).some((key) => /^task name$/i.test(key)) ? 'tinybench' : undefined;
}

/** The last JSON object or list among the lines: on one line, or over several from a line that begins with its bracket to one that ends with it. */
function jsonAmong(lines: readonly string[]): string | undefined {
  const last = lines.findLastIndex((line) => /[\]}]\s*$/.test(line));
  const end = lines[last]?.trim();
  if (end === undefined) return undefined;
  if (readJson(end) !== undefined && /^[[{]./.test(end)) return end;
  // Indented JSON begins and ends at the margin.
  const first = lines.findLastIndex((line, index) => index <= last && /^[[{]\s*$/.test(line));
  const block = first < 0 ? '' : lines.slice(first, last + 1).join('\n');
  return readJson(block) === undefined ? undefined : block;
}
