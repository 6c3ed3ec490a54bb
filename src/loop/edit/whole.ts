import { namedByFence, isSameFile } from './names.ts';
import { addedOmission, omissionRefusal } from './omission.ts';
import { quoted, type Refusal } from './refusal.ts';
import type { Fence } from './reply.ts';
import { spliceBetween, type Splice } from './splice.ts';
import { placesOf, type TargetText } from './target-text.ts';

/** Lines that another tool, or a slip of the pen, has for markers. In a target they would be rubbish. */
const NEARLY_MARKER = /^\s*(?:<{3,}|>{3,}|-{5,}|\+{5,}|={3,})\s*(?:SEARCH|REPLACE|ORIGINAL|UPDATED)\b|^\s*\*\*\* (?:Begin|End) Patch\s*$/;
/** A block that names another file is one of it if less of the target than this is left. */
const LIKENESS = 0.5;

/** The line of a reply that looks like a marker and isn't one. */
export function nearlyMarker(lines: readonly string[]): string | undefined {
  return lines.find((line) => line.length < 200 && NEARLY_MARKER.test(line));
}

/** What a code block does to the target that it is the whole new text of. */
export function planWhole(target: TargetText, fence: Fence, file: { readonly path: string }): readonly Splice[] | Refusal {
  const { lines } = fence;
  if (fence.nested) {
    return {
      code: 'unterminated',
      reason: 'The code block is unterminated: the fence of a code block within it closed it. Put a longer fence around it, or write search/replace blocks.',
    };
  }
  const marker = nearlyMarker(lines);
  if (marker !== undefined && !target.places.has(marker)) return malformedMarker(marker);

  const named = namedByFence(fence.opening.info, fence.lead);
  if (named !== undefined && !isSameFile(named, file.path) && likeness(target, lines) < LIKENESS) {
    return { code: 'other-file', reason: `The code block is the text of ${named}, which is not the target. Only the target, ${file.path}, may change.` };
  }
  const omission = addedOmission(target.texts, lines);
  if (omission !== undefined) return omissionRefusal(omission);
  if (isQuotation(target, lines)) {
    return { code: 'no-edit', reason: 'The only code block quotes lines from within the target without a change. Write the edit as search/replace blocks.' };
  }
  return [spliceBetween(0, target.texts, lines) ?? []].flat();
}

export function malformedMarker(line: string): Refusal {
  return {
    code: 'malformed',
    reason: `The line ${quoted(line)} is not a marker: the markers are "<<<<<<< SEARCH", "=======" and ">>>>>>> REPLACE", each alone on its line and not indented.`,
  };
}

/** Lines that all stand in the target as they are, with others around them. */
function isQuotation(target: TargetText, lines: readonly string[]): boolean {
  return placesOf(target, lines).some((place) => place > 0 && place + lines.length < target.lines.length);
}

/** How many of the target's distinct lines are among `lines`: from 0 to 1. */
function likeness(target: TargetText, lines: readonly string[]): number {
  const texts = new Set(lines.map((line) => line.trim()));
  const own = [...new Set(target.texts.map((line) => line.trim()))].filter((line) => line !== '');
  return own.length === 0 ? 0 : own.filter((line) => texts.has(line)).length / own.length;
}
