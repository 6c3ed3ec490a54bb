import { firstRun } from '../../loop/first-run.ts';
import type { RunState } from '../../loop/ledger.ts';
import { baselineRunsFor, verifierOf } from '../../loop/verifier/care.ts';
import type { Care } from '../../loop/verifier/next-step.ts';
import { deviationOnScale, offScale } from '../../loop/verifier/scale.ts';

/**
 * How a run is judged: by its plan, by the time that one run takes, and by whether the target's random stream can be varied.
 * `settling`: the night is over, and nothing is put off any more.
 */
export function careOf(state: RunState, seededInside: boolean, settling: boolean): Care {
  const { plan, known } = state;
  const { confirm, noise } = verifierOf(plan);
  const start = firstRun(state);
  return {
    confirm: confirm !== 'night' ? confirm : settling ? 'each' : 'later',
    baselineRuns: baselineRunsFor(start?.durationMs ?? 0),
    seededInside,
    ...(noise === undefined || known === undefined ? {} : { noise: deviationOnScale(known.scale, noise, offScale(known.scale, known.level.level)) }),
  };
}
