import { LEAST_MS, NO_SLIPS, slipWords, type Slips } from '../../loop/clocks.ts';

/** A machine that is frozen, or set by two masters, again and again must get its measurement all the same. */
const MOST_AGAIN = 3;

/**
 * Why a run of the scorer during which this slipped by can't be judged, in one sentence; undefined where it can. What was
 * slept through is never judged. `before`: how often it was made in vain.
 */
export function spoiledWords(slips: Slips, before: number): string | undefined {
  const asleep = slips.sleptMs >= LEAST_MS ? slips : NO_SLIPS;
  const words = slipWords(before < MOST_AGAIN ? slips : asleep);
  return words === undefined ? undefined : `While it ran, ${words}: it is made again.`;
}
