import type { CaseScore, Measured, Metric } from '../../records.ts';
import { attemptOf, ownRuns, type AttemptState, type RunState } from '../ledger.ts';
import { improvement } from '../metric.ts';

/** One named part of the score, in an attempt and in its parent. */
export interface CaseChange {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly note?: string;
}

/** Which parts of the score an attempt changed; those that moved most come first. */
export interface CaseChanges {
  readonly better: readonly CaseChange[];
  readonly worse: readonly CaseChange[];
  readonly same: number;
}

/** What an attempt did to the cases of its parent; undefined where one of them has none. */
export function caseChanges(state: RunState, attempt: AttemptState): CaseChanges | undefined {
  if (attempt.parent === undefined) return undefined;
  const parent = attemptOf(state, attempt.parent);
  const own = ownRuns(attempt);
  const inTurns = attempt.measurements.filter((run) => run.role === 'parent' && !own.includes(run));
  const before = means([...(parent?.measurements.filter(({ role }) => role === 'candidate') ?? []), ...inTurns]);
  const after = means(own);
  if (before.size === 0 || after.size === 0) return undefined;
  const changes = [...after.values()].flatMap(({ name, score, note }): readonly CaseChange[] => {
    const from = before.get(name)?.score;
    return from === undefined ? [] : [{ name, from, to: score, ...(note === undefined ? {} : { note }) }];
  });
  const by = ({ from, to }: CaseChange): number => improvement(metricOf(state), from, to);
  return {
    better: changes.filter((change) => by(change) > 0).sort((a, b) => by(b) - by(a)),
    worse: changes.filter((change) => by(change) < 0).sort((a, b) => by(a) - by(b)),
    same: changes.filter((change) => by(change) === 0).length,
  };
}

/** The cases of an attempt as its runs gave them on the average, the worst first. */
export function casesOf(state: RunState, attempt: AttemptState): readonly CaseScore[] {
  const cases = [...means(ownRuns(attempt)).values()];
  return cases.sort((a, b) => improvement(metricOf(state), b.score, a.score));
}

function metricOf({ plan: { metric } }: RunState): Metric {
  return metric;
}

function means(runs: readonly Measured[]): ReadonlyMap<string, CaseScore> {
  // Hundreds of cases in dozens of runs, for every attempt of a long run: sums, and no lists.
  const sums = new Map<string, { total: number; count: number; note?: string }>();
  for (const { outcome, cases = [] } of runs) {
    if (outcome !== 'scored') continue;
    for (const { name, score, note } of cases) {
      const sum = sums.get(name) ?? { total: 0, count: 0 };
      sum.total += score;
      sum.count++;
      if (note !== undefined) sum.note = note;
      sums.set(name, sum);
    }
  }
  return new Map([...sums].map(([name, { total, count, note }]) => [name, { name, score: total / count, ...(note === undefined ? {} : { note }) }]));
}
