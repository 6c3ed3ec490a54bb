import type { Effect } from '../../records.ts';
import type { Knowledge } from '../verifier/knowledge.ts';
import { mean } from '../verifier/spread.ts';
import { studentAbove, studentQuantile } from '../verifier/student.ts';
import { noiseIn } from '../verifier/trial.ts';

/** How far the candidate in hand lies from its parent, as far as its runs tell; absent where nothing varies. */
export function effectOf(known: Knowledge): Effect | undefined {
  const { trial, level, scale } = known;
  if (known.grain === undefined || trial.candidate.length === 0) return undefined;
  const { sd, freedom } = noiseIn(trial, { spread: known.spread, grain: known.grain });
  // What was compared in turns stands for itself; else what is known of the parent counts.
  const inTurns = trial.parent.length > 0 && trial.counted.length > 0;
  const gain = inTurns ? mean(trial.counted) - mean(trial.parent) : trial.gain / trial.candidate.length;
  const error = sd * (inTurns ? Math.sqrt(1 / trial.counted.length + 1 / trial.parent.length) : Math.sqrt(1 / trial.candidate.length + level.ll));
  const reach = error * studentQuantile(0.025, Math.max(1, freedom));
  const shown = (value: number): number => (scale.logarithmic ? Math.exp(value) : value);
  return {
    in: scale.logarithmic ? 'factor' : 'unit',
    gain: shown(gain),
    low: shown(gain - reach),
    high: shown(gain + reach),
    chance: studentAbove(gain / error, Math.max(1, freedom)),
    runs: inTurns ? trial.counted.length : trial.candidate.length,
    parentRuns: inTurns ? trial.parent.length : known.parentRuns,
  };
}
