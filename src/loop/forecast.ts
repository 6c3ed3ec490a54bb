import type { RunPlan } from '../records.ts';
import { stopRules } from './stop-rules.ts';
import { verifierOf } from './verifier/care.ts';

/** Runs of the scorer that an attempt takes on the average, by simulation (bench/verifier, no-ops): one, and what checking adds. */
const RUNS_CHECKED = 1.65;
/** Thinking of a model between two runs, where nothing is known of it. */
const THINKING_MS = 15_000;
/** A run that is bounded by time alone is planned for no more than this. */
const MOST = 500;

/**
 * How many attempts fit into a run's rules, at least 1. `runMs`: how long one run of the scorer takes; `fromMs`: when the
 * run began, in milliseconds since 1970; `runsEach`: runs that an attempt takes on the average.
 */
export function expectedAttempts(plan: Pick<RunPlan, 'stop' | 'morningMs' | 'proposer' | 'verifier'>, runMs: number, fromMs: number, runsEach = runsOfAttempt(plan)): number {
  const rules = stopRules(plan.stop, plan.morningMs, runMs);
  const thinkingMs = plan.proposer.kind === 'openai' ? THINKING_MS : 0;
  const hoursMs = rules.hours === undefined ? Infinity : rules.hours * 3_600_000;
  const untilMs = rules.untilMs === undefined ? Infinity : rules.untilMs - fromMs;
  const byTime = Math.min(hoursMs, untilMs) / (runMs * runsEach + thinkingMs);
  return Math.max(1, Math.min(rules.attempts ?? MOST, Math.floor(byTime), MOST));
}

function runsOfAttempt(plan: Pick<RunPlan, 'verifier'>): number {
  return verifierOf(plan).confirm === 'off' ? 1 : RUNS_CHECKED;
}
