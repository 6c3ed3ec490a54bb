const NAME = '[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const MARK = new RegExp(`-----(BEGIN|END) ${NAME}`, 'g');
/** Lines of a key: whole ones, and the last. */
const LINE = /^[A-Za-z0-9+/=]{40,80}$/;
const LAST_LINE = /^[A-Za-z0-9+/=]{1,80}$/;
/** In what stands between the marks of a key, and in no code that only speaks of them. */
const BODY = /[A-Za-z0-9+/=]{32}/;
/** No key is longer. */
const MOST_CHARS = 20_000;

/** Where a key begins whose end is not there: the first beginning that no end follows. */
export function openKey(text: string): number | undefined {
  let open: number | undefined;
  for (const match of text.matchAll(MARK)) open = match[1] === 'END' ? undefined : (open ?? match.index);
  return open;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Masks private keys between their marks. Of one without its end the lines that look like it go too, and so they do
 * before an end without a beginning: a long output is cut in its middle.
 */
export function maskKeyBlocks(text: string, mask: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of spans(text)) {
    parts.push(text.slice(done, from), mask);
    done = to;
  }
  return parts.join('') + text.slice(done);
}

function spans(text: string): readonly Span[] {
  const found: Span[] = [];
  let begin: Span | undefined;
  let free = 0;
  const add = (span: Span): void => {
    if (span.from < free || span.to - span.from < MARK_CHARS) return;
    found.push(span);
    free = span.to;
  };
  for (const match of text.matchAll(MARK)) {
    const mark = { from: match.index, to: match.index + match[0].length };
    if (match[1] === 'BEGIN') {
      if (begin !== undefined) add(withLinesAfter(text, begin));
      begin = mark;
    } else if (begin !== undefined && mark.from - begin.to <= MOST_CHARS) {
      if (BODY.test(text.slice(begin.to, mark.from))) add({ from: begin.from, to: mark.to });
      begin = undefined;
    } else {
      if (begin !== undefined) add(withLinesAfter(text, begin));
      begin = undefined;
      add(withLinesBefore(text, mark, free));
    }
  }
  if (begin !== undefined) add(withLinesAfter(text, begin));
  return found;
}

/** Less is a mark alone. */
const MARK_CHARS = 60;

function withLinesAfter(text: string, { from, to: head }: Span): Span {
  let to = head;
  while (to - head < MOST_CHARS) {
    const start = text.startsWith('\r\n', to) ? to + 2 : text.startsWith('\n', to) ? to + 1 : undefined;
    if (start === undefined) break;
    const line = text.slice(start, start + 100).split(/[\r\n]/, 1)[0] ?? '';
    if (LINE.test(line)) to = start + line.length;
    else {
      // The cut may have torn the line.
      const rest = /^[A-Za-z0-9+/=]+/.exec(line)?.[0].length;
      if (to > head && rest !== undefined) to = start + rest;
      break;
    }
  }
  return to === head ? { from, to: from } : { from, to };
}

function withLinesBefore(text: string, { from: end, to }: Span, free: number): Span {
  let from = end;
  let lines = 0;
  while (end - from < MOST_CHARS) {
    const before = text.slice(Math.max(free, from - 100), from).replace(/\r?\n$/, '');
    const line = before.split(/[\r\n]/).at(-1) ?? '';
    if (line === '' || !(lines === 0 ? LAST_LINE : LINE).test(line)) break;
    from = text.lastIndexOf(line, from - 1);
    lines += 1;
  }
  return { from, to };
}
