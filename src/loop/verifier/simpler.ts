import type { Knowledge } from './knowledge.ts';
import type { Step } from './next-step.ts';
import { narrower, noiseIn } from './trial.ts';
import { studentQuantile } from './student.ts';

/**
 * Less code at the same score is a win (karpathy/autoresearch, program.md), and under noise "the same" needs a test too: of
 * non-inferiority. It is kept when it is shown to lose less than the noise of one run. What earlier simplifications may have
 * lost since the last real gain counts against that margin, else a run could go down in small steps.
 */
export function simplerStep(known: Knowledge, saved: number): Step {
  const { trial, level, looks } = known;
  const { sd, freedom } = noiseIn(trial, { spread: known.spread, grain: known.grain ?? 0 });
  const runs = trial.candidate.length;
  const margin = sd - known.lost;
  const change = trial.gain / runs;
  const error = sd * Math.sqrt(1 / runs + level.ll);
  const no = { kind: 'decided', as: 'discarded', how: 'not-better' } as const;
  if (saved < WORTHWHILE || trial.counted.length > 0 || margin < LEAST_MARGIN * sd) return no;
  if (change + margin > studentQuantile(CHANCE, freedom) * error) return { kind: 'decided', as: 'kept', how: 'simpler' };
  // Too little hope left to be worth another run.
  if (change < -margin / 2 + (error * HOPE) / runs || runs >= looks.most) return no;
  return { kind: 'measure', whom: narrower(level.ll, runs) };
}

/** A test of about ten runs isn't spent on a few characters. */
const WORTHWHILE = 0.05;
const LEAST_MARGIN = 0.3;
const CHANCE = 0.01;
const HOPE = 0.5;
