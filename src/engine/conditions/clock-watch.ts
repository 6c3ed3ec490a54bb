import { addedSlips, NO_SLIPS, slipsBetween, type Clocks, type Slips } from '../../loop/clocks.ts';
import type { ReadClocks } from './clocks.ts';

/** How often the clocks are looked at, in milliseconds: a process that can't look stood still. */
const BEAT_MS = 1000;

/** Looks at the clocks while a run goes on, and adds up what was no time of work. */
export class ClockWatch {
  private readonly read: ReadClocks;
  private readonly timer: NodeJS.Timeout;
  private last: Clocks;
  private total: Slips = NO_SLIPS;

  constructor(read: ReadClocks) {
    this.read = read;
    this.last = read();
    this.timer = setInterval(() => this.slips(), BEAT_MS).unref();
  }

  /** All slips since the watch began, up to this moment. */
  slips(): Slips {
    const now = this.read();
    this.total = addedSlips(this.total, slipsBetween(this.last, now));
    this.last = now;
    return this.total;
  }

  dispose(): void {
    clearInterval(this.timer);
  }
}
