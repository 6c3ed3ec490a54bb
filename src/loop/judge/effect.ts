import type { Effect } from '../../records.ts';
import type { Knowledge } from '../verifier/knowledge.ts';
import { mean } from '../verifier/spread.ts';
import { studentAbove, studentQuantile } from '../verifier/student.ts';
import { inTurns, noiseIn } from '../verifier/trial.ts';

/** How far the candidate in hand lies from its parent, as far as its runs tell; absent where nothing varies. */
export function effectOf(known: Knowledge): Effect | undefined {
  const { trial, level, scale } = known;
  if (known.grain === undefined || trial.candidate.length === 0) return undefined;
  const { sd, freedom } = noiseIn(trial, { spread: known.spread, grain: known.grain });
  const turns = inTurns(trial);
  const gain = turns === undefined ? trial.gain / trial.candidate.length : mean(turns.candidate) - mean(turns.parent);
  const error = sd * Math.sqrt(turns === undefined ? 1 / trial.candidate.length + level.ll : 1 / turns.candidate.length + 1 / turns.parent.length);
  const reach = error * studentQuantile(0.025, Math.max(1, freedom));
  const counts = { runs: turns?.candidate.length ?? trial.candidate.length, parentRuns: turns?.parent.length ?? known.parentRuns };
  // JSON has no infinity.
  const shown = (value: number): number => (scale.logarithmic ? Math.min(Number.MAX_VALUE, Math.exp(value)) : value);
  return {
    in: scale.logarithmic ? 'factor' : 'unit',
    gain: shown(gain),
    low: shown(gain - reach),
    high: shown(gain + reach),
    chance: studentAbove(gain / error, Math.max(1, freedom)),
    ...counts,
    ...(Math.min(counts.runs, counts.parentRuns) === 1 && freedom < LEAST_FREEDOM ? { rough: true } : {}),
  };
}

/** Noise from fewer than four runs makes an interval from here to the moon of a single run. */
const LEAST_FREEDOM = 3;
