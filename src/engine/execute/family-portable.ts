import type { ChildProcess } from 'node:child_process';
import type { Family } from './family.ts';
import { signalGroup } from './signals.ts';
import { killTree } from './tree.ts';

/**
 * The family where there is no /proc: on macOS the process group and the tree below the command, on Windows the tree.
 * Not reached: a process that left the group and lost its parents (macOS), or whose parent has ended (Windows).
 * The tree is walked only while the command's process is not collected: afterwards its number may be another's.
 */
export function portableFamily(child: ChildProcess, pid: number): Family {
  const windows = process.platform === 'win32';
  const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const living = (): readonly number[] => {
    const alive = windows ? !ended() : signalGroup(pid, 0);
    return alive ? [pid] : [];
  };
  return {
    ask: () => {
      // Windows has no polite signal for a program without a window.
      if (!windows) signalGroup(pid, 'SIGTERM');
    },
    members: living,
    living,
    kill: async () => {
      // First the tree: once its parents are dead, nobody can tell who belonged to it.
      if (!ended()) await killTree(pid);
      if (!windows) signalGroup(pid, 'SIGKILL');
      return living();
    },
  };
}
