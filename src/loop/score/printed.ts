import type { Figures } from './figures.ts';
import { note } from './figures.ts';
import { isObject, readJson } from './json.ts';
import { quoted, shownLines } from './lines.ts';
import { numberIn } from './number.ts';
import type { Stated } from './stated.ts';
import { stated } from './stated.ts';

/** One line that gives the metric. */
export interface Statement {
  readonly kind: 'json-line' | 'named-line' | 'bare-number';
  readonly line: string;
  /** May be NaN or infinite. Absent where the line gives the metric as something else than a number. */
  readonly value?: number;
  /** One sentence, where the number has a comma: whoever takes "98,5" for 98 or 985 is wrong. */
  readonly problem?: string;
  /** The rest of a JSON line. */
  readonly json?: Stated;
}

/** What standard output says about one metric. */
export interface Printed {
  /** The last line that gives the metric, in whatever form. */
  readonly last?: Statement;
  /** The last line that gives it by name. */
  readonly lastNaming?: Statement;
  /** How many lines give it by name, and how many are a number alone. */
  readonly naming: number;
  readonly bare: number;
  /** Numbers under any name. */
  readonly figures: Figures;
  /** The last line that holds the metric's name and a digit, and doesn't give the metric. */
  readonly nearest?: string;
  /** The last line that isn't blank; absent where nothing was printed. */
  readonly tail?: string;
  /** The lines after the last one that is a number alone. */
  readonly sinceBare: readonly string[];
}

/** Longer lines are no results; JSON with many cases may be long. */
const LONGEST_LINE = 1_000;
const LONGEST_JSON = 4_000_000;
const NAME = /^[\p{L}_][\p{L}\p{N}_.\-/%@ ]*$/u;

/** Reads the lines that give the metric: a JSON object that has it, `name: number`, `METRIC name=number`, a number alone. */
export function printedIn(text: string, metric: string): Printed {
  let last: Statement | undefined;
  let lastNaming: Statement | undefined;
  let nearest: string | undefined;
  let tail: string | undefined;
  let naming = 0;
  let bare = 0;
  const figures = new Map<string, number>();
  const lines = shownLines(text);
  let sinceBare = 0;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '') continue;
    tail = line;
    const statement = statementIn(line, metric, figures);
    if (statement === undefined) {
      if (line.length <= LONGEST_LINE && line.includes(metric) && /\d/.test(line)) nearest = line;
      continue;
    }
    last = statement;
    if (statement.kind === 'bare-number') {
      bare += 1;
      sinceBare = index + 1;
    } else {
      naming += 1;
      lastNaming = statement;
    }
  }
  if (lastNaming === undefined && tail !== undefined && COMMA.test(tail)) last = { kind: 'bare-number', line: tail, problem: commaIn(tail) };
  return {
    naming, bare, figures, sinceBare: lines.slice(sinceBare),
    ...(last === undefined ? {} : { last }),
    ...(lastNaming === undefined ? {} : { lastNaming }),
    ...(nearest === undefined ? {} : { nearest }),
    ...(tail === undefined ? {} : { tail }),
  };
}

function statementIn(line: string, metric: string, figures: Map<string, number>): Statement | undefined {
  if (line.startsWith('{') && line.endsWith('}') && line.length <= LONGEST_JSON) return jsonIn(line, metric, figures);
  if (line.length > LONGEST_LINE) return undefined;
  const value = valueOf(line, metric);
  if (value !== undefined) return typeof value === 'number' ? { kind: 'named-line', line, value } : { kind: 'named-line', line, problem: commaIn(line) };
  const alone = numberIn(line);
  if (alone !== undefined) return { kind: 'bare-number', line, value: alone };
  noteOther(line, figures);
  return undefined;
}

function jsonIn(line: string, metric: string, figures: Map<string, number>): Statement | undefined {
  const json = readJson(line)?.value;
  if (!isObject(json)) return undefined;
  const said = stated(json, metric, false);
  for (const [name, value] of said.figures) note(figures, name, value);
  if (said.value === undefined && said.problem === undefined) return undefined;
  return { kind: 'json-line', line, ...(said.value === undefined ? {} : { value: said.value }), json: said };
}

/** A number with a comma, for decimals or thousands; nobody can tell which. */
const COMMA = /^[+-]?\d[\d.'’\u00a0\u202f]*,\d[\d.,]*(?:e[+-]?\d+)?$/i;

function commaIn(line: string): string {
  return `The number in ${quoted(line)} has a comma: let the scorer print it with a decimal point and without thousands marks.`;
}

/** The number in `name: number` or `METRIC name=number`, for exactly this name; `comma` where it has one. */
function valueOf(line: string, name: string): number | 'comma' | undefined {
  const metric = /^METRIC\s+/.exec(line);
  if (metric !== null) {
    const value = after(line.slice(metric[0].length), name, '=');
    if (value !== undefined) return value;
  }
  return after(line, name, ':');
}

function after(text: string, name: string, separator: string): number | 'comma' | undefined {
  if (!text.startsWith(name)) return undefined;
  const rest = text.slice(name.length).trimStart();
  if (!rest.startsWith(separator)) return undefined;
  const said = rest.slice(1).trim();
  return COMMA.test(said) ? 'comma' : numberIn(said);
}

function noteOther(line: string, figures: Map<string, number>): void {
  const metric = /^METRIC\s+/.exec(line);
  const text = metric === null ? line : line.slice(metric[0].length);
  const cut = text.lastIndexOf(metric === null ? ':' : '=');
  if (cut < 1) return;
  const name = text.slice(0, cut).trim();
  if (NAME.test(name)) note(figures, name, numberIn(text.slice(cut + 1).trim()));
}
