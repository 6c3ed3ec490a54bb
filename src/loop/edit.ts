import { planBlocks } from './edit/blocks.ts';
import { planDiff } from './edit/hunks.ts';
import { splitLines, withoutMark } from './edit/lines.ts';
import { isSameFile, namedByFence } from './edit/names.ts';
import type { Refusal, RefusalCode } from './edit/refusal.ts';
import { holdsDiff, readReply, type Part, type Reply } from './edit/reply.ts';
import { spliced, type Splice } from './edit/splice.ts';
import { readTarget, type TargetText } from './edit/target-text.ts';
import { malformedMarker, nearlyMarker, planWhole } from './edit/whole.ts';

export type { RefusalCode } from './edit/refusal.ts';

export type EditForm = 'search-replace' | 'unified-diff' | 'whole-file';

/** The target's new text, or why it stays. The hypothesis is the text around the edit. */
export type EditResult =
  | { readonly ok: true; readonly text: string; readonly hypothesis: string; readonly form: EditForm }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: string; readonly hypothesis: string };

/** The edit that a reply holds: its form, the parts of the reply that it consists of, and what it does to the target. */
interface Plan {
  readonly form: EditForm;
  readonly parts: readonly Part[];
  readonly splices: readonly Splice[] | Refusal;
}

/**
 * Applies a model's reply to the target: search/replace blocks, else one unified diff, else one whole-file block. All or nothing.
 * `original` is decoded UTF-8 that keeps a byte-order mark as U+FEFF; line ends, mark and final line end stay as they are.
 * `path` is relative to the root. Throws for no input.
 */
export function applyReply(original: string, reply: string, target: { readonly path: string }): EditResult {
  const typed = splitLines(withoutMark(reply));
  const read = readReply(typed.map((line) => line.text));
  const text = readTarget(original);
  const plan = planOf(text, read, target);
  if ('code' in plan) return refused(plan, read, blockParts(read));
  if ('code' in plan.splices) return refused(plan.splices, read, plan.parts);

  const typedEnd = typed.find((line) => line.end !== '')?.end ?? '\n';
  const edited = spliced(text, plan.splices, typedEnd);
  if (edited === original) return refused({ code: 'no-change', reason: 'The edit makes no change: the target would stay exactly as it is.' }, read, plan.parts);
  return { ok: true, text: edited, hypothesis: hypothesisOf(read, plan.parts), form: plan.form };
}

function refused(refusal: Refusal, reply: Reply, parts: readonly Part[]): EditResult {
  return { ok: false, ...refusal, hypothesis: hypothesisOf(reply, parts) };
}

/** Finds the edit in a reply. */
function planOf(target: TargetText, reply: Reply, file: { readonly path: string }): Plan | Refusal {
  const { blocks, problem } = reply;
  if (problem !== undefined) return problem;
  if (blocks.length > 0) {
    return { form: 'search-replace', parts: blockParts(reply), splices: planBlocks(target, blocks) };
  }
  // An open fence at the end means that the reply was cut off, or that fences within fences were read otherwise than they were meant.
  if (reply.fences.some((fence) => !fence.closed)) {
    return {
      code: 'unterminated',
      reason: 'A code block of the reply is unterminated: its closing fence is missing, or a fence within it closed it. Write search/replace blocks to their end.',
    };
  }
  return diffPlan(target, reply, file) ?? wholePlan(target, reply, file);
}

function diffPlan(target: TargetText, reply: Reply, file: { readonly path: string }): Plan | Refusal | undefined {
  const { fences } = reply;
  // A block labelled as a diff that has no header is one if it is all there is.
  const fenced = fences.filter((fence) => holdsDiff(fence) && (fences.length === 1 || hasHeader(fence.lines)));
  const [diff, second] = [...reply.diffs, ...fenced];
  if (diff === undefined) return undefined;
  if (second !== undefined) return { code: 'several-edits', reason: 'The reply has several diffs, so which one is meant is ambiguous. Put all hunks into one diff.' };
  return { form: 'unified-diff', parts: [diff], splices: planDiff(target, diff.lines, file) };
}

function wholePlan(target: TargetText, reply: Reply, file: { readonly path: string }): Plan | Refusal {
  const { fences } = reply;
  const named = fences.filter((fence) => isSameFile(namedByFence(fence.opening.info, fence.lead) ?? '', file.path));
  const [fence] = named.length === 1 ? named : fences;
  if (fence === undefined || fence.lines.every((line) => line.trim() === '')) {
    const marker = nearlyMarker(reply.outline.map((line) => line.text));
    if (marker !== undefined) return malformedMarker(marker);
    return { code: 'no-edit', reason: 'The reply has no edit of the target. Write one as search/replace blocks, with each marker alone on its line.' };
  }
  if (fences.length > 1 && named.length !== 1) {
    return {
      code: 'several-edits',
      reason: `The reply has ${fences.length} code blocks and no other edit, so which one is the new target is ambiguous. Write search/replace blocks, or one code block alone.`,
    };
  }
  return { form: 'whole-file', parts: [fence], splices: planWhole(target, fence, file) };
}

function hasHeader(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith('@@') || line.startsWith('--- '));
}

/** All blocks, finished or not, and the fences around them. */
function blockParts(reply: Reply): readonly Part[] {
  return reply.outline.flatMap(({ part }) => (part?.kind !== 'block' ? [] : part.fence === undefined ? [part] : [part, part.fence]));
}

/** The text around the edit, without gaps. */
function hypothesisOf(reply: Reply, parts: readonly Part[]): string {
  const edit = new Set<Part>(parts);
  return reply.outline
    .filter((line) => line.part === undefined || !edit.has(line.part))
    .map((line) => line.text.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
