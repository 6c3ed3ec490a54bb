import { seedLiterals, seedPlaces } from './seed-literal.ts';
import { isComment, textOf, type SyntaxTree } from './syntax.ts';

/**
 * Whether a target draws random numbers from a stream that it seeds itself, without a literal that could be varied. Such a
 * target repeats to the last digit and hides its spread over seeds all the same. Only where code says so: a train.py that
 * uses a library which draws and seeds nothing itself, a seed that isn't a literal, a generator written by hand.
 */
export function seedsItselfInside(text: string, tree: SyntaxTree | undefined, trainPy: boolean, named: string | undefined): boolean {
  if (seedLiterals(text, tree, named).length > 0) return false;
  const code = codeOf(text, tree);
  return (trainPy && DRAWING_LIBRARY.test(code)) || (tree !== undefined && seedPlaces(tree).length > 0) || OWN_GENERATOR.test(code);
}

const DRAWING_LIBRARY = /\b(?:random|numpy|torch|jax|tensorflow|mlx|tinygrad|sklearn)\b/;

/** Names of small generators, and multipliers of linear congruential ones (Numerical Recipes, glibc, Knuth, mulberry32). */
const OWN_GENERATOR = /\b(?:mulberry32|xorshift\w*|splitmix\w*|lcg|pcg32)\b|\b(?:1664525|1103515245|6364136223846793005|2862933555777941757|0x6d2b79f5|16807)\b/i;

function codeOf(text: string, tree: SyntaxTree | undefined): string {
  if (tree === undefined) return text;
  return tree.nodes.filter(isComment).reduce((code, comment) => code.replace(textOf(tree, comment), ''), text);
}
