/** U+FEFF, as it stays at the front of a decoded text. */
export const BYTE_ORDER_MARK = '\uFEFF';

const LF = 10;
const CR = 13;

/** A line and what ends it: `\n`, `\r\n`, `\r`, or nothing at the end of a text. */
export interface Line {
  readonly text: string;
  readonly end: string;
}

/**
 * A text as lines; the lines put together are the text again. Only LF, CRLF and CR end a line: form feeds and the
 * separators of Unicode are text, for models copy them as such.
 */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char !== LF && char !== CR) continue;
    const end = char === LF ? '\n' : text.charCodeAt(at + 1) === LF ? '\r\n' : '\r';
    lines.push({ text: text.slice(from, at), end });
    at += end.length - 1;
    from = at + 1;
  }
  if (from < text.length) lines.push({ text: text.slice(from), end: '' });
  return lines;
}

/** The same lines as numbers count them, without their ends: a text that ends with a line end has an empty last one. */
export function lineTexts(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** `line` without a byte-order mark in front. */
export function withoutMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}
