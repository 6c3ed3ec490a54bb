import { lineTexts } from './edit/lines.ts';

/** Why lines between two comments are protected. */
export const MARKED = 'marked with ratchet: protect';
/** Why the lines around the blocks that may evolve are protected. */
export const OUTSIDE = 'outside of the EVOLVE-BLOCK markers';

/** A comment that stands alone on its line, in the comment syntax of whatever language. */
const COMMENT = /^\s*(?:#+|\/\/+|--+|;+|%+|\/\*+|\*|<!--+|\(\*|"|')\s*/.source;
const PROTECT = new RegExp(`${COMMENT}ratchet:\\s*(protect|end)\\b`);
const EVOLVE = new RegExp(`${COMMENT}EVOLVE-BLOCK-(START|END)\\b`);

/** The two pairs of markers, by the words that open and close them. */
const PAIRS = [
  { marker: PROTECT, opens: 'protect', start: 'ratchet: protect', end: 'ratchet: end' },
  { marker: EVOLVE, opens: 'START', start: 'EVOLVE-BLOCK-START', end: 'EVOLVE-BLOCK-END' },
] as const;

/**
 * The lines that comments protect, counted from 1, with the reason: from `ratchet: protect` to `ratchet: end`, and where a
 * file has EVOLVE-BLOCK markers all but what is inside of them. Markers are protected. A marker without its partner
 * reaches to the end of the file.
 */
export function markedLines(text: string): ReadonlyMap<number, string> {
  const lines = lineTexts(text);
  const why = new Map<number, string>();
  const hasBlocks = lines.some((line) => EVOLVE.test(line));
  let evolves = false;
  let isProtected = false;
  for (const [i, line] of lines.entries()) {
    const block = EVOLVE.exec(line)?.[1];
    if (block !== undefined) evolves = block === 'START';
    if (hasBlocks && (block !== undefined || !evolves)) why.set(i + 1, OUTSIDE);
    const marker = PROTECT.exec(line)?.[1];
    if (marker === 'protect') isProtected = true;
    if (isProtected || marker !== undefined) why.set(i + 1, MARKED);
    if (marker === 'end') isProtected = false;
  }
  return why;
}

/** What is wrong with the markers of a file, in one sentence that says what to do; undefined when each has its partner. */
export function markerProblem(text: string): string | undefined {
  const lines = lineTexts(text);
  for (const { marker, opens, start, end } of PAIRS) {
    let openedAt: number | undefined;
    for (const [i, line] of lines.entries()) {
      const word = marker.exec(line)?.[1];
      if (word === undefined) continue;
      if (word !== opens && openedAt === undefined) return `Line ${i + 1} says \`${end}\`, but no \`${start}\` is open there. Add the missing one, or take this line out.`;
      if (word === opens && openedAt !== undefined) return `Line ${i + 1} says \`${start}\` inside of the part that line ${openedAt} opened. Write \`${end}\` before it; parts can't be nested.`;
      openedAt = word === opens ? i + 1 : undefined;
    }
    if (openedAt !== undefined) return `Line ${openedAt} says \`${start}\`, but no \`${end}\` follows. Write it where the part ends.`;
  }
  return undefined;
}
