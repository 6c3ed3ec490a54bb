import type { Samples } from './evidence.ts';
import { evidenceOf, STEP } from './evidence.ts';
import { mutated, type Mutant } from './mutant.ts';
import type { Audit } from './mutants.ts';
import { compare, referenceOf } from './reference.ts';
import { isCanarySeen } from './sickness.ts';
import type { Metric } from '../../records.ts';

/** One run of the scorer that a check wants; `pair` stands for two at the same time. */
export interface Step {
  readonly id: string;
  readonly kind: 'baseline' | 'canary' | 'no-op' | 'mutant' | 'pair';
  /** For the screen. */
  readonly what: string;
  readonly seed: number;
  readonly text: () => string;
  /** Of a mutant. */
  readonly mutant?: Mutant;
}

export interface Subject {
  readonly text: string;
  readonly audit: Audit;
  readonly canaries: readonly string[];
  /** The text with a comment more, where such files have comments. */
  readonly noOp?: string;
  readonly seed: number;
  /** The text with another seed in the place of its own, where it has one. */
  readonly reseeded: (seed: number) => string;
}

/** Breaks that come before the unchanged file is run once more: a run that leaves something behind shows there. */
const FIRST_MUTANTS = 3;

/** All runs of a check in their order: what is cheap and decides most comes first, so that a check that ends early has told the most. */
export function stepsOf({ text, audit, canaries, noOp, seed, reseeded }: Subject): readonly Step[] {
  const baseline = (number: number, own: number): Step => ({ id: `${STEP.baseline}${number}`, kind: 'baseline', what: own === seed ? 'the unchanged file' : 'the unchanged file, another seed', seed: own, text: () => (own === seed ? text : reseeded(own)) });
  const mutants = audit.mutants.map((mutant): Step => ({
    id: `${STEP.mutant}${mutant.id}`, kind: 'mutant', what: `${mutant.region} with ${mutant.description}`, seed, text: () => mutated(text, mutant), mutant,
  }));
  return [
    baseline(1, seed),
    ...canaries.map((canary, index): Step => ({ id: `${STEP.canary}${index + 1}`, kind: 'canary', what: 'a file that is no code any more', seed, text: () => canary })),
    baseline(2, seed),
    ...(noOp === undefined ? [] : [{ id: STEP.noOp, kind: 'no-op', what: 'a comment added', seed, text: () => noOp } as const]),
    baseline(3, seed + 1),
    ...mutants.slice(0, FIRST_MUTANTS),
    baseline(4, seed),
    { id: STEP.pair, kind: 'pair', what: 'two runs at the same time', seed, text: () => text },
    ...mutants.slice(FIRST_MUTANTS),
    baseline(5, seed + 2),
  ];
}

/**
 * The steps that are not done and still tell something after what was measured: a part whose emptying went unnoticed needs
 * no second break, and nothing more is learned of a scorer that doesn't notice when the file is broken.
 */
export function wantedSteps(steps: readonly Step[], samples: Samples, { mutants }: Audit, metric: Metric): readonly Step[] {
  const evidence = evidenceOf(samples);
  const reference = referenceOf(evidence.baselines, metric);
  const isUnseen = reference !== undefined && reference.scores.length >= 3 && isCanarySeen(evidence, reference) === false;
  const tried = new Map<string, string>();
  const settled = new Set<string>();
  for (const { id, region, kind } of mutants) {
    if (tried.has(region)) continue;
    tried.set(region, id);
    const sample = evidence.mutants.get(id);
    if (kind === 'emptied' && reference !== undefined && sample !== undefined && compare(reference, sample) === 'same') settled.add(region);
  }
  return steps.filter(({ id, kind, mutant }) => {
    if (samples[kind === 'pair' ? `${id}1` : id] !== undefined) return false;
    return mutant === undefined || (!isUnseen && !settled.has(mutant.region));
  });
}
