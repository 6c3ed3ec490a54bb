import type { Measured, RunPlan } from '../records.ts';
import { median } from './median.ts';
import { scorerRuns } from './scorer-runs.ts';

/** How long the parts of an attempt take, in milliseconds, as far as they were measured. */
export interface Pace {
  /** One run of the scorer. */
  readonly scorerMs: number;
  /** One run of each stage that comes before the scorer. */
  readonly stagesMs?: number;
  /** One run of each gate. */
  readonly gatesMs?: number;
  /** One run of each stage that comes last, and of the holdout. */
  readonly lastMs?: number;
}

/** What a plan's parts took in runs on an unchanged start file; undefined where the scorer gave no score there. */
export function paceOf(plan: Pick<RunPlan, 'gates' | 'stages' | 'holdout'>, runs: readonly Measured[]): Pace | undefined {
  const scorerMs = typicalMs(scorerRuns(runs).filter(({ outcome }) => outcome === 'scored'));
  if (scorerMs === undefined) return undefined;
  const { gates = [], stages = [], holdout } = plan;
  const timeOf = (role: Measured['role'], parts: readonly { readonly name: string }[]): number =>
    parts.reduce((sum, part) => sum + (typicalMs(runs.filter((run) => run.role === role && run.name === part.name)) ?? 0), 0);
  const stagesMs = timeOf('stage', stages.filter(({ when }) => when === 'first'));
  const gatesMs = timeOf('gate', gates);
  const lastMs = timeOf('stage', stages.filter(({ when }) => when === 'last')) + timeOf('holdout', holdout === undefined ? [] : [holdout]);
  return { scorerMs, ...(stagesMs === 0 ? {} : { stagesMs }), ...(gatesMs === 0 ? {} : { gatesMs }), ...(lastMs === 0 ? {} : { lastMs }) };
}

function typicalMs(runs: readonly Measured[]): number | undefined {
  return runs.length === 0 ? undefined : median(runs.map(({ durationMs }) => durationMs));
}
