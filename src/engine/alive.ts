import { readStat } from './execute/proc.ts';

/** Whether a process of this number lives. One that has ended and only waits to be collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process: it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return readStat(pid)?.alive ?? process.platform !== 'linux';
}
