import type { Evidence, Grounds, Measured, MeasurementRole, RunPlan, Signal, Verdict } from '../records.ts';
import type { StageRuns } from './checks/stages.ts';
import { heldOut, limitedAndGated, staged } from './judge/beside.ts';
import { effectOf } from './judge/effect.ts';
import { reasonOf } from './judge/reason.ts';
import { beyondBelief, fasterLater, leap, SCORER_CHANGED, suspicion } from './judge/suspicion.ts';
import { scorerRuns } from './scorer-runs.ts';
import type { Knowledge } from './verifier/knowledge.ts';
import { nextStep, type Care } from './verifier/next-step.ts';
import { offScale } from './verifier/scale.ts';
import { mean } from './verifier/spread.ts';
import { inTurns } from './verifier/trial.ts';

export interface Case {
  readonly plan: Pick<RunPlan, 'metric' | 'trainPy' | 'gates' | 'limits' | 'stages' | 'holdout' | 'verifier'>;
  readonly care: Care;
  /** With everything that was measured for this attempt. */
  readonly known: Knowledge;
  /** The candidate's runs so far, in the order in which they were made. */
  readonly measurements: readonly Measured[];
  /** What the edit shows by itself. */
  readonly signals: readonly Signal[];
  /** Code tokens by the real parser; absent where the language has none. */
  readonly tokens?: number;
  readonly parentTokens?: number;
  /** An honest run: how many values it prints, and which files it alters. The start file's first, or one that a person vouched for. */
  readonly baseline: Measured;
  /** All runs, those of gates, stages and holdout too; absent where a plan has none of these. */
  readonly all?: StageRuns;
}

/** What the judge says: a verdict that is final, the next measurement that it wants, or that only a person can decide. */
export type Decision =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly evidence: Evidence }
  | { readonly kind: 'waiting'; readonly evidence: Evidence }
  | { readonly kind: 'measure'; readonly role: Extract<MeasurementRole, 'candidate' | 'parent'> }
  | Beside;

/** A run of another command of the plan than its scorer. */
export interface Beside {
  readonly kind: 'beside';
  readonly role: Extract<MeasurementRole, 'gate' | 'stage' | 'holdout'>;
  readonly name: string;
  readonly whose: 'candidate' | 'parent';
}

/**
 * Decides an attempt from the evidence so far. What is kept is better than its parent beyond noise, or as good with less
 * code (verifier/next-step.ts). Whatever doesn't fit an honest run is flagged for a person, once it would be kept.
 *
 * The order of what a plan has besides its scorer, each for what got so far alone: stages, the scorer's first run, limits,
 * gates, the other runs that the verifier wants, stages of the kind `last`, and the holdout, which is asked least.
 */
export function decide(dispute: Case): Decision {
  const { measurements, plan, baseline, known } = dispute;
  const stage = staged(dispute, 'first', parentScore(known));
  if (stage !== undefined) return stage;
  const last = measurements.at(-1);
  if (last === undefined) return { kind: 'measure', role: 'candidate' };
  if (last.outcome !== 'scored' || last.score === undefined) return verdict(last.outcome === 'scored' ? 'no-score' : last.outcome, failure(dispute, last));
  const startRuns = scorerRuns(dispute.all?.start ?? []);
  const signals = [...measurements.flatMap((measured) => suspicion(measured, baseline, plan.trainPy) ?? []), fasterLater(measurements, startRuns) ?? [], beyondBelief(known, last, baseline) ?? [], ...dispute.signals].flat();
  const voiding = signals.find(({ code }) => code === SCORER_CHANGED);
  if (voiding !== undefined) return verdict('flagged', { ...scores(dispute), ...voiding });

  const step = nextStep(known, dispute.care, saved(dispute));
  if (step.kind === 'decided' && step.as === 'discarded') return verdict('discarded', evidenceFor(dispute, step.how));
  // It looks better: only now is it worth more than the scorer's own runs.
  const bounded = limitedAndGated(dispute, step.kind === 'decided' ? evidenceFor(dispute, step.how) : scores(dispute), step.kind === 'decided');
  if (bounded !== undefined) return bounded;
  if (step.kind === 'measure') return { kind: 'measure', role: step.whom };
  const evidence = evidenceFor(dispute, step.how);
  const [signal] = signals;
  if (signal !== undefined) return verdict('flagged', { ...evidence, ...signal });
  // What waits for the end of the night meets its last checks there.
  if (step.how === 'night') return { kind: 'waiting', evidence };
  return staged(dispute, 'last', parentScore(known)) ?? heldOut(dispute, evidence, (told) => (step.as === 'waiting' ? { kind: 'waiting', evidence: told } : verdict('kept', told)));
}

function verdict(word: Verdict, evidence: Evidence): Decision {
  return { kind: 'verdict', verdict: word, evidence };
}

function failure({ measurements, known }: Case, last: Measured): Evidence {
  return { reason: measurements.length === 1 ? last.why : `Run ${measurements.length} of it: ${last.why}`, parentScore: parentScore(known) };
}

function evidenceFor(dispute: Case, how: Grounds): Evidence {
  const { known, plan, tokens, parentTokens } = dispute;
  const effect = effectOf(known);
  const shorter = how.endsWith('simpler') && tokens !== undefined && parentTokens !== undefined ? { tokens, parentTokens } : {};
  const evidence = { ...scores(dispute), ...shorter, how, ...(effect === undefined ? {} : { effect }) };
  const note = how === 'not-better' ? undefined : leap(plan.metric, evidence.parentScore, evidence.score, effect);
  return { ...evidence, reason: reasonOf({ ...evidence, metric: plan.metric }), ...(note === undefined ? {} : { note }) };
}

/**
 * What candidate and parent scored, in the metric's unit. Where they ran in turns it is the means of those runs, so a champion's
 * score is not that of the lucky first one.
 */
function scores({ known, measurements }: Case): Pick<Evidence, 'score' | 'parentScore'> {
  const { candidate } = known.trial;
  const turns = inTurns(known.trial);
  const only = measurements.every(({ score }) => score === measurements[0]?.score) ? measurements[0]?.score : undefined;
  return {
    score: only ?? offScale(known.scale, mean(turns?.candidate ?? candidate)),
    parentScore: turns === undefined ? parentScore(known) : offScale(known.scale, mean(turns.parent)),
  };
}

function parentScore({ scale, grain, parent, level }: Knowledge): number {
  return offScale(scale, grain === undefined ? (parent ?? level.level) : level.level);
}

/** Share of the parent's code tokens that the candidate does without; 0 where the language has no parser. */
function saved({ tokens, parentTokens }: Case): number {
  return tokens === undefined || parentTokens === undefined || parentTokens === 0 ? 0 : 1 - tokens / parentTokens;
}
