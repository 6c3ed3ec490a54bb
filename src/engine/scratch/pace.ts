import { setImmediate } from 'node:timers/promises';

/** How long work may hold up everything else of the engine, in milliseconds. */
const SLICE_MS = 5;

/** Awaited between small steps of work on many files: now and then it lets the rest of the engine have its turn. */
export type Pace = () => Promise<void>;

/**
 * Work on many small files is several times cheaper in synchronous calls than in as many turns of the thread pool; this
 * cuts it into slices.
 */
export function newPace(): Pace {
  let endMs = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < endMs) return;
    await setImmediate();
    endMs = performance.now() + SLICE_MS;
  };
}
