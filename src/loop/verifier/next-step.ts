import type { Grounds } from '../../records.ts';
import { deviation } from './spread.ts';
import type { Knowledge } from './knowledge.ts';
import { errorOf } from './error-budget.ts';
import { normalQuantile } from './student.ts';
import { simplerStep } from './simpler.ts';

/** How sure a run wants to be before it keeps something. */
export interface Care {
  /** `off`: whatever scores better in its one run is kept. `later`: what looks better in its one run waits for the end of the night. */
  readonly confirm: 'each' | 'later' | 'off';
  /** Runs of the unchanged start before anything is decided in a candidate's favour. */
  readonly baselineRuns: number;
  /** The target draws random numbers in a way that can't be varied: that it repeats itself proves nothing. */
  readonly seededInside: boolean;
  /** Known spread from seed to seed, on the scale of the comparison. */
  readonly noise?: number;
}

/** What the verifier wants next, or what it says. `waiting`: looks better, and only a person can decide. */
export type Step =
  | { readonly kind: 'measure'; readonly whom: 'candidate' | 'parent' }
  | { readonly kind: 'decided'; readonly as: 'kept' | 'discarded' | 'waiting'; readonly how: Grounds };

/** The next step in the trial that `known` holds. `saved`: share of the parent's code tokens that the candidate does without. */
export function nextStep(known: Knowledge, care: Care, saved: number): Step {
  const { candidate, parentRuns } = known.trial;
  const [first] = candidate;
  if (first === undefined) return measure('candidate');
  if (care.confirm === 'off') return unconfirmed(known, first, saved);
  // Nothing is decided before the noise is known: one run of the start alone would make a loser of what changes nothing.
  if (wantsNoise(known, care)) return measure('parent');
  if (known.grain !== undefined) {
    const step = underNoise(known, saved);
    const isOver = step.kind === 'decided' && step.as === 'discarded';
    return care.confirm === 'later' && !isOver ? decided('waiting', 'night') : step;
  }
  const gain = first - (known.parent ?? 0);
  if (gain < 0 || (gain === 0 && saved <= 0)) return decided('discarded', 'not-better');
  if (care.confirm === 'later') return decided('waiting', 'night');
  const draw = gain > 0 && care.seededInside;
  if (gain > 0 && care.noise !== undefined && gain <= beyondLuck(known, care.noise)) return decided('discarded', 'not-better');
  // "Exact" is provisional: two more runs, and one of the parent, must agree.
  if (candidate.length === 1) return measure('candidate');
  if (draw && care.noise === undefined) return decided('waiting', 'one-draw');
  if (parentRuns === 0) return measure('parent');
  if (candidate.length === 2) return measure('candidate');
  if (gain === 0) return decided('kept', 'exact-simpler');
  return decided('kept', draw ? 'one-draw' : 'exact');
}

/** Whether the unchanged start should be run once more. Where nothing has varied fewer runs are enough: what is exact is shown anew for each keep. */
export function wantsNoise({ start, baselineRuns, grain }: Knowledge, care: Pick<Care, 'confirm' | 'baselineRuns'>): boolean {
  return care.confirm !== 'off' && start === undefined && baselineRuns < (grain === undefined ? Math.min(EXACT_RUNS, care.baselineRuns) : care.baselineRuns);
}

/** So many equal runs of the start, and a keep is run three times in all besides. */
const EXACT_RUNS = 7;

function underNoise(known: Knowledge, saved: number): Step {
  const { trial } = known;
  switch (trial.phase) {
    case 'kept':
      return decided('kept', 'confirmed');
    case 'discarded':
      return simplerStep(known, saved);
    case 'screening':
    case 'confirming':
      return measure(trial.next);
  }
}

/** How far one draw may lie above another by luck: two draws differ by the root of two times the spread of one. */
function beyondLuck({ budget, judged, keeps }: Knowledge, noise: number): number {
  return normalQuantile(errorOf(budget, judged, keeps)) * Math.SQRT2 * noise;
}

function unconfirmed(known: Knowledge, first: number, saved: number): Step {
  const parent = known.parent ?? 0;
  if (first > parent) return decided('kept', 'unconfirmed');
  return first === parent && saved > 0 && deviation(known.spread) === 0 ? decided('kept', 'unconfirmed-simpler') : decided('discarded', 'not-better');
}

function measure(whom: 'candidate' | 'parent'): Step {
  return { kind: 'measure', whom };
}

function decided(as: 'kept' | 'discarded' | 'waiting', how: Grounds): Step {
  return { kind: 'decided', as, how };
}
