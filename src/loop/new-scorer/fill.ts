import { splitLines } from '../edit/lines.ts';
import type { ScriptLanguage } from './names.ts';

/** A place in a text, counted from 0. */
export interface Cursor {
  readonly line: number;
  readonly column: number;
}

/** Constants of a template, by name, as source. */
export type Values = Readonly<Record<string, string>>;

/** A line that sets a constant: what stands before its value, the value, and the rest with a comment. */
const CONSTANT: Readonly<Record<ScriptLanguage, RegExp>> = {
  javascript: /^(?<head>const (?<name>\w+) = (?:\(\) => )?)(?<value>.*?)(?<rest>;(?: \/\/.*)?)$/,
  python: /^(?<head>(?<name>\w+) = (?:lambda: )?)(?<value>.*?)(?<rest>(?: {2}#.*)?)$/,
  shell: /^(?<head>(?<name>\w+)(?:=|\(\) \{ "\$@" ))(?<value>'[^']*'|\S+?)(?<rest>(?:; \})?(?: #.*)?)$/,
};

/** A template with its constants set. Each stands in one line; one that the template doesn't have is left out. */
export function fill(template: string, language: ScriptLanguage, values: Values): string {
  return splitLines(template).map(({ text, end }) => {
    const { head, name = '', rest } = CONSTANT[language].exec(text)?.groups ?? {};
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? `${text}${end}` : `${head ?? ''}${value}${rest ?? ''}${end}`;
  }).join('');
}

/** Where a person begins to edit: at the value of the first of these constants, else after the last line that begins with the words. */
export function cursorAt(text: string, language: ScriptLanguage, places: readonly string[]): Cursor {
  const lines = splitLines(text).map((line) => line.text);
  for (const place of places) {
    const set = lines.findIndex((line) => CONSTANT[language].exec(line)?.groups?.['name'] === place);
    if (set >= 0) return { line: set, column: CONSTANT[language].exec(lines[set] ?? '')?.groups?.['head']?.length ?? 0 };
    const begun = lines.findLastIndex((line) => line.startsWith(place));
    if (begun >= 0) return { line: begun, column: lines[begun]?.length ?? 0 };
  }
  return { line: 0, column: 0 };
}
