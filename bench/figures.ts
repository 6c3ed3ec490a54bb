/** The value below which a share of the sorted values lies; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** The middle value; NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
