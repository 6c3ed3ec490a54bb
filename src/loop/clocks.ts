import { duration } from './stop.ts';

/** What the clocks of a machine show in one moment, in milliseconds. */
export interface Clocks {
  /** The clock for people, since 1970: it can be set. */
  readonly wallMs: number;
  /** Goes evenly, and can't be set. On Linux it stands still while the machine sleeps, elsewhere it goes on. */
  readonly steadyMs: number;
  /** Since the machine was started, its sleep included; on Linux alone. */
  readonly bootMs?: number;
}

/** What went by that was no time of work, in milliseconds. */
export interface Slips {
  /** The machine slept. */
  readonly sleptMs: number;
  /** The clock was set by so much; less than 0 where it was set back. */
  readonly setMs: number;
  /** The engine's process stood still while the machine was awake: it was stopped, or starved. */
  readonly stalledMs: number;
}

export const NO_SLIPS: Slips = { sleptMs: 0, setMs: 0, stalledMs: 0 };

/**
 * What happened between two looks at the clocks, which follow each other in about a second while all is well. A longer gap
 * is a sleep where only the gap shows one, and else a process that stood still.
 */
export function slipsBetween(from: Clocks, to: Clocks): Slips {
  const steadyMs = to.steadyMs - from.steadyMs;
  const told = from.bootMs === undefined || to.bootMs === undefined ? undefined : Math.max(0, to.bootMs - from.bootMs - steadyMs);
  const gapMs = steadyMs >= GAP_MS ? steadyMs : 0;
  const setMs = to.wallMs - from.wallMs - steadyMs - (told ?? 0);
  return told === undefined ? { sleptMs: gapMs, setMs, stalledMs: 0 } : { sleptMs: told, setMs, stalledMs: gapMs };
}

export function addedSlips(a: Slips, b: Slips): Slips {
  return { sleptMs: a.sleptMs + b.sleptMs, setMs: a.setMs + b.setMs, stalledMs: a.stalledMs + b.stalledMs };
}

export function slipsSince(before: Slips, now: Slips): Slips {
  return { sleptMs: now.sleptMs - before.sleptMs, setMs: now.setMs - before.setMs, stalledMs: now.stalledMs - before.stalledMs };
}

/** What these slips were, as words that a sentence goes on from; undefined where they are too small to matter. The worst of them alone. */
export function slipWords({ sleptMs, setMs, stalledMs }: Slips): string | undefined {
  if (sleptMs >= LEAST_MS) return `the machine slept for ${duration(sleptMs)}`;
  if (Math.abs(setMs) >= LEAST_MS) return `the clock was set ${setMs > 0 ? 'forward' : 'back'} by ${duration(Math.abs(setMs))}`;
  return stalledMs > 0 ? `Ratchet's engine stood still for ${duration(stalledMs)}` : undefined;
}

/** A clock that is steered goes a little faster or slower; one that jumps by so much was set. In milliseconds. */
export const LEAST_MS = 1000;
/** A busy machine lets a process wait, but not for so long. In milliseconds. */
export const GAP_MS = 10_000;
