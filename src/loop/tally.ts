import type { RunState } from './ledger.ts';
import { standingOf } from './standing.ts';

/** A run's attempts, counted; the start file isn't one. */
export interface Tally {
  /** All that have a verdict, or wait for one. */
  readonly tried: number;
  /** Kept by the verifier or by a person's word. */
  readonly kept: number;
  /** Only a person can decide them. */
  readonly waits: number;
  /** The end of the night decides them. */
  readonly settlesLater: number;
  /** The night ended before they were settled. */
  readonly unsettled: number;
}

/** Counts the attempts of a run by where they stand. */
export function tallyOf({ attempts, end }: Pick<RunState, 'attempts' | 'end'>): Tally {
  const standings = attempts.filter(({ number }) => number > 0).map((attempt) => standingOf(attempt, end !== undefined));
  const count = (...of: readonly (typeof standings)[number][]): number => standings.filter((standing) => of.includes(standing)).length;
  return {
    tried: standings.length - count('in-flight'),
    kept: count('kept', 'kept-by-person'),
    waits: count('waits'),
    settlesLater: count('settles-later'),
    unsettled: count('unsettled'),
  };
}
