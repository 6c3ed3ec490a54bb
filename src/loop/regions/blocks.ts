import { lineTexts } from '../edit/lines.ts';
import { oneLine } from '../one-line.ts';
import type { Region } from './region.ts';

/** Of a file without a parser, so many parts are told apart; more are nobody's reading. */
const MAX_BLOCKS = 200;
const MAX_NAME_CHARS = 60;
/** A line of a comment, in most languages. */
export const COMMENT = /^\s*(?:#(?!include|define)|\/\/|\/\*|\*|--|;|%|<!--)/;
/** What closes a part that was begun before. */
const CLOSING = /^(?:[)}\]>]|<\/|end\b|fi\b|done\b|esac\b)/;

/** The parts of a text without a parser: a line at the margin that follows a blank one begins a part. */
export function blocksOf(text: string): readonly Region[] {
  const lines = lineTexts(text);
  const isIdle = (index: number): boolean => (lines[index] ?? '').trim() === '' || COMMENT.test(lines[index] ?? '');
  const isAfterGap = (index: number): boolean => {
    let above = index - 1;
    while (above >= 0 && COMMENT.test(lines[above] ?? '')) above--;
    return (lines[above] ?? '').trim() === '';
  };
  const starts = lines.flatMap((line, index) => (/^\S/.test(line) && !COMMENT.test(line) && !CLOSING.test(line) && isAfterGap(index) ? [index] : []));
  const first = lines.findIndex((line) => line.trim() !== '');
  if (starts.length === 0 && first >= 0) starts.push(first);
  const used = new Map<string, number>();
  return starts.slice(0, MAX_BLOCKS).map((start, index) => {
    let end = (starts[index + 1] ?? lines.length) - 1;
    while (end > start && isIdle(end)) end--;
    const plain = oneLine(lines[start] ?? '', MAX_NAME_CHARS);
    const count = (used.get(plain) ?? 0) + 1;
    used.set(plain, count);
    return { name: count === 1 ? plain : `${plain}#${count}`, kind: 'block', from: start + 1, to: end + 1 };
  });
}
