/** Fenced code blocks as CommonMark 0.31 reads them: sections 4.5 (fences), 5.1 (quotes) and 5.2 (list items). */

/** How a fence was opened. */
export interface FenceOpening {
  readonly char: string;
  /** How many of `char`; the closing fence has as many or more. */
  readonly length: number;
  /** Columns before it, which its content loses too. */
  readonly indent: number;
  /** The info string, as `python`. */
  readonly info: string;
}

/** What lines stand in: a quote, or a list item whose content starts `width` columns in. */
export type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number };

/** The rest of a line, and the column at which it starts: a tab reaches to the next multiple of four. */
export interface Rest {
  readonly text: string;
  readonly column: number;
}

const TAB = 4;
const MAX_INDENT = 3;
/** Deeper nesting than this is not looked for. */
const MAX_CONTAINERS = 16;

/** `rest` without up to `columns` columns of white space. What is left of a tab becomes spaces. */
export function dropColumns(rest: Rest, columns: number): Rest {
  let { column } = rest;
  const goal = column + columns;
  let at = 0;
  for (; column < goal; at += 1) {
    const char = rest.text[at];
    if (char !== ' ' && char !== '\t') break;
    const next = char === ' ' ? column + 1 : column + TAB - (column % TAB);
    if (next > goal) return { text: ' '.repeat(next - goal) + rest.text.slice(at + 1), column: goal };
    column = next;
  }
  return { text: rest.text.slice(at), column };
}

/** The rest of a line within `containers`; undefined where the line leaves one of them. */
export function within(line: string, containers: readonly Container[]): Rest | undefined {
  let rest: Rest | undefined = { text: line, column: 0 };
  for (const container of containers) {
    rest = enter(rest, container);
    if (rest === undefined) return undefined;
  }
  return rest;
}

/** Those of `open` that a line stays in, those that it opens, and the rest of the line. */
export function containersOf(line: string, open: readonly Container[]): { readonly containers: readonly Container[]; readonly rest: Rest } {
  const containers: Container[] = [];
  let rest: Rest = { text: line, column: 0 };
  for (const container of open) {
    const inner = enter(rest, container);
    if (inner === undefined) break;
    containers.push(container);
    rest = inner;
  }
  while (containers.length < MAX_CONTAINERS) {
    const opened = opening(rest);
    if (opened === undefined) break;
    containers.push(opened.container);
    rest = opened.rest;
  }
  return { containers, rest };
}

/** The fence that a line opens, if it does. */
export function openedFence(rest: Rest): FenceOpening | undefined {
  const indent = indentOf(rest);
  if (indent > MAX_INDENT) return undefined;
  const text = rest.text.trim();
  const char = text[0];
  if (char !== '`' && char !== '~') return undefined;
  const length = runLength(text, char);
  const info = text.slice(length).trim();
  return length < 3 || (char === '`' && info.includes('`')) ? undefined : { char, length, indent, info };
}

/** Whether a line closes `fence`. */
export function closesFence(rest: Rest, fence: FenceOpening): boolean {
  const closing = openedFence(rest);
  return closing !== undefined && closing.info === '' && closing.char === fence.char && closing.length >= fence.length;
}

/** Whether a line would open a fence like `fence`, with an info string, if it didn't stand in it. */
export function nestsIn(rest: Rest, fence: FenceOpening): boolean {
  const nested = openedFence(rest);
  return nested !== undefined && nested.info !== '' && nested.char === fence.char && nested.length >= fence.length;
}

function enter(rest: Rest, container: Container): Rest | undefined {
  if (container.kind === 'quote') {
    const opened = opening(rest);
    return opened?.container.kind === 'quote' ? opened.rest : undefined;
  }
  const indent = indentOf(rest);
  if (indent === Infinity) return { text: '', column: rest.column };
  return indent >= container.width ? dropColumns(rest, container.width) : undefined;
}

/** The container that a line opens with a `>` or with a list marker. */
function opening(rest: Rest): { readonly container: Container; readonly rest: Rest } | undefined {
  const indent = indentOf(rest);
  if (indent > MAX_INDENT) return undefined;
  const inner = dropColumns(rest, indent);
  if (inner.text.startsWith('>')) return { container: { kind: 'quote' }, rest: dropColumns({ text: inner.text.slice(1), column: inner.column + 1 }, 1) };
  const marker = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/.exec(inner.text)?.[0];
  if (marker === undefined) return undefined;
  const after = { text: inner.text.slice(marker.length), column: inner.column + marker.length };
  const gap = indentOf(after);
  // An empty item, or one that starts with indented code, has one column between its marker and its content.
  const spaces = gap > TAB ? 1 : gap;
  return { container: { kind: 'item', width: indent + marker.length + spaces }, rest: dropColumns(after, spaces) };
}

/** Columns of white space in front; infinite for a blank line. */
function indentOf(rest: Rest): number {
  let { column } = rest;
  for (const char of rest.text) {
    if (char === ' ') column += 1;
    else if (char === '\t') column += TAB - (column % TAB);
    else return column - rest.column;
  }
  return Infinity;
}

function runLength(text: string, char: string): number {
  let length = 0;
  while (text[length] === char) length += 1;
  return length;
}
