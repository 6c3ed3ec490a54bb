import { join } from 'node:path';
import type { RunPlan } from '../../records.ts';
import { firstRun } from '../../loop/first-run.ts';
import type { RunState } from '../../loop/ledger.ts';
import { duration } from '../../loop/stop.ts';
import type { Measuring } from './context.ts';
import { leftOutSentence } from './left-out.ts';
import type { Measurement } from './measure.ts';

const BASELINE_TIMEOUT_MS = 10 * 60_000;
/** Timeouts below this end honest runs on a busy machine. */
const LEAST_TIMEOUT_MS = 10_000;
const SLOWER = 4;

/** Time limit of the first run of a command on the unchanged file, in milliseconds: what was given, else 10 min. */
export function baselineTimeoutMs(plan: Pick<RunPlan, 'timeoutMs'>): number {
  return plan.timeoutMs ?? BASELINE_TIMEOUT_MS;
}

/** Time limit of every other run: what was given, else four times the baseline's wall time (a train.py: twice), at least 10 s. */
export function candidateTimeoutMs(state: RunState): number {
  if (state.plan.timeoutMs !== undefined) return state.plan.timeoutMs;
  const baseline = firstRun(state)?.durationMs ?? 0;
  return timeoutAfter(baseline, state.plan.trainPy ? 2 : SLOWER);
}

/** Time limit of a command that has taken so long before, in milliseconds: on a busy machine it takes longer, and an honest run must not be ended. */
export function timeoutAfter(takenMs: number, slower = SLOWER): number {
  return Math.max(LEAST_TIMEOUT_MS, slower * takenMs);
}

/** Why a run can't start from this baseline, and what to do. */
export function baselineSentence(first: Measurement, { plan, workspace, slot }: Pick<Measuring, 'plan' | 'workspace' | 'slot'>): string {
  if (first.outcome === 'timed-out')
    return `The scorer didn't end on the unchanged file within ${duration(baselineTimeoutMs(plan))}. If it needs longer, say so with --timeout SECONDS.`;
  const hidden = leftOutSentence(`${first.output.stderr}\n${first.output.stdout}`, workspace, slot, join(workspace.root, plan.cwd));
  return `No run started, because the scorer gives no score on the unchanged file: ${first.reading.why}${hidden === undefined ? '' : ` ${hidden}`}`;
}
