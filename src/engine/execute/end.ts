import type { Family } from './family.ts';
import { linuxFamily } from './family-linux.ts';
import { portableFamily } from './family-portable.ts';
import { readStat } from './proc.ts';
import type { Started } from './start.ts';

/** How long a polite request may take before everything is killed, in milliseconds: enough to remove a lock or a folder. */
const ASK_MS = 1_000;
/** How long killing may take before what is left is reported, in milliseconds. A process that frees much memory needs a while. */
const KILL_MS = 3_000;

/**
 * The family of a command that was just started, as a group of its own and with `RATCHET_MARK=mark` in its environment.
 * `inside` gives what its control group holds, where it has one.
 */
export function familyOf({ child, pid, outputs }: Started, mark: string, inside: () => readonly number[]): Family {
  const first = readStat(pid);
  return first === undefined ? portableFamily(child, pid, mark) : linuxFamily(first, mark, outputs, inside);
}

/** Ends a family and gives the numbers of those that could not be ended. `politely`: with a short time to finish by themselves. */
export async function endFamily(family: Family, politely: boolean): Promise<readonly number[]> {
  if (politely) {
    family.ask();
    await untilNone(ASK_MS, () => family.living());
  }
  return untilNone(KILL_MS, () => family.kill());
}

async function untilNone(limitMs: number, look: () => readonly number[] | Promise<readonly number[]>): Promise<readonly number[]> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 30)) {
    const living = await look();
    if (living.length === 0 || performance.now() >= deadline) return living;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
