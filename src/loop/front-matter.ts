import { lineTexts, withoutMark } from './edit/lines.ts';

/** A Markdown text in two, as lines without their ends. */
export interface FrontMatter {
  /** The lines between the two `---`; absent where the text has none. */
  readonly yaml?: readonly string[];
  /** All lines after it. */
  readonly rest: readonly string[];
}

/** Takes the YAML front matter off a text; undefined where it has no end. */
export function splitFrontMatter(text: string): FrontMatter | undefined {
  const lines = lineTexts(withoutMark(text));
  if (lines[0]?.trimEnd() !== '---') return { rest: lines };
  const close = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
  return close < 0 ? undefined : { yaml: lines.slice(1, close), rest: lines.slice(close + 1) };
}
