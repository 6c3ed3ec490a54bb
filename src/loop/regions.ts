import { partsOf, type Part } from './regions/parts.ts';
import { blocksOf } from './regions/blocks.ts';
import type { Region } from './regions/region.ts';
import type { SyntaxTree } from './syntax.ts';

export type { Region, RegionKind } from './regions/region.ts';

export interface Regions {
  readonly regions: readonly Region[];
  /** Why these are not the real parts, in one sentence; absent where a parser found them. */
  readonly guessed?: string;
}

/** The named parts of a target, in the order of the text: by its tree, and without one (or one with errors) by blocks of lines. */
export function regionsOf(text: string, tree: SyntaxTree | undefined): Regions {
  const guessed = whyGuessed(tree);
  if (guessed !== undefined || tree === undefined) return { regions: blocksOf(text), ...(guessed === undefined ? {} : { guessed }) };
  return { regions: partsOf(tree).map(({ region }) => region) };
}

/** The parts with their nodes; undefined where the parts are guessed. */
export function parsedParts(tree: SyntaxTree | undefined): readonly Part[] | undefined {
  return tree === undefined || tree.hasError ? undefined : partsOf(tree);
}

function whyGuessed(tree: SyntaxTree | undefined): string | undefined {
  if (tree === undefined) return 'There is no parser for this kind of file, so its parts are guessed: blocks of lines.';
  return tree.hasError ? 'The file has a syntax error, or code that the parser doesn\'t know, so its parts are guessed: blocks of lines.' : undefined;
}
