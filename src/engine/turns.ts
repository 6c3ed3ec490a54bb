/** The queue of what executes in one root: one at a time. */
export class Turns {
  private last: Promise<void> = Promise.resolve();
  private count = 0;

  /** Whether something executes, or waits for it. */
  get isTaken(): boolean {
    return this.count > 0;
  }

  /** A place in the queue: `before` resolves when it is its turn, `end` lets the next one begin. */
  take(): { readonly before: Promise<void>; readonly end: () => void } {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const before = this.last;
    this.last = before.then(() => over);
    this.count++;
    const end = (): void => {
      this.count--;
      resolve();
    };
    return { before, end };
  }
}

/** Resolves with `wait`, or when the signal fires. */
export async function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => abort(), { once: true });
  await Promise.race([wait, aborted]);
}
