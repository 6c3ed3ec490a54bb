/** How much one run of the scorer varies by itself: squares pooled over everything that was measured more than once. */
export interface Spread {
  readonly squares: number;
  /** Degrees of freedom: how many independent squares. */
  readonly freedom: number;
}

export const NO_SPREAD: Spread = { squares: 0, freedom: 0 };

/** With one more independent square. */
export function withSquare(spread: Spread, square: number): Spread {
  return { squares: spread.squares + square, freedom: spread.freedom + 1 };
}

/** With the repeats of one text, which vary around their own mean. */
export function withRepeats(spread: Spread, values: readonly number[]): Spread {
  if (values.length < 2) return spread;
  const middle = mean(values);
  return { squares: spread.squares + values.reduce((sum, value) => sum + (value - middle) ** 2, 0), freedom: spread.freedom + values.length - 1 };
}

/** Standard deviation of one run; 0 where nothing varied, or nothing is known. */
export function deviation({ squares, freedom }: Spread): number {
  return freedom === 0 ? 0 : Math.sqrt(squares / freedom);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
