import type { LedgerEvent, Measured, RunPlan } from '../../records.ts';
import { expectedAttempts } from '../forecast.ts';
import { verifierOf } from './care.ts';
import { learnCandidate, learnParent, learnVerdict, nothingKnown, postponed, type Knowledge } from './knowledge.ts';
import { deviationOnScale, onScale, scaleOf } from './scale.ts';

/**
 * What a run has learned, after one more event of its ledger. Absent until the unchanged start has its first score. Nothing
 * but the ledger goes into it, so that whoever reads the ledger later judges from the same knowledge.
 */
export function learn(known: Knowledge | undefined, event: LedgerEvent, plan: RunPlan): Knowledge | undefined {
  if (event.type === 'measured') return event.outcome === 'scored' && event.score !== undefined ? measured(known, event, event.score, plan) : known;
  if (known === undefined) return known;
  if (event.type === 'waiting') return event.evidence.how === 'night' ? postponed(known) : learnVerdict(known, 'other');
  if (event.type !== 'judged' || event.attempt === 0) return known;
  return learnVerdict(known, event.verdict !== 'kept' ? 'other' : event.evidence.how?.endsWith('simpler') === true ? 'simpler' : 'kept');
}

function measured(known: Knowledge | undefined, { attempt, role, durationMs, at }: Measured, score: number, plan: RunPlan): Knowledge | undefined {
  if (role === 'parent' || (role === 'candidate' && attempt === 0)) {
    const before = known ?? begin(plan, score, durationMs, Date.parse(at));
    return learnParent(before, onScale(before.scale, score));
  }
  return role === 'candidate' && known !== undefined ? learnCandidate(known, onScale(known.scale, score)) : known;
}

function begin(plan: RunPlan, start: number, durationMs: number, atMs: number): Knowledge {
  const { confidence, maxRepeats, noise } = verifierOf(plan);
  const scale = scaleOf(plan.metric, start);
  return nothingKnown(scale, { error: 1 - confidence, planned: expectedAttempts(plan, durationMs, atMs - durationMs) }, maxRepeats, noise === undefined ? undefined : deviationOnScale(scale, noise, start));
}
