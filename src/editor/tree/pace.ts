/** A clock and a timer. */
export interface Timers {
  /** Milliseconds from some moment on. */
  now(): number;
  /** Calls `act` after `ms`; the result takes that back. */
  after(ms: number, act: () => void): () => void;
}

export const SYSTEM_TIMERS: Timers = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls `act` soon after it was asked for, at most once in `gapMs`, and not while it is held. */
export class Pace {
  private readonly act: () => void;
  private readonly gapMs: number;
  private readonly timers: Timers;
  private lastMs = -Infinity;
  private wanted = false;
  private held: boolean;
  private cancel: (() => void) | undefined;

  constructor(act: () => void, gapMs: number, held: boolean, timers: Timers) {
    this.act = act;
    this.gapMs = gapMs;
    this.held = held;
    this.timers = timers;
  }

  ask(): void {
    this.wanted = true;
    this.plan();
  }

  /** What is asked for while it is held comes when it is let go. */
  hold(held: boolean): void {
    this.held = held;
    if (held) this.stop();
    else this.plan();
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private plan(): void {
    if (!this.wanted || this.held || this.cancel !== undefined) return;
    this.cancel = this.timers.after(Math.max(0, this.lastMs + this.gapMs - this.timers.now()), () => {
      this.cancel = undefined;
      this.wanted = false;
      this.lastMs = this.timers.now();
      this.act();
    });
  }
}
