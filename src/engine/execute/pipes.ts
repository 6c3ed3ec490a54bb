import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readlinkSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Part of the name of every pipe here, by which /proc shows it. */
export const PIPE_NAME = 'ratchet-pipe-';

/** One direction: a command writes, the engine reads. */
export interface OutputPipe {
  readonly reader: Readable;
  /** A descriptor for the command; the engine's copy is closed by `closeWriter` once the command is started. */
  readonly writer: number;
  /** How /proc shows it at whoever holds it. */
  readonly name: string;
  closeWriter(): void;
}

/**
 * Real pipes for what commands print. Node gives its children sockets, and Linux opens no socket by name: there
 * `echo x > /dev/stderr` or `tee /dev/stderr` would fail under Ratchet and nowhere else. Node has no call for a pipe,
 * so they are named ones, made once, without a name soon after, and used again. One pool per engine.
 */
export class PipePool {
  /** One descriptor per unused pipe keeps it in being. */
  readonly #idle: number[] = [];
  #disposed = false;

  /** Undefined where there is no need (not Linux), or no way: then Node's sockets have to do. */
  open(): OutputPipe | undefined {
    if (process.platform !== 'linux') return undefined;
    let keeper: number | undefined;
    try {
      keeper = this.#idle.pop() ?? create();
      return this.#connect(keeper);
    } catch {
      if (keeper !== undefined) closeSync(keeper);
      return undefined;
    }
  }

  /** Safe to call twice. Pipes in use are given up when they are done. */
  dispose(): void {
    this.#disposed = true;
    for (const keeper of this.#idle.splice(0)) closeSync(keeper);
  }

  #connect(keeper: number): OutputPipe {
    const path = `/proc/self/fd/${String(keeper)}`;
    const name = readlinkSync(path);
    const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    let writer: number;
    try {
      writer = openSync(path, constants.O_WRONLY);
    } catch (error) {
      closeSync(end);
      throw error;
    }
    const reader = new Socket({ fd: end, readable: true, writable: false });
    reader.once('close', () => {
      // Only a pipe that was read to its end is empty and has no other writer.
      if (reader.readableEnded && !this.#disposed) this.#idle.push(keeper);
      else closeSync(keeper);
    });
    return { reader, writer, name, closeWriter: () => { closeSync(writer); } };
  }
}

function create(): number {
  const folder = mkdtempSync(join(tmpdir(), PIPE_NAME));
  try {
    const path = join(folder, 'p');
    spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' });
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
