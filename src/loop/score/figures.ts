/** Numbers by name, in the order in which they were last seen. */
export type Figures = ReadonlyMap<string, number>;

/** More than a report of results needs, and a bound for the ledger where a loop prints a new name each time. */
export const MOST_FIGURES = 64;

/** Keeps the last value under a name. What isn't finite is left out: a ledger line can't hold it. */
export function note(figures: Map<string, number>, name: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || name === '' || name.length > 120) return;
  figures.delete(name);
  figures.set(name, value + 0);
}

/** The last ones, without the one of this name. */
export function others(figures: Figures, except: string): readonly { readonly name: string; readonly value: number }[] {
  return [...figures].filter(([name]) => name !== except).slice(-MOST_FIGURES).map(([name, value]) => ({ name, value }));
}
