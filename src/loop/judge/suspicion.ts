import type { Effect, Measured, Metric, Signal } from '../../records.ts';
import type { Knowledge } from '../verifier/knowledge.ts';

/** A run that wrote over files of the workspace: whatever it scored, it is void. */
export const SCORER_CHANGED = 'scorer-changed';

/** What one run of a candidate shows that no honest run does, beside the baseline's. */
export function suspicion(measured: Measured, baseline: Measured, trainPy: boolean): Signal | undefined {
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

/**
 * Later runs that take far less time than the first one may read what it left behind, outside of the slot. Not where the
 * start file's own first run was as slow against its later ones: that is a cold machine.
 */
export function fasterLater(runs: readonly Measured[], startRuns: readonly Measured[]): Signal | undefined {
  const [first, later] = warmUp(runs);
  const [startFirst, startLater] = warmUp(startRuns);
  if (first === undefined || later === undefined || first < FAR_SLOWER * later || first - later < LEAST_GAP_MS) return undefined;
  if (startFirst !== undefined && startLater !== undefined && startFirst > (FAR_SLOWER / 2) * startLater) return undefined;
  return { code: 'state-between-runs', reason: `Its first run took ${seconds(first)} s and a later one ${seconds(later)} s: it may read what the first one left behind.` };
}

/** The first run's time, and the longest of those after it, in milliseconds. */
function warmUp(runs: readonly Measured[]): readonly [number | undefined, number | undefined] {
  const [first, ...later] = runs.map(({ durationMs }) => durationMs);
  return [first, later.length === 0 ? undefined : Math.max(...later)];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

const FAR_SLOWER = 3;
const LEAST_GAP_MS = 1_000;

/** Where values are compared by their factor, none is a thousand times better, or nought, in one honest step: the clock or the work is gone. */
export function beyondBelief({ scale }: Knowledge, { score }: Measured, start: Measured): Signal | undefined {
  if (!scale.logarithmic || score === undefined || start.score === undefined) return undefined;
  const times = scale.sign === 1 ? score / start.score : start.score / score;
  return score > 0 && times < BELIEVABLE ? undefined : { code: 'beyond-belief', reason: `Its value of ${score} is ${score > 0 ? `${Math.round(times).toLocaleString('en-US')} times better than` : 'impossible beside'} the start file's ${start.score}: look whether the work is still done, and the clock still the clock.` };
}

const BELIEVABLE = 1_000;
const MANY_TIMES = 20;

/** From the lower half to the very top at once, or many times better: shown, and no reason to distrust it by itself. */
export function leap({ name }: Metric, parent: number | undefined, score: number | undefined, effect: Effect | undefined): string | undefined {
  if (effect?.in === 'factor' && effect.gain >= MANY_TIMES) return `It is ${Math.round(effect.gain)} times better at once: look whether it still does the work.`;
  if (name !== 'score' || parent === undefined || score !== 100 || parent >= 50) return undefined;
  return `It reached the top in one leap, from ${Number(parent.toPrecision(3))}: look whether it solves the task or the scorer.`;
}

/** Names under which scorers and runners' reports count what they checked. */
const COUNTS = ['checks', 'tests', 'benchmarks'] as const;

/** As loop/score.ts names a value that was read from RATCHET_RESULT. */
const RESULT_FILE = 'result-file';

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 3).join(', ');
  return files.length > 3 ? `${shown} and ${files.length - 3} more` : shown;
}
