import type { ChildProcess } from 'node:child_process';
import type { Family } from './family.ts';
import { markedProcesses } from './marked.ts';
import { signalGroup, signalProcess } from './signals.ts';
import { killTree } from './tree.ts';

/**
 * The family where there is no /proc: on macOS the process group, the tree below the command and who carries the mark, on
 * Windows the tree. Not reached: a process that left the group, lost its parents and emptied its environment, or is a
 * program of the system, whose environment it doesn't show (macOS), or whose parent has ended (Windows).
 * The tree is walked only while the command's process is not collected: afterwards its number may be another's.
 */
export function portableFamily(child: ChildProcess, pid: number, mark: string): Family {
  const bornMs = Date.now();
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
      if (windows) return living();
      signalGroup(pid, 'SIGKILL');
      const strays = (await markedProcesses(mark, bornMs)).filter((each) => each !== pid);
      for (const stray of strays) signalProcess(stray, 'SIGKILL');
      return [...living(), ...strays];
    },
  };
}
