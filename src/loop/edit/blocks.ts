import { closestPlace } from './closest.ts';
import { openedFence } from './fences.ts';
import { addedOmission, omissionRefusal } from './omission.ts';
import { lineNumbers, type Refusal } from './refusal.ts';
import { DIVIDER, type Block } from './reply.ts';
import { overlapping, spliceBetween, type Splice } from './splice.ts';
import { asInTarget, fitLengths, placesOf, type TargetText } from './target-text.ts';

/** A block whose divider is decided. */
interface Parts {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/** What all blocks together do to the target. Each is looked up in the target as it is, so their order means nothing. */
export function planBlocks(target: TargetText, blocks: readonly Block[]): readonly Splice[] | Refusal {
  const splices: Splice[] = [];
  const names: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const name = blocks.length === 1 ? 'the block' : `block ${index + 1}`;
    const splice = planBlock(target, block, name);
    if (splice === undefined) continue;
    if ('code' in splice) return splice;
    splices.push(splice);
    names.push(name);
  }
  const clash = overlapping(splices);
  if (clash === undefined) return splices;
  const [first, second] = clash;
  return {
    code: 'overlap',
    reason: `${capital(names[first])} and ${names[second]} change the same lines near line ${(splices[second]?.start ?? 0) + 1}, so the SEARCH text of one is not found once the other is applied. Put them into one block.`,
  };
}

function planBlock(target: TargetText, block: Block, name: string): Splice | Refusal | undefined {
  const parts = partsOf(target, block, name);
  if ('code' in parts) return parts;
  const { search, replace } = parts;
  if (leavesFence(block, parts)) {
    return {
      code: 'unterminated',
      reason: `${capital(name)} is unterminated: the fence around it closes before its last marker. Put a longer fence around it, or none.`,
    };
  }

  const omission = addedOmission(search, replace);
  if (omission !== undefined) return omissionRefusal(omission);
  if (target.lines.length === 0 && search.every((line) => line.trim() === '')) return spliceBetween(0, [], replace);
  if (search.length === 0) {
    return {
      code: 'empty-search',
      reason: `The SEARCH part of ${name} is empty, which is allowed only for an empty target. Copy the lines to replace into it.`,
    };
  }

  const run = asInTarget(target, search);
  const places = placesOf(target, run);
  const [place] = places;
  if (place === undefined) return { code: 'not-found', reason: `The SEARCH text of ${name} is not found in the target. ${closestPlace(target, run)}` };
  if (places.length > 1) {
    return {
      code: 'ambiguous',
      reason: `The SEARCH text of ${name} is ambiguous: it fits the target at ${lineNumbers(places)}. Add lines around it until it fits one place.`,
    };
  }
  return spliceBetween(place, run, replace);
}

/**
 * Splits a block at its divider. A target may itself have lines like the divider (headings, conflicts): then the longest SEARCH
 * that the target holds is meant, for a shorter one would need a REPLACE that repeats what follows it by chance.
 */
function partsOf(target: TargetText, block: Block, name: string): Parts | Refusal {
  const run = asInTarget(target, block.body);
  const dividers = [...block.body.entries()].filter(([, line]) => line === DIVIDER).map(([index]) => index);
  const [first, second] = dividers;
  if (first === undefined)
    return { code: 'unterminated', reason: `The SEARCH part of ${name} is unterminated: there is no line "${DIVIDER}" between it and its replacement.` };

  let divider = first;
  if (second !== undefined) {
    const lengths = fitLengths(target, run);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    divider = dividers.findLast((index) => index > 0 && index <= longest) ?? first;
    // "A = = B" can mean to remove the line below A as well as to put one above B.
    const either = dividers.length === 2 && first > 0 && second === first + 1 && divider === second;
    if (either && lengths.filter((length) => length >= first).length === 1) {
      return {
        code: 'ambiguous',
        reason: `Which line "${DIVIDER}" divides ${name} is ambiguous: both fit the target. Take in more lines, or write a unified diff.`,
      };
    }
  }
  return { search: block.body.slice(0, divider), replace: block.body.slice(divider + 1) };
}

/** Whether a fence's closing line was taken for replacement text: one that no other fence line in the text goes with. */
function leavesFence(block: Block, { search, replace }: Parts): boolean {
  const opening = block.fence?.opening;
  if (opening === undefined) return false;
  const fencesIn = (lines: readonly string[]) => lines.flatMap((text) => {
    const fence = openedFence({ text, column: 0 });
    return fence !== undefined && fence.char === opening.char && fence.length >= opening.length ? [fence] : [];
  });
  const added = fencesIn(replace);
  return added.length % 2 === 1 && fencesIn(search).length % 2 === 0 && added.some((fence) => fence.info === '');
}

function capital(text = ''): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
