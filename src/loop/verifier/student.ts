/**
 * Normal and Student's t distribution, as far as a one-sided test needs them. Sources: Abramowitz & Stegun 26.2.23 refined by
 * Newton steps (normal quantile); G. W. Hill, "Algorithm 396: Student's t-quantiles", CACM 13 (1970).
 */

/** Chance that a standard normal value lies above `z`; relative error below 2e-7 (Numerical Recipes' erfc). */
export function normalAbove(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * x);
  const series = COEFFICIENTS.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  const tail = (t * Math.exp(-x * x + series)) / 2;
  return z >= 0 ? tail : 1 - tail;
}

const COEFFICIENTS = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
] as const;

/** The value above which a standard normal lies with this chance (0 < chance < 1). */
export function normalQuantile(chance: number): number {
  if (chance > 0.5) return -normalQuantile(1 - chance);
  const t = Math.sqrt(-2 * Math.log(chance));
  let z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let step = 0; step < 3; step++) z += (normalAbove(z) - chance) / (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI));
  return z;
}

/** The value above which Student's t with `freedom` degrees of freedom (≥ 1, any real number) lies with this chance (0 < chance < 0.5). */
export function studentQuantile(chance: number, freedom: number): number {
  const two = 2 * chance;
  if (freedom < 1.5) return 1 / Math.tan(Math.PI * chance);
  if (freedom < 2.5) return Math.sqrt(2 / (two * (2 - two)) - 2);
  const n = freedom;
  const a = 1 / (n - 0.5);
  const b = 48 / (a * a);
  let c = (((20700 * a) / b - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = (d * two) ** (2 / n);
  if (y > 0.05 + a) {
    const x = -normalQuantile(chance);
    y = x * x;
    if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b;
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
    y = Math.expm1(a * y * y);
  } else {
    y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * ((n + 1) / (n + 2)) + 1 / y;
  }
  return Math.sqrt(n * y);
}

/** Chance that Student's t with `freedom` degrees of freedom lies above `t`; between 1e-12 and 1. */
export function studentAbove(t: number, freedom: number): number {
  if (t < 0) return 1 - studentAbove(-t, freedom);
  // The quantile falls as the chance grows: the chance is looked for between its ends, in logarithms.
  let low = Math.log(1e-12);
  let high = Math.log(0.5);
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (studentQuantile(Math.exp(middle), freedom) > t) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}
