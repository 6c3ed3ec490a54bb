import type { Measured, StagePlan } from '../../records.ts';
import { formatScore } from '../format.ts';
import { gainOf, noiseOf, scoresOf, spreadOf, type Sides } from './compare.ts';

/** What the stages say of a candidate. */
export type StageStep =
  | { readonly kind: 'passed' }
  | { readonly kind: 'run'; readonly name: string; readonly whose: 'candidate' | 'parent' }
  | { readonly kind: 'failed'; readonly outcome: Measured['outcome']; readonly reason: string };

/** What was measured in stages, beside the scorer. */
export interface StageRuns {
  /** Of the attempt in question. */
  readonly own: readonly Measured[];
  /** Of the attempt that it comes from. */
  readonly parent: readonly Measured[];
  /** Of the start file. */
  readonly start: readonly Measured[];
}

/**
 * The next run of the stages, in their order; the first that a candidate doesn't pass ends it. It passes with a score that
 * is worse than its parent's by no more than the threshold; without one, by no more than two standard deviations of the
 * difference between two runs, as repeats of the start file tell them.
 */
export function stageStep(stages: readonly StagePlan[], runs: StageRuns): StageStep {
  for (const stage of stages) {
    const { name } = stage;
    const last = runs.own.findLast((run) => run.role === 'stage' && run.name === name && run.whose === 'candidate');
    if (last === undefined) return { kind: 'run', name, whose: 'candidate' };
    if (last.outcome !== 'scored' || last.score === undefined) return { kind: 'failed', outcome: last.outcome, reason: `In the stage ${name}: ${last.why}` };
    const sides = sidesOf(stage, runs);
    if (sides.parent.length === 0) return { kind: 'run', name, whose: 'parent' };
    const allowed = stage.threshold ?? PAIRED * noiseOf(sides);
    if (gainOf(sides) < -allowed - DUST * Math.abs(allowed)) return { kind: 'failed', outcome: 'scored', reason: reasonOf(stage, sides, allowed) };
  }
  return { kind: 'passed' };
}

function sidesOf({ name, metric }: StagePlan, { own, parent, start }: StageRuns): Sides {
  const of = (runs: readonly Measured[], whose: 'candidate' | 'parent'): readonly number[] => scoresOf(runs, { role: 'stage', name, whose }, metric);
  return { candidate: of(own, 'candidate'), parent: [...of(parent, 'candidate'), ...of(own, 'parent')], spread: spreadOf([of(start, 'candidate')]) };
}

function reasonOf({ name, metric }: StagePlan, { candidate, parent }: Sides, allowed: number): string {
  const shown = (values: readonly number[]): string => formatScore((metric.direction === 'higher' ? 1 : -1) * (values.reduce((sum, value) => sum + value, 0) / values.length), metric);
  const by = allowed < 0 ? `it must be better by ${formatScore(-allowed, metric)}` : allowed === 0 ? 'it may not be worse' : `it may be worse by ${formatScore(allowed, metric)}`;
  return `It doesn't pass the stage ${name}: ${shown(candidate)}, its parent has ${shown(parent)}, and ${by}.`;
}

/** Two standard deviations of the difference between two runs. */
const PAIRED = 2 * Math.SQRT2;
const DUST = 1e-12;
