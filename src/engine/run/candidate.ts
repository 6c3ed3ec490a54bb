import { structuredPatch } from 'diff';
import type { RunPlan } from '../../records.ts';
import { applyReply } from '../../loop/edit.ts';
import { touchesProtected, type ProtectedRange } from '../../loop/protect.ts';
import { codeFingerprint, countTokens } from '../../loop/tokens.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { Parsers } from '../parsers.ts';
import { unfitness } from '../start/target.ts';

/** What a reply makes of the parent's text. */
export type Candidate =
  | { readonly ok: true; readonly text: string; readonly hypothesis: string; readonly addedLines: number; readonly removedLines: number; readonly tokens?: number }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly hypothesis: string };

/** Applies a reply under all rules of a run: the edit contract, protected lines, and that code must change. */
export function candidateOf(
  parentText: string, reply: string, plan: Pick<RunPlan, 'target' | 'protect' | 'trainPy'>, parsers: Parsers, projectModules: ReadonlySet<string>,
): Candidate {
  const edit = applyReply(parentText, reply, { path: plan.target });
  if (!edit.ok) return edit;
  const { text, hypothesis } = edit;

  const unfit = unfitness(text);
  if (unfit !== undefined) return { ok: false, code: unfit, reason: UNFIT[unfit], hypothesis };

  const ranges = (of: string): readonly ProtectedRange[] => protectionOf(of, plan, parsers, projectModules);
  const touched = touchesProtected(parentText, text, ranges(parentText), ranges(text));
  if (touched !== undefined)
    return { ok: false, code: 'protected', reason: `Line ${touched.line} is protected (${touched.why}) and may not change.`, hypothesis };

  const before = treeOf(parentText, plan.target, parsers);
  const after = treeOf(text, plan.target, parsers);
  if (before !== undefined && after !== undefined && codeFingerprint(before) === codeFingerprint(after))
    return { ok: false, code: 'no-change', reason: 'The edit changes comments or layout alone, so there is no change to measure.', hypothesis };
  return { ok: true, text, hypothesis, ...lineCounts(parentText, text), ...(after === undefined ? {} : { tokens: countTokens(after) }) };
}

const UNFIT = {
  binary: 'The new text holds NUL characters, which no text file has.',
  empty: 'Nothing would be left of the file.',
  'too-large': 'The file would grow beyond 1 MB.',
} as const;

function lineCounts(before: string, after: string): { readonly addedLines: number; readonly removedLines: number } {
  const lines = structuredPatch('', '', before, after, '', '', { context: 0 }).hunks.flatMap((hunk) => hunk.lines);
  return {
    addedLines: lines.filter((line) => line.startsWith('+')).length,
    removedLines: lines.filter((line) => line.startsWith('-')).length,
  };
}
