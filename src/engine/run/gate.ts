/** The gate before each attempt: closed while a run is paused. */
export class Gate {
  private waiting: (() => void)[] = [];
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  close(): void {
    this.closed = true;
  }

  /** Lets everybody pass who waits. */
  open(): void {
    this.closed = false;
    for (const pass of this.waiting.splice(0)) pass();
  }

  /** Resolves at once while the gate is open, else when it opens or the signal fires. */
  async passage(signal: AbortSignal): Promise<void> {
    if (!this.closed || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
