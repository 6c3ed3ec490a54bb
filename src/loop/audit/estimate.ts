import { asksModel, forecast, type Forecasted } from '../forecast.ts';

/** Rules, history and what was printed last, beside the target, in a request of a run that has gone on for a while. */
const REQUEST_TOKENS = 2_500;
/** One edit with its reason. */
const REPLY_TOKENS = 700;
const CHARS_PER_TOKEN = 4;
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
export function estimateRun(plan: Forecasted, scorerMs: number, readChars: number, nowMs: number): Estimate {
  const { attempts, runMs } = forecast(plan, { scorerMs }, nowMs);
  return { attempts, runMs, tokensPerAttempt: asksModel(plan.proposer) ? Math.round(readChars / CHARS_PER_TOKEN) + REQUEST_TOKENS + REPLY_TOKENS : 0 };
}

/** Time that a check may take: two minutes, or a twentieth of the run where that is more. */
export function checkBudgetMs({ runMs }: Pick<Estimate, 'runMs'>): number {
  return Math.max(LEAST_CHECK_MS, CHECK_PART * runMs);
}
