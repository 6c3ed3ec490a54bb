import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { GUARD_SCRIPT } from './guard-script.ts';

/** Ends what the engine started if the engine itself is killed. Executions are named by their mark. */
export interface Guard {
  /** Called before a command starts: there is no moment in which nobody watches it. The mark is made of letters, digits, `.`, `_`, `-`. */
  watch(mark: string): void;
  /** Adds the process group that the command got. */
  group(mark: string, group: number): void;
  /** Adds a control group that the command is in. */
  inside(mark: string, folder: string): void;
  /** Called when nothing of the execution is left. */
  forget(mark: string): void;
  /** Ends the guard, and what it still watches. Resolves when its process is gone. */
  dispose(): Promise<void>;
}

/**
 * Starts a guard: one small `sh`, in a session of its own so that Ctrl-C does not reach it, which reads names from a pipe.
 * When the pipe ends, because the engine closed it or died in whatever way, it kills what was not forgotten.
 * On Windows there is no such thing; the next start of the engine looks for leftovers.
 */
export function startGuard(): Guard {
  if (process.platform === 'win32') {
    return { watch: () => undefined, group: () => undefined, inside: () => undefined, forget: () => undefined, dispose: () => Promise.resolve() };
  }
  const watched = new Map<string, number | undefined>();
  const folders = new Map<string, readonly string[]>();
  let shell = startShell();
  const line = (mark: string, group: number | undefined): string =>
    group === undefined ? `watch ${mark}\n` : `group ${mark} ${String(group)}\n`;
  const tell = (text: string): void => { shell.stdin?.write(text); };
  return {
    watch: (mark) => {
      if (!/^[\w.-]+$/.test(mark)) throw new TypeError(`Not a mark: ${mark}`);
      if (hasEnded(shell)) {
        shell = startShell();
        for (const [each, group] of watched) tell(line(each, group));
        for (const [each, all] of folders) for (const folder of all) tell(`inside ${each} ${folder}\n`);
      }
      watched.set(mark, undefined);
      tell(line(mark, undefined));
    },
    group: (mark, group) => {
      watched.set(mark, group);
      tell(line(mark, group));
    },
    inside: (mark, folder) => {
      // The guard parts its words at spaces.
      if (/\s/.test(folder)) return;
      folders.set(mark, [...(folders.get(mark) ?? []), folder]);
      tell(`inside ${mark} ${folder}\n`);
    },
    forget: (mark) => {
      watched.delete(mark);
      folders.delete(mark);
      tell(`forget ${mark}\n`);
    },
    dispose: async () => {
      const ended = hasEnded(shell) ? undefined : new Promise((resolve) => shell.once('exit', resolve));
      shell.ref();
      shell.stdin?.end();
      await ended;
    },
  };
}

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'ratchet-guard'], {
    // No mark, so that it is nobody's stray; no folder that someone may want to remove.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Whatever happens to it, the engine goes on; the next `watch` starts another one.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return shell;
}

function hasEnded(shell: ChildProcess): boolean {
  return shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null;
}
