import type { Measured, Signal } from '../../records.ts';

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

/** Names under which scorers and runners' reports count what they checked. */
const COUNTS = ['checks', 'tests', 'benchmarks'] as const;

/** As loop/score.ts names a value that was read from RATCHET_RESULT. */
const RESULT_FILE = 'result-file';

function listed(files: readonly string[]): string {
  const shown = files.slice(0, 3).join(', ');
  return files.length > 3 ? `${shown} and ${files.length - 3} more` : shown;
}
