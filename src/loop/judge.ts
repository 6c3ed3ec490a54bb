import type { Evidence, Measured, MeasurementRole, Metric, RunPlan, Verdict } from '../records.ts';

/** One side of a comparison: an attempt's text as measured so far. */
export interface Side {
  /** In the order in which they were made. */
  readonly measurements: readonly Measured[];
  /** Code tokens by the real parser; absent where the language has none. */
  readonly tokens?: number;
}

export interface Case {
  readonly plan: Pick<RunPlan, 'metric' | 'trainPy'>;
  readonly candidate: Side;
  readonly parent: Side;
  /** The baseline's first measurement: how many values an honest run prints, and which files it alters. */
  readonly baseline: Measured;
}

/** What the judge says: a verdict that is final, or the next measurement that it wants. */
export type Decision =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly evidence: Evidence }
  | { readonly kind: 'measure'; readonly role: MeasurementRole };

/**
 * Decides an attempt from the evidence so far. The keep rule: better than the parent in the metric's direction; an equal
 * score with fewer code tokens is kept too. Whatever doesn't fit an honest run is flagged for a person.
 */
export function decide(dispute: Case): Decision {
  const measured = last(dispute.candidate, 'candidate');
  if (measured === undefined) return { kind: 'measure', role: 'candidate' };
  const parent = last(dispute.parent, 'candidate');
  if (parent?.score === undefined) throw new Error('The parent of an attempt has no score.');

  if (measured.outcome !== 'scored' || measured.score === undefined)
    return verdict(measured.outcome === 'scored' ? 'no-score' : measured.outcome, { reason: measured.why, parentScore: parent.score });

  const evidence = { score: measured.score, parentScore: parent.score };
  const gain = improvement(dispute.plan.metric, parent.score, measured.score);
  const signal = suspicion(measured, dispute.baseline, dispute.plan.trainPy);
  const memory = dispute.plan.trainPy ? memoryOver(measured, dispute.baseline) : undefined;
  if (memory !== undefined && gain >= 0) return verdict('discarded', { ...evidence, reason: memory });
  // A run that changed what it is measured by is void, whatever it scored. Otherwise, what doesn't even look better needs no person.
  if (signal !== undefined && (gain > 0 || signal.code === SCORER_CHANGED)) return verdict('flagged', { ...evidence, ...signal });
  if (gain > 0) return verdict('kept', { ...evidence, reason: 'It scores better than its parent.' });
  if (gain < 0) return verdict('discarded', { ...evidence, reason: 'It scores worse than its parent.' });

  const { tokens } = dispute.candidate;
  const { tokens: parentTokens } = dispute.parent;
  if (tokens !== undefined && parentTokens !== undefined && tokens < parentTokens) {
    const shorter = { ...evidence, tokens, parentTokens };
    if (signal !== undefined) return verdict('flagged', { ...shorter, ...signal });
    return verdict('kept', { ...shorter, reason: `The same score with less code: ${tokens} code tokens instead of ${parentTokens}.` });
  }
  return verdict('discarded', { ...evidence, reason: 'The same score: no real difference.' });
}

/** How much better `score` is than `from`, in the metric's unit; negative when worse. */
export function improvement(metric: Metric, from: number, score: number): number {
  return metric.direction === 'higher' ? score - from : from - score;
}

function verdict(word: Verdict, evidence: Evidence): Decision {
  return { kind: 'verdict', verdict: word, evidence };
}

function last(side: Side, role: MeasurementRole): Measured | undefined {
  return side.measurements.findLast((measurement) => measurement.role === role);
}

function suspicion(measured: Measured, baseline: Measured, trainPy: boolean): Pick<Evidence, 'code' | 'reason'> | undefined {
  const harmless = new Set(baseline.altered);
  const altered = measured.altered?.filter((file) => !harmless.has(file)) ?? [];
  if (altered.length > 0)
    return { code: SCORER_CHANGED, reason: `While it ran it changed ${listed(altered)}, which the start file leaves alone.` };
  const fewer = COUNTS.find((name) => (measured.metrics?.[name] ?? Infinity) < (baseline.metrics?.[name] ?? -Infinity));
  if (fewer !== undefined)
    return { code: 'fewer-checks', reason: `Only ${measured.metrics?.[fewer] ?? 0} ${fewer} ran; the start file ran ${baseline.metrics?.[fewer] ?? 0}.` };
  if (measured.conflict !== undefined) return { code: 'conflicting-scores', reason: measured.conflict };
  if (measured.source === RESULT_FILE && baseline.source !== RESULT_FILE)
    return { code: 'conflicting-scores', reason: 'It wrote a result file of its own; the start file wrote none.' };
  if (measured.values > baseline.values)
    return { code: 'conflicting-scores', reason: `It printed ${measured.values} values of the metric; the start file printed ${baseline.values}.` };
  const trained = measured.metrics?.['training_seconds'];
  const usual = baseline.metrics?.['training_seconds'];
  if (trainPy && trained !== undefined && usual !== undefined && trained > usual + Math.max(0.1 * usual, 2))
    return { code: 'trained-longer', reason: `It trained for ${trained} s; the start file trains for ${usual} s.` };
  return undefined;
}

/** A train.py may use a tenth more memory than the start file. */
function memoryOver(measured: Measured, baseline: Measured): string | undefined {
  const used = measured.metrics?.['peak_vram_mb'];
  const usual = baseline.metrics?.['peak_vram_mb'];
  if (used === undefined || usual === undefined || usual <= 0 || used <= 1.1 * usual) return undefined;
  return `It uses ${used} MB of memory; the start file uses ${usual} MB, and a tenth more is allowed.`;
}

/** Signal of a run that wrote over files of the workspace. */
const SCORER_CHANGED = 'scorer-changed';

/** Names under which scorers and runners' reports count what they checked. */
const COUNTS = ['checks', 'tests', 'benchmarks'] as const;

/** As loop/score.ts names a value that was read from RATCHET_RESULT. */
const RESULT_FILE = 'result-file';

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 3).join(', ');
  return files.length > 3 ? `${shown} and ${files.length - 3} more` : shown;
}
