import { LEAST_MS, NO_SLIPS, slipWords, type Slips } from '../../loop/clocks.ts';
import type { Power } from '../conditions/power.ts';

/** A machine that is frozen, or hot, or set by two masters, again and again must get its measurement all the same. */
const MOST_AGAIN = 3;

/** What happened to the machine while a run of the scorer went on. */
export interface Happened {
  readonly slips: Slips;
  /** Empty where the score doesn't depend on it. */
  readonly before: Power;
  readonly after: Power;
}

/**
 * Why a run of the scorer during which this happened can't be judged, in one sentence; undefined where it can. What was
 * slept through is never judged. `inVain`: how often it was made already.
 */
export function spoiledWords({ slips, before, after }: Happened, inVain: number): string | undefined {
  const asleep = slips.sleptMs >= LEAST_MS ? slips : NO_SLIPS;
  const words = inVain < MOST_AGAIN ? slipWords(slips) ?? powerWords(before, after) : slipWords(asleep);
  return words === undefined ? undefined : `While it ran, ${words}: it is made again.`;
}

function powerWords(before: Power, after: Power): string | undefined {
  if (before.source !== undefined && after.source !== undefined && before.source !== after.source) return after.source === 'battery' ? 'the machine went from mains to its battery' : 'the machine went from its battery to mains';
  return (after.throttles ?? 0) > (before.throttles ?? Infinity) ? 'the processor was slowed down for its heat' : undefined;
}
