import type { Evidence, Grounds, Measured, MeasurementRole, RunPlan, Signal, Verdict } from '../records.ts';
import { effectOf } from './judge/effect.ts';
import { reasonOf } from './judge/reason.ts';
import { memoryOver, SCORER_CHANGED, suspicion } from './judge/suspicion.ts';
import type { Knowledge } from './verifier/knowledge.ts';
import { nextStep, type Care } from './verifier/next-step.ts';
import { offScale } from './verifier/scale.ts';
import { mean } from './verifier/spread.ts';

export interface Case {
  readonly plan: Pick<RunPlan, 'metric' | 'trainPy'>;
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
  /** The baseline's first measurement: how many values an honest run prints, and which files it alters. */
  readonly baseline: Measured;
}

/** What the judge says: a verdict that is final, the next measurement that it wants, or that only a person can decide. */
export type Decision =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly evidence: Evidence }
  | { readonly kind: 'waiting'; readonly evidence: Evidence }
  | { readonly kind: 'measure'; readonly role: Extract<MeasurementRole, 'candidate' | 'parent'> };

/**
 * Decides an attempt from the evidence so far. What is kept is better than its parent beyond noise, or as good with less
 * code (verifier/next-step.ts). Whatever doesn't fit an honest run is flagged for a person, once it would be kept.
 */
export function decide(dispute: Case): Decision {
  const { measurements, plan, baseline, known } = dispute;
  const last = measurements.at(-1);
  if (last === undefined) return { kind: 'measure', role: 'candidate' };
  if (last.outcome !== 'scored' || last.score === undefined) return verdict(last.outcome === 'scored' ? 'no-score' : last.outcome, failure(dispute, last));
  const signals = [...measurements.flatMap((measured) => suspicion(measured, baseline, plan.trainPy) ?? []), ...dispute.signals];
  const voiding = signals.find(({ code }) => code === SCORER_CHANGED);
  if (voiding !== undefined) return verdict('flagged', { ...scores(dispute, 'not-better'), ...voiding });

  const step = nextStep(known, dispute.care, saved(dispute));
  if (step.kind === 'measure') return { kind: 'measure', role: step.whom };
  if (step.as === 'discarded') return verdict('discarded', evidenceFor(dispute, step.how));
  const memory = plan.trainPy ? memoryOver(last, baseline) : undefined;
  if (memory !== undefined) return verdict('discarded', { ...evidenceFor(dispute, step.how), reason: memory });
  const [signal] = signals;
  if (signal !== undefined) return verdict('flagged', { ...evidenceFor(dispute, step.how), ...signal });
  return step.as === 'waiting' ? { kind: 'waiting', evidence: evidenceFor(dispute, step.how) } : verdict('kept', evidenceFor(dispute, step.how));
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
  const evidence = { ...scores(dispute, how), ...shorter, how, ...(effect === undefined ? {} : { effect }) };
  return { ...evidence, reason: reasonOf({ ...evidence, metric: plan.metric }) };
}

/** What candidate and parent scored, in the metric's unit. A champion's score is from the runs that confirmed it, not from the lucky first one. */
function scores({ known, measurements }: Case, how: Grounds): Pick<Evidence, 'score' | 'parentScore'> {
  const { candidate, counted } = known.trial;
  const only = measurements.every(({ score }) => score === measurements[0]?.score) ? measurements[0]?.score : undefined;
  const values = how === 'confirmed' && counted.length > 0 ? counted : how === 'simpler' ? candidate.slice(1) : candidate;
  return { score: only ?? offScale(known.scale, mean(values)), parentScore: parentScore(known) };
}

function parentScore({ scale, grain, parent, level }: Knowledge): number {
  return offScale(scale, grain === undefined ? (parent ?? level.level) : level.level);
}

/** Share of the parent's code tokens that the candidate does without; 0 where the language has no parser. */
function saved({ tokens, parentTokens }: Case): number {
  return tokens === undefined || parentTokens === undefined || parentTokens === 0 ? 0 : 1 - tokens / parentTokens;
}
