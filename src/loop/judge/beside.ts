import type { Evidence, Verdict } from '../../records.ts';
import type { Case, Decision } from '../judge.ts';
import { gateStep } from '../checks/gates.ts';
import { FITTING, HOLDOUT, holdoutStep } from '../checks/holdout.ts';
import { brokenLimit } from '../checks/limits.ts';
import { scorerRuns } from '../scorer-runs.ts';
import { stageStep, type StageRuns } from '../checks/stages.ts';

/** What the stages of one kind say; undefined where all are passed. */
export function staged({ plan: { stages = [] }, all = NO_RUNS }: Case, when: 'first' | 'last', parentScore: number): Decision | undefined {
  const step = stageStep(stages.filter((stage) => stage.when === when), all);
  switch (step.kind) {
    case 'passed':
      return undefined;
    case 'run':
      return { kind: 'beside', role: 'stage', name: step.name, whose: step.whose };
    case 'failed':
      return verdict(step.outcome === 'scored' ? 'discarded' : step.outcome, { reason: step.reason, code: 'stage', parentScore });
  }
}

/** What limits and gates say of a candidate that looks better; undefined where it keeps to all. `settled`: no further run will come. */
export function limitedAndGated({ plan, measurements, all = NO_RUNS, baseline }: Case, evidence: Omit<Evidence, 'reason'>, settled: boolean): Decision | undefined {
  const start = scorerRuns(all.start);
  const broken = brokenLimit(plan, measurements, start.length === 0 ? [baseline] : start, settled);
  if (broken !== undefined) return verdict('discarded', { ...evidence, reason: broken, code: 'limit' });
  const gate = gateStep(plan.gates ?? [], all.own, all.start);
  switch (gate.kind) {
    case 'passed':
      return undefined;
    case 'run':
      return { kind: 'beside', role: 'gate', name: gate.name, whose: 'candidate' };
    case 'failed':
      return verdict('discarded', { ...evidence, reason: gate.reason, code: 'gate', ...(gate.failed.length === 0 ? {} : { failed: gate.failed }) });
  }
}

/** What the holdout says of a candidate that would be kept; `pass` decides where it has nothing against it. */
export function heldOut({ plan: { holdout, metric, verifier }, all = NO_RUNS, care }: Case, evidence: Evidence, pass: (told: Evidence) => Decision): Decision {
  if (holdout === undefined || evidence.score === undefined || evidence.parentScore === undefined) return pass(evidence);
  // A pair is two runs.
  const mostPairs = care.confirm === 'off' ? 1 : Math.max(1, Math.floor((verifier?.maxRepeats ?? 2) / 2));
  const step = holdoutStep({ holdout, own: all.own, start: all.start, mostPairs, metric, score: evidence.score, parentScore: evidence.parentScore });
  switch (step.kind) {
    case 'run':
      return { kind: 'beside', role: 'holdout', name: holdout.name, whose: step.whose };
    case 'failed':
      return verdict('discarded', { ...evidence, reason: step.reason, code: HOLDOUT, holdout: step.numbers });
    case 'fitting':
      return verdict('flagged', { ...evidence, reason: step.reason, code: FITTING, holdout: step.numbers });
    case 'passed':
      return pass({ ...evidence, holdout: step.numbers });
  }
}

const NO_RUNS: StageRuns = { own: [], parent: [], start: [] };

function verdict(word: Verdict, evidence: Evidence): Decision {
  return { kind: 'verdict', verdict: word, evidence };
}
