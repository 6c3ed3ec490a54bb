import { seedLiterals } from './seed-literal.ts';
import type { SyntaxTree } from './syntax.ts';

/** What is wrong with the option `seed:`, in one sentence that says what to do; undefined where it names a number of the target. */
export function seedProblem(text: string, tree: SyntaxTree | undefined, named: string, { program, target }: { readonly program: string; readonly target: string }): string | undefined {
  if (seedLiterals(text, tree, named).length > 0) return undefined;
  const found = [...new Set(seedLiterals(text, tree).map(({ name }) => name))];
  const known = found.length === 0 ? '' : ` (${found.slice(0, MOST_NAMES).join(', ')} ${found.length === 1 ? 'is' : 'are'} found without it)`;
  return `${program} says \`seed: ${named}\`, but ${target} has no whole number named ${named}: write the name, or the text right before the number, as it stands there, or take the line out${known}.`;
}

const MOST_NAMES = 3;
