import type { RunPlan } from '../../../records.ts';
import type { Estimate } from '../estimate.ts';
import type { Evidence } from '../evidence.ts';
import type { Finding } from '../findings.ts';
import type { Audit } from '../mutants.ts';
import type { Reference } from '../reference.ts';

/** What the lines of a report are made from. */
export interface Facts {
  readonly plan: RunPlan;
  readonly audit: Audit;
  readonly evidence: Evidence;
  /** Undefined where the unchanged file gave no score. */
  readonly reference: Reference | undefined;
  readonly findings: readonly Finding[];
  /** Names of the seeds that the file sets itself; they were varied with RATCHET_SEED. */
  readonly seeds: readonly string[];
  readonly estimate: Estimate;
  /** What a person said of how often the task comes back; undefined where nobody was asked. */
  readonly repeated: 'said' | 'assumed' | 'once' | undefined;
  /** The person's strategy, without front matter; undefined where there is no program. */
  readonly strategy: string | undefined;
  /** Characters of what a model reads each time: target, program, context. */
  readonly readChars: number;
  /** How the candidate is put in the target's place; undefined where that was not reached. */
  readonly scratch: string | undefined;
  /** Why the unchanged file has no score, and what to do. */
  readonly baselineProblem?: string;
  /** Which file the scorer loads instead, where breaking this one changed nothing. */
  readonly loadedInstead?: string;
}
