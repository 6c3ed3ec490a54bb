import { closestPlace } from './closest.ts';
import { parseDiff, type Hunk } from './diff.ts';
import { isSameFile } from './names.ts';
import { addedOmission, omissionRefusal } from './omission.ts';
import { lineNumbers, type Refusal } from './refusal.ts';
import { overlapping, type Splice } from './splice.ts';
import { asInTarget, fitLengths, placesOf, type TargetText } from './target-text.ts';

/** What a unified diff does to the target. */
export function planDiff(target: TargetText, lines: readonly string[], file: { readonly path: string }): readonly Splice[] | Refusal {
  const diff = parseDiff(lines, file);
  if ('code' in diff) return diff;
  const { hunks, files } = diff;
  if (hunks.length === 0) return { code: 'malformed', reason: 'The diff has no hunk: write at least one, with an "@@" line, context, and the changed lines.' };

  const foreign = files.find((names) => names.length > 0 && !names.some((name) => isSameFile(name, file.path)));
  const several = new Set(files.map((names) => names.at(-1) ?? '')).size > 1;
  if (foreign !== undefined && several) return otherFile(foreign, file);

  const splices: Splice[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const planned = planHunk(target, hunk, hunks.length === 1 ? 'the hunk' : `hunk ${index + 1}`);
    // A name is a hint like the numbers: what counts against a diff of another file is that it doesn't fit this one.
    if ('code' in planned) return foreign === undefined ? planned : otherFile(foreign, file);
    splices.push(...planned);
  }
  const clash = overlapping(splices);
  if (clash === undefined) return splices;
  return {
    code: 'overlap',
    reason: `Two hunks change the same lines near line ${(splices[clash[1]]?.start ?? 0) + 1}, so one is not found once the other is applied. Put them into one hunk.`,
  };
}

function otherFile(names: readonly string[], file: { readonly path: string }): Refusal {
  return { code: 'other-file', reason: `The diff names ${names.at(-1)}, which is not the target. Only the target, ${file.path}, may change.` };
}

function planHunk(target: TargetText, hunk: Hunk, name: string): readonly Splice[] | Refusal {
  const textsOf = (kind: 'added' | 'removed') => hunk.lines.filter((line) => line.kind !== kind).map((line) => line.text);
  const omission = addedOmission(textsOf('added'), textsOf('removed'));
  if (omission !== undefined) return omissionRefusal(omission);

  const old = textsOf('added');
  const sure = old.slice(0, old.length - hunk.gap);
  if (target.lines.length === 0 && sure.every((text) => text === '')) {
    const texts = hunk.lines.filter((line) => line.kind === 'added').map((line) => line.text);
    return [{ start: 0, end: 0, texts, near: 0 }];
  }
  if (sure.length === 0) {
    return { code: 'ambiguous', reason: `The place of ${name} is ambiguous: it has no line of the target. Put unchanged lines around what it adds.` };
  }

  const run = asInTarget(target, old);
  const length = run.length - hunk.gap + gapThatFits(target, run, hunk.gap);
  const context = run.slice(0, length);
  const places = placesOf(target, context);
  const hinted = places.find((place) => place + 1 === hunk.oldStart);
  const place = places.length === 1 ? places[0] : hinted;
  if (place !== undefined) return splicesOf(hunk, place);
  if (places.length === 0) return { code: 'not-found', reason: `The lines of ${name} are not found in the target. ${closestPlace(target, context)}` };
  return {
    code: 'ambiguous',
    reason: `The place of ${name} is ambiguous: it fits the target at ${lineNumbers(places)}. Put more unchanged lines around it.`,
  };
}

/** How many of the blank lines at a hunk's end are context: as many as the target has there. */
function gapThatFits(target: TargetText, run: readonly string[], gap: number): number {
  if (gap === 0) return 0;
  const sure = run.length - gap;
  const longest = fitLengths(target, run).reduce((most, length) => Math.max(most, length), 0);
  return Math.max(longest - sure, 0);
}

/** The changes of a hunk that stands at `place`. Context is not touched, so hunks may share it. */
function splicesOf(hunk: Hunk, place: number): readonly Splice[] {
  const splices: Splice[] = [];
  let at = place;
  let start = place;
  let texts: string[] = [];
  const flush = () => {
    // The neighbour is the line before, within the hunk; at its front the one after.
    if (at > start || texts.length > 0) splices.push({ start, end: at, texts, near: start > place ? start - 1 : start });
    texts = [];
  };
  for (const line of hunk.lines) {
    if (line.kind === 'context') {
      flush();
      at += 1;
      start = at;
    } else if (line.kind === 'removed') at += 1;
    else texts.push(line.text);
  }
  flush();
  return splices;
}
