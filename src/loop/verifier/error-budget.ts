/**
 * How much of the run's chance of a false keep the next attempt may use. One half of the idea is that of LORD (Javanmard &
 * Montanari 2018): the start capital is laid out over the planned attempts, and each discovery earns new capital, laid out
 * over the attempts that follow it. So a run without anything to find keeps something false with at most the chance
 * `error`, and where there is much to find the share of false keeps stays at about `error`.
 */
export interface Budget {
  /** Chance of a false keep in a whole run of no-ops: 0.05 at a confidence of 0.95. */
  readonly error: number;
  /** Attempts that the run is planned for. */
  readonly planned: number;
}

/** Chance of error for the attempt after `judged` others, of which those in `keeps` (counted from 0) were kept. */
export function errorOf({ error, planned }: Budget, judged: number, keeps: readonly number[]): number {
  const beyond = judged - planned + 1;
  // A run that goes on beyond its plan has a tenth of the capital left for all that may come.
  const start = beyond <= 0 ? (0.9 * error) / planned : (0.1 * error) / (beyond * (beyond + 1));
  const earned = keeps.filter((keep) => judged - keep <= EARNED_OVER).length * (error / EARNED_OVER);
  return Math.min(error, start + earned);
}

/** A discovery's new capital lasts for so many attempts. */
const EARNED_OVER = 60;
