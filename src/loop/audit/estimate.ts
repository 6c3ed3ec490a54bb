import type { RunPlan } from '../../records.ts';
import { expectedAttempts } from '../forecast.ts';
import { stopRules } from '../stop-rules.ts';

/** Rules, history and what was printed last, beside the target, in a request of a run that has gone on for a while. */
const REQUEST_TOKENS = 2_500;
/** One edit with its reason. */
const REPLY_TOKENS = 700;
const CHARS_PER_TOKEN = 4;
/** A model's answer takes about so long. */
const THINKING_MS = 15_000;
/** A check may take so much time, or this part of the run that it is made for. */
const LEAST_CHECK_MS = 2 * 60_000;
const CHECK_PART = 0.05;

/** What a run would take. */
export interface Estimate {
  /** Attempts that its rules and its time allow. */
  readonly attempts: number;
  readonly runMs: number;
  /** Of a model, for one attempt; 0 where no model is asked. */
  readonly tokensPerAttempt: number;
}

/** What a run of this plan would take, from the time of one run of the scorer and the size of what a model reads. */
export function estimateRun(plan: Pick<RunPlan, 'stop' | 'morningMs' | 'proposer' | 'verifier'>, scorerMs: number, readChars: number, nowMs: number): Estimate {
  const rules = stopRules(plan.stop, plan.morningMs, scorerMs);
  const asksModel = plan.proposer.kind === 'openai' || isOpen(plan.proposer);
  const attempts = expectedAttempts(plan, scorerMs, nowMs);
  const timeMs = Math.min(...[rules.hours === undefined ? [] : rules.hours * 3_600_000, rules.untilMs === undefined ? [] : Math.max(0, rules.untilMs - nowMs)].flat(), Infinity);
  return {
    attempts,
    runMs: Math.min(timeMs, attempts * (scorerMs + (asksModel ? THINKING_MS : 0))),
    tokensPerAttempt: asksModel ? Math.round(readChars / CHARS_PER_TOKEN) + REQUEST_TOKENS + REPLY_TOKENS : 0,
  };
}

/** Time that a check may take: two minutes, or a twentieth of the run where that is more. */
export function checkBudgetMs({ runMs }: Pick<Estimate, 'runMs'>): number {
  return Math.max(LEAST_CHECK_MS, CHECK_PART * runMs);
}

/** Nobody said yet who proposes: as protocol.ts puts it. */
export function isOpen(proposer: RunPlan['proposer']): boolean {
  return proposer.kind === 'replay' && proposer.dir === '.';
}
