/** The values that were used last, at most `limit` of them. */
export class Recent<T> {
  private readonly limit: number;
  private readonly values = new Map<string, T>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: string): T | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.limit && oldest !== undefined) this.values.delete(oldest);
  }

  delete(key: string): void {
    this.values.delete(key);
  }
}

/** The work that is kept under this key, or new work. What fails is forgotten, so that the next try starts afresh. */
export function recall<T>(kept: Recent<Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const begun = work();
  kept.set(key, begun);
  begun.catch(() => kept.delete(key));
  return begun;
}
