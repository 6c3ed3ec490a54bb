import type { ProposerSpec, RunPlan } from '../records.ts';
import { formatEstimate } from './format.ts';
import type { Pace } from './pace.ts';
import { duration } from './stop.ts';
import { stopRules } from './stop-rules.ts';
import { baselineRunsFor, verifierOf } from './verifier/care.ts';

/** What of a plan bears on how many attempts fit in. */
export type Forecasted = Pick<RunPlan, 'stop' | 'morningMs' | 'proposer' | 'verifier'>;

/**
 * Runs of the scorer that an attempt takes on the average: one, and what checking adds. `each`: by simulation (bench/verifier,
 * no-ops). `night`: its last quarter settles what the rest has found.
 */
const RUNS = { off: 1, each: 1.65, night: 4 / 3 } as const satisfies Record<NonNullable<RunPlan['verifier']>['confirm'], number>;
/** Thinking of a model between two runs. */
const THINKING_MS = 15_000;
/** A run that is bounded by time alone is planned for no more than this. */
const MOST = 500;
/** Of attempts that do nothing every other looks better at first, and meets the gates. */
const MEETS_GATES = 0.5;
/** About so many get as far as the last stage and the holdout. */
const MEETS_LAST = 0.1;

/** What is to be expected of a run. */
export interface Forecast {
  readonly attempts: number;
  /** Time of the attempts, in milliseconds, the start file's runs included. */
  readonly runMs: number;
  /** Until the first attempt can be decided: its own run follows those of the start file, which are made while a model thinks. */
  readonly firstMs: number;
}

/**
 * How many attempts fit into a run's rules, at least 1. `scorerMs`: how long one run of the scorer takes; `fromMs`: when
 * the run began, in milliseconds since 1970.
 */
export function expectedAttempts(plan: Forecasted, scorerMs: number, fromMs: number): number {
  return attemptsIn(plan, scorerMs, attemptMs(plan, { scorerMs }), fromMs);
}

/** What is to be expected of a run that begins at `fromMs`, with the verifier or as if there were none. */
export function forecast(plan: Forecasted, pace: Pace, fromMs: number, confirm = verifierOf(plan).confirm): Forecast {
  const { scorerMs, stagesMs = 0, gatesMs = 0, lastMs = 0 } = pace;
  const firstMs = scorerMs + stagesMs + gatesMs + lastMs;
  const startMs = firstMs + (confirm === 'off' ? 0 : (baselineRunsFor(scorerMs) - 1) * scorerMs);
  const eachMs = attemptMs({ ...plan, verifier: { ...verifierOf(plan), confirm } }, pace);
  const attempts = attemptsIn(plan, scorerMs, eachMs, fromMs, startMs);
  return { attempts, runMs: Math.min(timeOf(plan, scorerMs, fromMs), startMs + attempts * eachMs), firstMs: Math.max(startMs, firstMs + thinkingMs(plan)) + scorerMs };
}

/**
 * What certainty costs, before the start: "about 47 attempts until 08:00 (86 without checking); first one in 6 min". `clock`
 * writes a moment in the person's time zone.
 */
export function forecastWords(plan: Forecasted, pace: Pace, nowMs: number, clock: (ms: number) => string): string {
  return `${attemptsWords(plan, pace, nowMs, clock)}; first one in ${duration(forecast(plan, pace, nowMs).firstMs)}`;
}

/** As many attempts as fit into the time, or the time of as many as were wanted, and what it were without checking. */
export function attemptsWords(plan: Forecasted, pace: Pace, fromMs: number, clock: (ms: number) => string): string {
  const rules = stopRules(plan.stop, plan.morningMs, pace.scorerMs);
  const checked = forecast(plan, pace, fromMs);
  const unchecked = forecast(plan, pace, fromMs, 'off');
  if (checked.attempts === rules.attempts) return `${rules.attempts} ${rules.attempts === 1 ? 'attempt' : 'attempts'} in about ${duration(checked.runMs)}${beside(duration(checked.runMs), duration(unchecked.runMs))}`;
  const isUntil = rules.untilMs !== undefined && rules.untilMs - fromMs <= hoursMs(rules.hours);
  const time = isUntil && rules.untilMs !== undefined ? `until ${clock(rules.untilMs)}` : rules.hours === undefined ? '' : `in ${duration(hoursMs(rules.hours))}`;
  return `about ${counted(checked.attempts)} ${checked.attempts === 1 ? 'attempt' : 'attempts'} ${time}${beside(counted(checked.attempts), counted(unchecked.attempts))}`.trimEnd();
}

/** Whether a model will be asked, as far as is known: where nobody said yet who proposes (as protocol.ts puts it), one is reckoned with. */
export function asksModel(proposer: ProposerSpec): boolean {
  return proposer.kind === 'openai' || (proposer.kind === 'replay' && proposer.dir === '.');
}

function counted(attempts: number): string {
  return attempts === MOST ? `${MOST} or more` : formatEstimate(attempts);
}

function beside(checked: string, unchecked: string): string {
  return checked === unchecked ? '' : ` (${unchecked} without checking)`;
}

/** What one attempt takes on the average. */
function attemptMs(plan: Forecasted, { scorerMs, stagesMs = 0, gatesMs = 0, lastMs = 0 }: Pace): number {
  return stagesMs + scorerMs * RUNS[verifierOf(plan).confirm] + MEETS_GATES * gatesMs + MEETS_LAST * lastMs + thinkingMs(plan);
}

function attemptsIn(plan: Forecasted, scorerMs: number, eachMs: number, fromMs: number, startMs = 0): number {
  const { attempts = MOST } = stopRules(plan.stop, plan.morningMs, scorerMs);
  const byTime = (timeOf(plan, scorerMs, fromMs) - startMs) / eachMs;
  return Math.max(1, Math.min(attempts, Math.floor(byTime), MOST));
}

/** Time that the rules in force allow, Infinity where they don't bound it. */
function timeOf(plan: Forecasted, scorerMs: number, fromMs: number): number {
  const { hours, untilMs } = stopRules(plan.stop, plan.morningMs, scorerMs);
  return Math.max(0, Math.min(hoursMs(hours), untilMs === undefined ? Infinity : untilMs - fromMs));
}

function hoursMs(hours: number | undefined): number {
  return hours === undefined ? Infinity : hours * 3_600_000;
}

function thinkingMs({ proposer }: Forecasted): number {
  return asksModel(proposer) ? THINKING_MS : 0;
}
