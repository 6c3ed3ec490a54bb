/** CSI (colours, cursor), OSC (titles, links), and every other escape sequence. */
const ESCAPES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
/** All other control characters but tab, line feed, carriage return and backspace. NULs are what UTF-16 looks like here. */
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001f\u007f]/g;
/** A byte-order mark, also one that was read as the wrong encoding. */
const BYTE_ORDER_MARK = /^(?:\ufeff|\ufffd\ufffd)/;

/** Text without terminal codes, as the lines that a terminal would show: what a progress bar overwrote is gone. */
export function shownLines(text: string): readonly string[] {
  return text.replace(BYTE_ORDER_MARK, '').replace(ESCAPES, '').replace(CONTROLS, '').split('\n').map(shown);
}

/** What is left of a line after its carriage returns and backspaces. */
function shown(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  const from = Math.max(line.lastIndexOf('\r', end - 1), line.lastIndexOf('\b', end - 1)) + 1;
  return line.slice(Math.min(from, end), end);
}

/** A line for a sentence: trimmed, quoted, and short. */
export function quoted(line: string, limit = 120): string {
  const text = line.trim();
  return `"${text.length > limit ? `${text.slice(0, limit - 1)}…` : text}"`;
}
