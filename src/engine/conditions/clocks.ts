import { readFileSync } from 'node:fs';
import type { Clocks } from '../../loop/clocks.ts';

/** Reads the clocks of a machine. */
export type ReadClocks = () => Clocks;

/** The clocks of this machine, all of one moment. */
export function systemClocks(): Clocks {
  for (let tries = 1; ; tries++) {
    const before = performance.now();
    const wallMs = Date.now();
    const bootMs = sinceBoot();
    const steadyMs = performance.now();
    // Whoever was interrupted in between read them of two moments.
    if (steadyMs - before < ONE_MOMENT_MS || tries === MOST_TRIES) return { wallMs, steadyMs, ...(bootMs === undefined ? {} : { bootMs }) };
  }
}

const ONE_MOMENT_MS = 5;
const MOST_TRIES = 5;

/** On Linux the system says how long ago it was started, its sleep included, which the steady clock leaves out. */
function sinceBoot(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const seconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    return seconds > 0 ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
