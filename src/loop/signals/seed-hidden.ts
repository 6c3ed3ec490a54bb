import { seedLiterals, seedPlaces } from '../seed-literal.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed, type EditSides, type Signal } from './sides.ts';

/**
 * A seed that was written as a literal is one no more: repeats can't give it other numbers, and its lucky draw would repeat
 * to the last digit. Doesn't see a seed that is taken out, which makes the runs differ by themselves.
 */
export function seedHidden(sides: EditSides, code: AddedCode): readonly Signal[] {
  if (!hidesFound(sides) && !hidesNamed(sides)) return [];
  const lines = code.added.map(({ line }) => line);
  return [{ code: 'seed-hidden', reason: `${lines.length === 0 ? 'The edit' : linesNamed(lines)} ${lines.length > 1 ? 'put' : 'puts'} a seed where repeats can't give it other numbers.` }];
}

function hidesFound({ before, after, beforeTree, afterTree }: EditSides): boolean {
  if (beforeTree === undefined || afterTree === undefined) return false;
  const still = seedLiterals(after, afterTree).length;
  return still < seedLiterals(before, beforeTree).length && seedPlaces(afterTree).length > still;
}

/** The one that program.md names: its name is still there, but no number after it. */
function hidesNamed({ before, after, beforeTree, afterTree, seed }: EditSides): boolean {
  if (seed === undefined || seedLiterals(after, afterTree, seed).length >= seedLiterals(before, beforeTree, seed).length) return false;
  return mentions(after, seed) >= mentions(before, seed);
}

function mentions(text: string, words: string): number {
  return text.split(words).length - 1;
}
