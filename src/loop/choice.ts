import type { Measured } from '../records.ts';
import { attemptOf, lineOf, scoreOf, type AttemptState, type RunState } from './ledger.ts';

/** Why a person can't make an attempt the best so far, in one sentence; undefined where they can. */
export function whyNotKeepable(state: RunState, number: number): string | undefined {
  const attempt = attemptOf(state, number);
  if (attempt === undefined) return `Run ${state.id} has no attempt ${number}.`;
  if (number === state.champion) return number === 0 ? 'The start file is what the run began with.' : `Attempt ${number} is the best so far already.`;
  if (attempt.verdict === undefined && attempt.waits !== true) return `Attempt ${number} is not decided yet: wait until it is.`;
  if (scoreOf(attempt) === undefined || (number > 0 && attempt.candidate === undefined)) return `Attempt ${number} has no score, so it can't be the best so far.`;
  return undefined;
}

/** Why the verifier didn't keep an attempt that was decided, in its words; undefined where it did, or where that is for a person to say. */
export function whyNotKept(state: RunState, number: number): string | undefined {
  const attempt = attemptOf(state, number);
  return attempt === undefined || isOpen(attempt) ? undefined : (attempt.evidence?.reason ?? '');
}

/** Whether it was kept, or nobody but a person can say: it is suspicious, waits, or the run ended over it. */
function isOpen({ number, verdict, waits, keptByPerson }: AttemptState): boolean {
  return number === 0 || waits === true || keptByPerson === true || verdict === 'kept' || verdict === 'flagged' || verdict === 'cancelled';
}

/** Kept attempts, the champion's line, that an attempt doesn't build on: making it the champion leaves them out. */
export function leftOutBy(state: RunState, number: number): readonly number[] {
  const own = new Set(lineOf(state, number));
  return lineOf(state, state.champion).filter((kept) => kept !== 0 && !own.has(kept)).sort((a, b) => a - b);
}

/** What an honest run looks like: the start file's first, or that of the last attempt on the champion's line that a person vouched for. */
export function honestRun(state: RunState): Measured | undefined {
  const vouched = lineOf(state, state.champion).filter((number) => number === 0 || attemptOf(state, number)?.keptByPerson === true);
  // One that a person vouched for in an epoch before has no such run in this one.
  return [...vouched, 0].map((number) => attemptOf(state, number)?.measurements.find(({ role }) => role === 'candidate')).find((run) => run !== undefined);
}
