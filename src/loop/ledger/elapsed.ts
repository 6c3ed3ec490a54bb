import type { ClockSlipped, RunPlan, RunResumed, Steered } from '../../records.ts';
import type { RunState } from './state.ts';

/** A pause begins, or is over. */
export function pausing(state: RunState, { what, at }: Steered): RunState {
  if (what === 'paused') return { ...state, paused: true, pausedAt: state.pausedAt ?? at };
  const { pausedAt, ...rest } = state;
  return { ...rest, paused: false, pausedMs: state.pausedMs + (pausedAt === undefined ? 0 : lengthMs(pausedAt, at)) };
}

/** It goes on: the time in which nothing ran counts like a pause, and one that it ended in is over. */
export function resumed({ end, pausedAt, ...state }: RunState, { at }: RunResumed): RunState {
  const from = pausedAt ?? end?.aliveAt ?? end?.at ?? at;
  return { ...state, paused: false, pausedMs: state.pausedMs + lengthMs(from, at) };
}

/** Time that slipped by is none of the run, as a pause is; a pause that lasts began by the clock as it goes now. */
export function slipped(state: RunState, { what, slippedMs }: ClockSlipped): RunState {
  const { pausedAt, pausedMs, plan } = state;
  return {
    ...state,
    pausedMs: pausedMs + slippedMs,
    ...(pausedAt === undefined ? {} : { pausedAt: new Date(Date.parse(pausedAt) + slippedMs).toISOString() }),
    ...(what === 'set' ? { plan: atSetClock(plan, slippedMs) } : {}),
  };
}

/** Times of the clock are those that it shows now; of a clock whose date was wrong, on the day that was meant. */
function atSetClock(plan: RunPlan, slippedMs: number): RunPlan {
  const movedMs = Math.round(slippedMs / DAY_MS) * DAY_MS;
  const { untilMs } = plan.stop;
  return { ...plan, morningMs: plan.morningMs + movedMs, stop: { ...plan.stop, ...(untilMs === undefined ? {} : { untilMs: untilMs + movedMs }) } };
}

const DAY_MS = 24 * 3_600_000;

/** Time between two moments; none where they can't be read, or a clock was set back. */
function lengthMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? ms : 0;
}
