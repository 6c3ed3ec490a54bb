import { evidenceOf } from '../../loop/audit/evidence.ts';
import { findingsOf, type Finding } from '../../loop/audit/findings.ts';
import { auditOf } from '../../loop/audit/mutants.ts';
import { referenceOf } from '../../loop/audit/reference.ts';
import type { ProtectedRange } from '../../loop/protect.ts';
import type { SyntaxTree } from '../../loop/syntax.ts';
import type { RunPlan } from '../../records.ts';
import type { Store } from '../store.ts';
import { checkKey } from './key.ts';
import { CheckRecords } from './records.ts';

/** The text that a check was made of, in the form of a run that begins from it. */
export interface Checked {
  readonly store: Store;
  readonly plan: RunPlan;
  readonly text: string;
  readonly tree: SyntaxTree | undefined;
  readonly protectedRanges: readonly ProtectedRange[];
}

/** What the last check of this text and scorer found of its parts (for loop/audit/blind.ts); undefined where there was none. Runs nothing. */
export async function knownFindings({ store, plan, text, tree, protectedRanges }: Checked): Promise<readonly Finding[] | undefined> {
  const { samples } = await new CheckRecords(store).read(await checkKey(store.root, plan, text));
  const evidence = evidenceOf(samples);
  const reference = referenceOf(evidence.baselines, plan.metric);
  return reference === undefined || evidence.mutants.size === 0 ? undefined : findingsOf(auditOf(text, tree, protectedRanges), evidence.mutants, reference);
}
