import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Command } from '../command.ts';
import { MARK_NAME } from './family-linux.ts';
import type { PipePool } from './pipes.ts';
import { startErrorSentence } from './start-error.ts';

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts a command, or says in one sentence why it cannot be started. Once this resolves the command runs; nothing of it has been read. */
export async function start(command: Command, mark: string, pipes: PipePool | undefined): Promise<Started | string> {
  const out = pipes?.open();
  const err = pipes?.open();
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: { ...command.env, [MARK_NAME]: mark },
      stdio: ['ignore', out?.writer ?? 'pipe', err?.writer ?? 'pipe'],
      // A group (and session) of its own on POSIX; on Windows it would be a window of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
    const stdout = out?.reader ?? child.stdout;
    const stderr = err?.reader ?? child.stderr;
    if (stdout === null || stderr === null) throw new TypeError('a stream of the child is missing');
    return { child, pid: child.pid, stdout, stderr };
  } catch (error) {
    out?.reader.destroy();
    err?.reader.destroy();
    return startErrorSentence(command, error);
  } finally {
    out?.closeWriter();
    err?.closeWriter();
  }
}
