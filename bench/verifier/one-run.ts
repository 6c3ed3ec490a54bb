import { median } from '../../src/loop/median.ts';
import { deviation, withRepeats, NO_SPREAD } from '../../src/loop/verifier/spread.ts';
import type { Rule } from './world.ts';

/**
 * What the rule of another project makes of an attempt's one run. Values are oriented (more is better), in order, and begin
 * with the baseline; `keeps` are those of `past` that were kept, the baseline among them.
 */
export type OneRun = (value: number, past: readonly number[], keeps: readonly number[], level: number) => boolean;

/**
 * karpathy/autoresearch, program.md, "The experiment loop": an attempt that improved val_bpb advances the branch, an equal or
 * worse one is reset. (Its simplicity criterion is the agent's judgement and can't be played.)
 */
export const strictly: OneRun = (value, _past, keeps) => value > best(keeps);

/**
 * davebcn87/pi-autoresearch, extensions/pi-autoresearch/index.ts, computeConfidence: the distance of the best keep from the
 * *baseline*, divided by the median absolute deviation of all values so far, this one among them; none below three values or
 * where that deviation is 0; green from 2. There it is advice to an agent that keeps what is better. Here, which flatters it,
 * an agent that heeds it: better than the best keep, and green. (Its filter `metric > 0` passes all that real metrics score.)
 */
export const medianDeviation: OneRun = (value, past, keeps) => {
  if (value <= best(keeps) || past.length < 2) return false;
  const values = [...past, value];
  const middle = median(values);
  const spread = median(values.map((one) => Math.abs(one - middle)));
  return spread > 0 && (value - (past[0] ?? 0)) / spread >= 2;
};

/**
 * autojudge (dean0x/autolab, auto-judge/auto_judge.py, estimate_noise_floor and compute_verdict): the gain over the best keep,
 * divided by the standard deviation of the steps between the last five keeps, this one among them as its log has it; KEEP
 * from 1.5. Below three keeps, or where that deviation is 0: KEEP from 0.3 % of the best. MARGINAL and RETEST count as not
 * kept, which flatters it: its exit code is 0 for them, and its README's script commits on 0.
 */
export const successiveKeeps: OneRun = (value, _past, keeps, level) => {
  const gain = value - best(keeps);
  if (gain <= 0) return false;
  const last = [...keeps, value].slice(-5);
  const steps = last.slice(1).map((keep, i) => keep - (last[i] ?? 0));
  const floor = last.length < 3 ? 0 : deviation(withRepeats(NO_SPREAD, steps));
  return floor > 1e-10 ? gain / floor >= 1.5 : gain >= 0.003 * level;
};

/** Plays a night by such a rule. */
export function byOneRun(rule: OneRun): Rule {
  return (world) => {
    const first = world.baseline();
    const past = [first];
    const keeps = [first];
    for (const attempt of world.effects.keys()) {
      const value = world.candidate(attempt);
      if (rule(value, past, keeps, LEVEL)) {
        keeps.push(value);
        world.keep(attempt);
      }
      past.push(value);
    }
  };
}

/** The metric's level in standard deviations of one run: in the published traces of val_bpb a run varies by about 0.4 %. */
const LEVEL = 250;

function best(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}
