import type { RunPlan } from '../records.ts';
import { lineTexts } from '../loop/edit/lines.ts';
import { protectedLines, type ProtectedRange } from '../loop/protect.ts';
import { languageOf, type SyntaxTree } from '../loop/syntax.ts';
import { countTokens } from '../loop/tokens.ts';
import type { Parsers } from './parsers.ts';

/** What is protected in the target: lines of a train.py, marked ones, those that hold a text of `protect`, and seeds. */
export function protectionOf(
  text: string, plan: Pick<RunPlan, 'target' | 'protect' | 'trainPy' | 'verifier'>, parsers: Parsers, projectModules: ReadonlySet<string>,
): readonly ProtectedRange[] {
  const tree = treeOf(text, plan.target, parsers);
  const found = protectedLines(text, tree, { trainPy: plan.trainPy, projectModules, seeds: { named: plan.verifier?.seed } });
  const named = lineTexts(text).flatMap((line, index) => {
    const holds = plan.protect.find((part) => line.includes(part));
    return holds === undefined ? [] : [{ from: index + 1, to: index + 1, why: `it holds \`${holds}\`, which program.md protects` }];
  });
  return [...found, ...named].sort((a, b) => a.from - b.from);
}

export function tokensOf(text: string, path: string, parsers: Parsers): number | undefined {
  const tree = treeOf(text, path, parsers);
  return tree === undefined ? undefined : countTokens(tree);
}

export function treeOf(text: string, path: string, parsers: Parsers): SyntaxTree | undefined {
  const language = languageOf(path);
  return language === undefined ? undefined : parsers.parse(language, text);
}
