import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onlyStreams } from '../../wire/inherited.ts';
import type { Command } from '../command.ts';
import { MARK_NAME } from './family-linux.ts';
import type { PipePool } from './pipes.ts';
import { outputPipes } from './proc.ts';
import { startErrorSentence } from './start-error.ts';

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** How /proc shows the two streams at whoever holds them. */
  readonly outputs: readonly string[];
}

/** Starts a command, or says in one sentence why it cannot be started. Once this resolves the command runs; nothing of it has been read. */
export async function start(command: Command, mark: string, pipes: PipePool | undefined): Promise<Started | string> {
  const out = pipes?.open();
  const err = pipes?.open();
  try {
    const child = spawn(command.file, command.args, {
      ...(command.verbatim === true && { windowsVerbatimArguments: true }),
      cwd: command.cwd,
      env: { ...command.env, [MARK_NAME]: mark },
      stdio: onlyStreams(['ignore', out?.writer ?? 'pipe', err?.writer ?? 'pipe']),
      // A group (and session) of its own on POSIX; on Windows it would be a window of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
    const stdout = out?.reader ?? child.stdout;
    const stderr = err?.reader ?? child.stderr;
    if (stdout === null || stderr === null) throw new TypeError('a stream of the child is missing');
    // Only Node's sockets have to be looked up at the command, which may have ended by now: one more reason for real pipes.
    const outputs = out !== undefined && err !== undefined ? [out.name, err.name] : outputPipes(child.pid);
    return { child, pid: child.pid, stdout, stderr, outputs };
  } catch (error) {
    out?.reader.destroy();
    err?.reader.destroy();
    return startErrorSentence(command, error);
  } finally {
    out?.closeWriter();
    err?.closeWriter();
  }
}
