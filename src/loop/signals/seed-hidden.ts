import { seedLiterals, seedPlaces } from '../seed-literal.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed, type EditSides, type Signal } from './sides.ts';

/**
 * A seed that was written as a literal is one no more: repeats can't give it other numbers, and its lucky draw would repeat
 * to the last digit. Doesn't see a seed that is taken out, which makes the runs differ by themselves.
 */
export function seedHidden({ before, after, beforeTree, afterTree }: EditSides, code: AddedCode): readonly Signal[] {
  if (beforeTree === undefined || afterTree === undefined) return [];
  const literals = seedLiterals(before, beforeTree).length;
  const still = seedLiterals(after, afterTree).length;
  const places = seedPlaces(afterTree).length;
  if (literals === 0 || still >= literals || places <= still) return [];
  const lines = code.added.map(({ line }) => line);
  return [{ code: 'seed-hidden', reason: `${lines.length === 0 ? 'The edit' : linesNamed(lines)} ${lines.length > 1 ? 'put' : 'puts'} a seed where repeats can't give it other numbers.` }];
}
