/** The middle value; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return NaN;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}
