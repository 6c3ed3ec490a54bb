import { firstRun } from './first-run.ts';
import { attemptOf, scoreOf, type AttemptState, type RunState } from './ledger.ts';
import { improvement } from './metric.ts';
import { stopRules } from './stop-rules.ts';

/**
 * `confirm: night`: all attempts start from the same champion and run once; what looks better is settled together in the
 * last quarter of the run, in the order of the gain, each on top of what was kept before it. The dear confirming runs go
 * to the best of a night instead of to each as it comes.
 */

/** Whether three quarters of the run's time are over, or all of its attempts tried. `nowMs`: milliseconds since 1970. */
export function lastQuarterBegan(state: RunState, nowMs: number): boolean {
  const start = attemptOf(state, 0);
  const baseline = firstRun(state);
  if (start === undefined || baseline === undefined) return false;
  const rules = stopRules(state.plan.stop, state.plan.morningMs, baseline.durationMs);
  const startMs = Date.parse(start.startedAt);
  const tried = state.attempts.filter(({ number, verdict, waits }) => number > 0 && (verdict !== undefined || waits === true)).length;
  const shares = [
    // A number of attempts is tried whole: settling them takes time, not attempts.
    rules.attempts === undefined || tried < rules.attempts ? 0 : 1,
    rules.hours === undefined ? 0 : (nowMs - startMs - state.pausedMs) / (rules.hours * 3_600_000),
    rules.untilMs === undefined || rules.untilMs <= startMs ? 0 : (nowMs - startMs) / (rules.untilMs - startMs),
  ];
  return Math.max(...shares) >= SETTLING;
}

/** Whether an attempt waits for the end of the night, not for a person. */
export function waitsForNight({ waits, evidence }: AttemptState): boolean {
  return waits === true && evidence?.how === 'night';
}

/** The attempts that wait for the end of the night, the largest gain first. */
export function toSettle({ attempts, plan }: RunState): readonly number[] {
  const gain = (attempt: AttemptState): number => improvement(plan.metric, attempt.evidence?.parentScore ?? 0, scoreOf(attempt) ?? 0);
  return attempts.filter(waitsForNight).sort((a, b) => gain(b) - gain(a)).map(({ number }) => number);
}

/** The share of a run after which it settles. */
const SETTLING = 0.75;
