import type { Verdict } from '../records.ts';
import type { AttemptState } from './ledger.ts';
import { waitsForNight } from './night.ts';

/** What a person should know of where an attempt stands: its verdict, or what takes the place of one. */
export type Standing =
  | Verdict
  /** Being made. */
  | 'in-flight'
  /** The unchanged file, measured. */
  | 'start'
  /** Only a person can decide it. */
  | 'waits'
  /** Looks better in one run, and the end of the night decides. */
  | 'settles-later'
  /** The same, and the night ended before. */
  | 'unsettled'
  /** A person made it the best so far, whatever the verifier said. */
  | 'kept-by-person';

/** Where an attempt stands in a run that has `ended` or goes on. */
export function standingOf(attempt: AttemptState, ended: boolean): Standing {
  const { number, verdict, waits, keptByPerson } = attempt;
  if (waits === true) return waitsForNight(attempt) ? (ended ? 'unsettled' : 'settles-later') : 'waits';
  if (number === 0) return verdict === 'kept' ? 'start' : (verdict ?? 'in-flight');
  return keptByPerson === true ? 'kept-by-person' : (verdict ?? 'in-flight');
}
