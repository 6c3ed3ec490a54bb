import type { RunPlan } from '../../records.ts';
import { DEFAULT_REPEATS } from './design.ts';

/** Where nothing else is said. */
export const DEFAULT_CONFIDENCE = 0.95;

/** How sure a run wants to be. A ledger from before the verifier kept whatever scored better in its one run. */
export function verifierOf(plan: Pick<RunPlan, 'verifier'>): NonNullable<RunPlan['verifier']> {
  return plan.verifier ?? { confirm: 'off', confidence: DEFAULT_CONFIDENCE, maxRepeats: DEFAULT_REPEATS };
}

/** Runs of the unchanged start that tell the noise, by how long one takes, in milliseconds. */
export function baselineRunsFor(durationMs: number): number {
  if (durationMs < 5_000) return 10;
  if (durationMs < 30_000) return 7;
  return durationMs < 300_000 ? 4 : 3;
}
