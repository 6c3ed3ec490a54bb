import { normalAbove } from '../verifier/student.ts';

/** How much one run varies, as far as it is known. */
export interface Noise {
  readonly sd: number;
  /** Standard deviation of the logarithm of `sd`: 0 where it was given. */
  readonly uncertainty: number;
}

/** What a kept attempt has to be compared with. */
export interface Luck {
  /** How far it lies above the level from which it started, in the metric's unit. */
  readonly above: number;
  /** Variance of that level, in units of one run's. */
  readonly levelVariance: number;
  /** Attempts on that level up to this one: the best of so many was kept. */
  readonly draws: number;
}

/**
 * Chance that the best of `draws` attempts that change nothing comes out so far above their common level. What isn't known is
 * averaged over: where that level is, and how large the noise.
 */
export function chanceOfLuck({ above, levelVariance, draws }: Luck, { sd, uncertainty }: Noise): number {
  if (sd === 0) return above > 0 ? 0 : 1;
  let chance = 0;
  for (const size of NODES) {
    const noise = sd * Math.exp(uncertainty * size.at);
    for (const level of NODES) {
      const over = above / noise - level.at * Math.sqrt(levelVariance);
      // 1 − (1 − p)^draws, exact where p is tiny.
      chance += size.weight * level.weight * -Math.expm1(draws * Math.log1p(-normalAbove(over)));
    }
  }
  return Math.min(1, Math.max(0, chance));
}

/** A standard normal on a grid. */
const NODES = ((): readonly { readonly at: number; readonly weight: number }[] => {
  const at = Array.from({ length: 33 }, (_, i) => (i - 16) / 4);
  const total = at.reduce((sum, z) => sum + Math.exp((-z * z) / 2), 0);
  return at.map((z) => ({ at: z, weight: Math.exp((-z * z) / 2) / total }));
})();

/**
 * Chance that the attempts after a keep score so much better than those before it when both come from one distribution:
 * Mann and Whitney's rank sum with its normal approximation. 1 where there are too few to say anything.
 */
export function chanceOfRise(before: readonly number[], after: readonly number[]): number {
  if (before.length < LEAST || after.length < LEAST) return 1;
  const all = [...before.map((value) => ({ value, late: false })), ...after.map((value) => ({ value, late: true }))].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let tied = 0;
  for (let from = 0, to = 0; from < all.length; from = to) {
    let late = 0;
    for (to = from; to < all.length && all[to]?.value === all[from]?.value; to++) if (all[to]?.late === true) late++;
    // Equal values share the middle of their ranks.
    rankSum += (late * (from + 1 + to)) / 2;
    tied += (to - from) ** 3 - (to - from);
  }
  const n = all.length;
  const pairs = before.length * after.length;
  const wins = rankSum - (after.length * (after.length + 1)) / 2;
  const variance = (pairs / 12) * (n + 1 - tied / (n * (n - 1)));
  return variance <= 0 ? 1 : normalAbove((wins - pairs / 2 - 0.5) / Math.sqrt(variance));
}

const LEAST = 3;

/** Runs of each of two texts that show a difference of this size (error 5 %, power 80 %); undefined where that takes more than 100. */
export function runsToSettle(gain: number, sd: number): number | undefined {
  const runs = Math.max(2, Math.ceil(2 * ((1.645 + 0.842) * sd / gain) ** 2));
  return runs > 100 ? undefined : runs;
}

/** How many of so many attempts without any effect a rule keeps on the average that keeps whatever beats the best single run so far. */
export function keepsOfNothing(attempts: number): number {
  let sum = 0;
  for (let i = 1; i <= attempts; i++) sum += 1 / (i + 1);
  return sum;
}
