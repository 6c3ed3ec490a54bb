import type { EndReason, RunPlan } from '../records.ts';
import { attemptOf, scoreOf, type RunState } from './ledger.ts';
import { firstRun } from './first-run.ts';
import { improvement } from './metric.ts';
import { stopRules } from './stop-rules.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface Stop {
  readonly reason: EndReason;
  readonly sentence: string;
}

/** The score at which nothing is left to gain, where there is one: 100 of `score`. */
export function topOf({ stop, metric }: Pick<RunPlan, 'stop' | 'metric'>): number | undefined {
  return stop.targetScore ?? (metric.name === 'score' ? 100 : undefined);
}

/** Why the run must end before its next attempt, or undefined while it may go on. `nowMs`: milliseconds since 1970. */
export function stopNow(state: RunState, nowMs: number): Stop | undefined {
  const start = attemptOf(state, 0);
  const baseline = firstRun(state);
  if (start === undefined || baseline === undefined) return undefined;
  const rules = stopRules(state.plan.stop, state.plan.morningMs, baseline.durationMs);
  // One that was measured in an epoch before reached nothing in this one.
  const best = state.epoch?.isBestKnown === false ? undefined : scoreOf(attemptOf(state, state.champion));
  const top = topOf(state.plan);
  const done = state.attempts.filter((attempt) => attempt.number > 0 && (attempt.verdict ?? attempt.waits) !== undefined && attempt.verdict !== 'cancelled').length;
  // Time that a person paused is no time of the run; `until` is a time of the clock and isn't moved by it.
  const pausedMs = state.pausedMs + (state.pausedAt === undefined ? 0 : Math.max(0, nowMs - Date.parse(state.pausedAt)));
  // From the first run of the scorer: a run may have waited for another before.
  const hours = (nowMs - Date.parse(start.startedAt) - pausedMs) / HOUR_MS;
  const quietHours = (nowMs - Date.parse(state.lastKeepAt) - (pausedMs - state.pausedMsAtKeep)) / HOUR_MS;

  if (top !== undefined && best !== undefined && improvement(state.plan.metric, top, best) >= 0)
    return { reason: 'target-score', sentence: `Ended: the best so far reached ${top}, and that is the target.` };
  if (rules.attempts !== undefined && done >= rules.attempts)
    return { reason: 'attempts', sentence: `Ended: ${rules.attempts === 1 ? 'the one attempt is' : `all ${rules.attempts} attempts are`} done.` };
  if (rules.untilMs !== undefined && nowMs >= rules.untilMs)
    return { reason: 'until', sentence: 'Ended: the time at which the run was to stop has come.' };
  if (rules.hours !== undefined && hours >= rules.hours)
    return { reason: 'hours', sentence: `Ended: the ${duration(rules.hours * HOUR_MS)} of the run are over.` };
  if (rules.patience !== undefined && state.sinceKeep >= rules.patience)
    return { reason: 'patience', sentence: `Ended: ${rules.patience} attempts in a row brought no improvement.` };
  if (rules.patienceHours !== undefined && quietHours >= rules.patienceHours)
    return { reason: 'patience', sentence: `Ended: ${duration(rules.patienceHours * HOUR_MS)} went by without an improvement.` };
  if (rules.tokens !== undefined && state.tokensUsed >= rules.tokens)
    return { reason: 'tokens', sentence: `Ended: ${state.tokensUsed} tokens are used, of ${rules.tokens} allowed.` };
  return undefined;
}

/** The rules as a person reads them: "after 60 attempts or 30 min". `clock` writes a moment in the person's time zone. */
export function describeStop(plan: Pick<RunPlan, 'stop' | 'metric'>, clock: (ms: number) => string): string {
  const rules = plan.stop;
  const top = topOf(plan);
  const parts = [
    rules.attempts === undefined ? '' : `after ${counted(rules.attempts, 'attempt')}`,
    rules.hours === undefined ? '' : `after ${duration(rules.hours * HOUR_MS)}`,
    rules.untilMs === undefined ? '' : `at ${clock(rules.untilMs)}`,
    rules.patience === undefined ? '' : `after ${counted(rules.patience, 'attempt')} without an improvement`,
    rules.patienceHours === undefined ? '' : `after ${duration(rules.patienceHours * HOUR_MS)} without an improvement`,
    rules.tokens === undefined ? '' : `after ${rules.tokens} tokens`,
    top === undefined ? '' : `at a score of ${top}`,
  ].filter((part) => part !== '');
  return parts.join(', or ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** "45 s", "30 min", "3 h": one unit, rounded. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${Number((ms / 1000).toFixed(1))} s`;
  return ms < 2 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${Number((ms / HOUR_MS).toFixed(1))} h`;
}
