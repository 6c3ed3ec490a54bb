import { utimes } from 'node:fs/promises';
import { STALE_MS } from './claim.ts';

/** How often a claim is renewed: a machine that is busy for a while must not lose what it holds. */
export const BEAT_MS = STALE_MS / 9;

/** Shows those who can't see this process that it lives: it renews the time of each path that it holds. */
export class Pulse {
  private readonly paths = new Set<string>();
  private readonly timer = setInterval(() => this.beat(), BEAT_MS).unref();

  hold(path: string): void {
    this.paths.add(path);
  }

  release(path: string): void {
    this.paths.delete(path);
  }

  dispose(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    const now = new Date();
    // One that isn't made yet, or is gone, is nobody's to take.
    for (const path of this.paths) utimes(path, now, now).catch(() => undefined);
  }
}
