import { firstRun } from './first-run.ts';
import { attemptOf, scoreOf, type AttemptState, type RunState } from './ledger.ts';
import { improvement } from './metric.ts';
import { stopRules } from './stop-rules.ts';
import type { Knowledge } from './verifier/knowledge.ts';
import { onScale } from './verifier/scale.ts';
import { deviation } from './verifier/spread.ts';
import { studentQuantile } from './verifier/student.ts';

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
  // When it would have begun without pauses, and by the clock as it goes now.
  const workedFromMs = Date.parse(start.startedAt) + state.pausedMs;
  const tried = state.attempts.filter(({ number, verdict, waits }) => number > 0 && ((verdict !== undefined && verdict !== 'cancelled') || waits === true)).length;
  const shares = [
    // A number of attempts is tried whole: settling them takes time, not attempts.
    rules.attempts === undefined || tried < rules.attempts ? 0 : 1,
    rules.hours === undefined ? 0 : (nowMs - workedFromMs) / (rules.hours * 3_600_000),
    rules.untilMs === undefined || rules.untilMs <= workedFromMs ? 0 : (nowMs - workedFromMs) / (rules.untilMs - workedFromMs),
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

/**
 * Why an attempt of the night that can't be put on top of the champion isn't kept. Where it looked better by no more than two
 * runs of one text differ, there is no real difference to put anywhere.
 */
export function unsettledReason({ evidence }: Pick<AttemptState, 'evidence'>, champion: number, isContained: boolean, known: Knowledge | undefined): { readonly reason: string; readonly code?: string } {
  const why = isContained ? `Attempt ${champion}, which was kept before it, holds all that it changes.` : `It changes the same lines as what was kept before it (attempt ${champion}).`;
  return isWithinNoise(evidence, known) ? { reason: `No real difference: in its one run it was better by no more than two runs of the same file differ. ${why}` } : { reason: why, code: 'conflict' };
}

function isWithinNoise(evidence: AttemptState['evidence'], known: Knowledge | undefined): boolean {
  if (known?.grain === undefined || evidence?.score === undefined || evidence.parentScore === undefined) return false;
  const gain = onScale(known.scale, evidence.score) - onScale(known.scale, evidence.parentScore);
  return gain <= studentQuantile(CHANCE, Math.max(1, known.spread.freedom)) * Math.SQRT2 * deviation(known.spread);
}

/** That one of two runs lies so far above the other by chance. */
const CHANCE = 0.025;

/** The share of a run after which it settles. */
const SETTLING = 0.75;
