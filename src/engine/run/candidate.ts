import type { RunPlan, Signal } from '../../records.ts';
import { seedLiterals, withSeed } from '../../loop/seed-literal.ts';
import { editSignals } from '../../loop/signals.ts';
import { applyReply } from '../../loop/edit.ts';
import { touchesProtected, type ProtectedRange, type Touched } from '../../loop/protect.ts';
import type { SyntaxTree } from '../../loop/syntax.ts';
import { codeFingerprint, countTokens } from '../../loop/tokens.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { Parsers } from '../parsers.ts';
import { unfitness } from '../start/target.ts';
import { lineCounts } from './line-counts.ts';
import { allWatchedFiles, type Surroundings } from './watched.ts';

/** What a reply makes of the parent's text. */
export type Candidate =
  | { readonly ok: true; readonly text: string; readonly hypothesis: string; readonly addedLines: number; readonly removedLines: number; readonly tokens?: number; readonly signals: readonly Signal[] }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly hypothesis: string };

type CandidatePlan = Pick<RunPlan, 'target' | 'protect' | 'trainPy' | 'scorer' | 'cwd' | 'metric' | 'verifier' | 'gates' | 'stages' | 'holdout'>;

/** Applies a reply under all rules of a run: the edit contract, protected lines, and that code must change. */
export function candidateOf(
  parentText: string, reply: string, plan: CandidatePlan, parsers: Parsers, around: Surroundings,
): Candidate {
  const edit = applyReply(parentText, reply, { path: plan.target });
  if (!edit.ok) return edit;
  const { text, hypothesis } = edit;

  const unfit = unfitness(text);
  if (unfit !== undefined) return { ok: false, code: unfit, reason: UNFIT[unfit], hypothesis };

  const before = treeOf(parentText, plan.target, parsers);
  const after = treeOf(text, plan.target, parsers);
  const ranges = (of: string): readonly ProtectedRange[] => protectionOf(of, plan, parsers, around.projectModules);
  const touched = touchesProtected(parentText, text, ranges(parentText), ranges(text));
  // Another seed and nothing else is measured and shown for what it is: over other seeds it is no change at all.
  if (touched !== undefined && seedless(parentText, before, plan) !== seedless(text, after, plan))
    return { ok: false, code: 'protected', reason: protectedSentence(touched), hypothesis };

  if (before !== undefined && after !== undefined && codeFingerprint(before) === codeFingerprint(after))
    return { ok: false, code: 'no-change', reason: 'The edit changes comments or layout alone, so there is no change to measure.', hypothesis };
  const signals = editSignals({ path: plan.target, before: parentText, after: text, beforeTree: before, afterTree: after, selfScored: plan.scorer.kind === 'self', metric: plan.metric.name, watched: allWatchedFiles(plan, around), ...(plan.verifier?.seed === undefined ? {} : { seed: plan.verifier.seed }) });
  return { ok: true, text, hypothesis, signals, ...lineCounts(parentText, text), ...(after === undefined ? {} : { tokens: countTokens(after) }) };
}

function protectedSentence({ line, why, seed }: Touched): string {
  if (seed === undefined) return `Line ${line} is protected (${why}) and may not change.`;
  return `The ${seed.written} of ${seed.name} in line ${line} is a seed and must stay: another draw is no improvement. The rest of the line may change.`;
}

function seedless(text: string, tree: SyntaxTree | undefined, { verifier }: CandidatePlan): string {
  return withSeed(text, seedLiterals(text, tree, verifier?.seed), 0);
}

const UNFIT = {
  binary: 'The new text holds NUL characters, which no text file has.',
  empty: 'Nothing would be left of the file.',
  'too-large': 'The file would grow beyond 1 MB.',
} as const;
