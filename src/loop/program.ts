import { LineCounter, parseDocument, isMap, isScalar, type Document } from 'yaml';
import { OPTIONS, outsideProblems, readChoices, type Choices, type OptionKey, type Problem } from './options.ts';
import { splitFrontMatter } from './front-matter.ts';

/** A problem in program.md with its place, 1-based. */
export interface ProgramProblem extends Problem {
  readonly line: number;
}

/** program.md: the person's strategy, with optional YAML front matter. */
export interface Program {
  readonly choices: Choices;
  /** The strategy for the model: the text without its front matter. */
  readonly strategy: string;
  readonly problems: readonly ProgramProblem[];
}

/** Reads a program's text. Never throws: what is wrong is a problem with its line. */
export function readProgram(text: string): Program {
  const parts = splitFrontMatter(text);
  if (parts === undefined)
    return { choices: {}, strategy: '', problems: [{ line: 1, message: 'The front matter has no closing `---` line.' }] };
  const strategy = parts.rest.join('\n').trim();
  if (parts.yaml === undefined) return { choices: {}, strategy, problems: [] };

  const counter = new LineCounter();
  const yaml = parseDocument(parts.yaml.join('\n'), { lineCounter: counter, strict: true });
  const lineAt = (offset: number | undefined): number => (offset === undefined ? 1 : counter.linePos(offset).line + 1);
  if (yaml.errors.length > 0) {
    // What a parser says after its first mistake is mostly about that one.
    const line = lineAt(yaml.errors[0]?.pos[0]);
    return { choices: {}, strategy, problems: [{ line, message: unreadable(yaml.errors[0]?.message ?? '', parts.yaml[line - 2] ?? '') }] };
  }
  const value = valueOf(yaml);
  if (!value.ok) return { choices: {}, strategy, problems: [{ line: 1, message: `The front matter can't be read: ${value.why}` }] };
  const read = readChoices(value.value);
  const lineOf = (key: string | undefined): number => {
    const pair = isMap(yaml.contents) ? yaml.contents.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    return pair !== undefined && isScalar(pair.key) ? lineAt(pair.key.range?.[0]) : 1;
  };
  const outside = outsideProblems(read.choices);
  const choices = Object.fromEntries(Object.entries(read.choices).filter(([key]) => !outside.some((problem) => problem.key === key))) as Choices;
  return { choices, strategy, problems: [...read.problems, ...outside].map((problem) => ({ ...problem, line: lineOf(problem.key) })) };
}

/** One sentence on a mistake in YAML. `line`: the whole line on which it stands. */
function unreadable(message: string, line: string): string {
  const [sign] = /(?<=:\s+|-\s+)[>|*&!%@`{[]/.exec(line) ?? [];
  const cause = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').replace(/\.$/, '');
  return `The front matter can't be read: ${cause}.${sign === undefined ? '' : ` A value that begins with ${sign} must stand in quotes.`}`;
}

/** Aliases are followed only now, and a few lines of them can stand for millions of values: the library refuses those. */
function valueOf(yaml: Document): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string } {
  try {
    return { ok: true, value: yaml.toJS() ?? {} };
  } catch (error) {
    return { ok: false, why: `${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** The keys that differ between two programs and are not live: they wait for the next run. */
export function waitingKeys(before: Choices, now: Choices): readonly OptionKey[] {
  const keys = Object.keys(OPTIONS) as OptionKey[];
  return keys.filter((key) => !('live' in OPTIONS[key]) && JSON.stringify(before[key]) !== JSON.stringify(now[key]));
}
