import { attemptsWords } from './forecast.ts';
import { attemptOf, type RunState } from './ledger.ts';
import { paceOf } from './pace.ts';

/** How many attempts a run that goes on is for, from the runs on its start file; undefined where it is over, or not known. */
export function forecastOfRun({ end, ...state }: RunState, clock: (ms: number) => string): string | undefined {
  const start = attemptOf(state, 0);
  const pace = end === undefined && start?.verdict === 'kept' ? paceOf(state.plan, start.measurements) : undefined;
  return pace === undefined || start === undefined ? undefined : attemptsWords(state.plan, pace, Date.parse(start.startedAt), clock);
}
