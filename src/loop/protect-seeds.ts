import type { ProtectedRange, Touched } from './protect.ts';
import { seedLiterals, seedValue } from './seed-literal.ts';
import { lineFinder, type SyntaxTree } from './syntax.ts';

/** Why a seed is protected. */
const WHY = 'a seed';

/**
 * The seeds of a target, each as the part of its line that is protected: the line around it is code like any other, such as a
 * signature with a default for its parameter `seed`.
 */
export function seedRanges(text: string, tree: SyntaxTree | undefined, named: string | undefined): readonly ProtectedRange[] {
  const lineAt = lineFinder(text);
  return seedLiterals(text, tree, named).map((seed) => ({ from: lineAt(seed.from), to: lineAt(seed.from), why: WHY, seed }));
}

interface Side {
  readonly text: string;
  readonly ranges: readonly ProtectedRange[];
}

/**
 * The first seed of the original that has another value in the candidate. One may be renamed or moved, go with the code that
 * used it, or come with new code: repeats vary it, or its absence shows as noise. But where one value is gone and another
 * has come, a seed was changed.
 */
export function changedSeed(before: Side, after: Side): Touched | undefined {
  const had = seedsOf(before);
  const has = seedsOf(after);
  const gone = less(had, has);
  const [first] = less(has, had).length > 0 ? gone : [];
  return first === undefined ? undefined : { line: first.line, why: WHY, seed: { name: first.name, written: first.written } };
}

interface WrittenSeed { readonly line: number; readonly name: string; readonly written: string; readonly value: string }

function seedsOf({ text, ranges }: Side): readonly WrittenSeed[] {
  return ranges.flatMap(({ from: line, seed }) => {
    if (seed === undefined) return [];
    const written = text.slice(seed.from, seed.to);
    return [{ line, name: seed.name, written, value: seedValue(written) }];
  });
}

/** Those of the first list that the second doesn't have as often. */
function less(seeds: readonly WrittenSeed[], others: readonly WrittenSeed[]): readonly WrittenSeed[] {
  const left = others.map(({ value }) => value);
  return seeds.filter(({ value }) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
