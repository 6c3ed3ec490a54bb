import { learnCandidate, learnParent, learnVerdict, nothingKnown, parentIsStale } from '../../src/loop/verifier/knowledge.ts';
import { nextStep, type Care } from '../../src/loop/verifier/next-step.ts';
import { byOneRun, medianDeviation, strictly, successiveKeeps } from './one-run.ts';
import type { Rule } from './world.ts';

export interface RatchetPlay {
  readonly repeats: number;
  readonly baselineRuns?: number;
  readonly seededInside?: boolean;
  /** Known spread from seed to seed. */
  readonly noise?: number;
}

/** Ratchet's own, exactly as a run uses it. */
export function ratchet({ repeats, baselineRuns = 10, seededInside = false, noise }: RatchetPlay): Rule {
  const care: Care = { confirm: 'each', baselineRuns, seededInside, ...(noise === undefined ? {} : { noise }) };
  return (world) => {
    let known = nothingKnown({ sign: 1, logarithmic: false, least: 0 }, { error: 0.05, planned: world.effects.length }, repeats);
    for (let i = 0; i < baselineRuns; i++) known = learnParent(known, world.baseline());
    for (const attempt of world.effects.keys()) {
      if (parentIsStale(known)) known = learnParent(known, world.parent());
      for (;;) {
        const step = nextStep(known, care, 0);
        if (step.kind === 'decided') {
          if (step.as === 'kept') world.keep(attempt);
          if (step.as === 'waiting') world.waiting++;
          known = learnVerdict(known, step.as === 'kept' ? 'kept' : 'other');
          break;
        }
        known = step.whom === 'candidate' ? learnCandidate(known, world.candidate(attempt)) : learnParent(known, world.parent());
      }
    }
  };
}

/** The rules of others, by the name that the tables give them. */
export const OTHERS = {
  'strict (karpathy/autoresearch)': strictly,
  'gain ÷ MAD ≥ 2 (pi-autoresearch)': medianDeviation,
  'gain ÷ steps between keeps (autojudge)': successiveKeeps,
} as const;

/** Who plays a table: a name, and the rule. */
export const PLAYERS: Readonly<Record<string, Rule>> = {
  'Ratchet': ratchet({ repeats: 20 }),
  'Ratchet, maxRepeats 60': ratchet({ repeats: 60 }),
  'Ratchet, a baseline of 4 runs': ratchet({ repeats: 20, baselineRuns: 4 }),
  'Ratchet, told of a seed inside': ratchet({ repeats: 20, seededInside: true }),
  'Ratchet, told of a seed inside and its noise': ratchet({ repeats: 20, seededInside: true, noise: 1 }),
  ...Object.fromEntries(Object.entries(OTHERS).map(([name, rule]) => [name, byOneRun(rule)])),
};
