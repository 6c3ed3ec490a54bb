import type { Readable } from 'node:stream';

/** Between two looks at a stream, in milliseconds. Each look is one turn of the event loop at least, so waiting data has come by then. */
const TICK_MS = 50;
const QUIET_TICKS = 3;
const MOST_TICKS = 40;

/**
 * Waits until the output of an ended command has been read. Somebody out of reach may still hold it open: then it is
 * cut off as soon as nothing more comes, or after two seconds. `closed` resolves when the streams have.
 */
export async function drain(streams: readonly Readable[], closed: Promise<unknown>): Promise<void> {
  let quiet = 0;
  let ticks = 0;
  for (const stream of streams) stream.on('data', () => { quiet = 0; });
  const look = setInterval(() => {
    quiet += 1;
    ticks += 1;
    if (quiet === QUIET_TICKS || ticks === MOST_TICKS) for (const stream of streams) stream.destroy();
  }, TICK_MS);
  await closed;
  clearInterval(look);
}
