import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { onlyStreams } from './inherited.ts';
import { HumanError } from '../errors.ts';
import type { Runtime } from './runtime.ts';

/** How an engine is started: the program and its arguments, without the root. */
export interface EngineProgram {
  /** A Node, or an Electron that is told to be one. */
  readonly node: string;
  /** The bundle that holds the engine. */
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Connection {
  readonly socket: Socket;
  readonly token: string;
}

/** Connects to the root's engine where one listens. Undefined where none does. */
export async function connectIfRunning(runtime: Runtime): Promise<Connection | undefined> {
  const socket = connectSocket(runtime.socket);
  // Whoever reads it next learns of an end by its closing.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
  } catch {
    socket.destroy();
    return undefined;
  }
  // The engine writes its token before it listens.
  const token = await readFile(runtime.token, 'utf8').catch(() => undefined);
  if (token !== undefined) return { socket, token };
  socket.destroy();
  return undefined;
}

/** Connects to the root's engine, and starts one where none listens. Rejects with what the engine said where it can't start. */
export async function connectOrStart(root: string, runtime: Runtime, program: EngineProgram): Promise<Connection> {
  const running = await connectIfRunning(runtime);
  if (running !== undefined) return running;
  const said = await startEngine(root, runtime, program);
  // Whoever won a race for the root, one engine listens now.
  const started = await connectIfRunning(runtime);
  if (started === undefined) throw new HumanError('no-engine', `The engine didn't start. ${said === '' ? `Its log is ${runtime.log}.` : said}`);
  return started;
}

/**
 * An engine lives for a night beside the person's own programs. Left alone, the memory of what a scorer prints is kept for
 * later by V8, in megabytes of young objects, and by glibc, in an arena for each thread: 200 MB where 130 do.
 */
const SMALL_HEAP = ['--max-semi-space-size=2'];
const SMALL_ARENAS = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Starts an engine that outlives this process. Resolves when it listens or has given up, with what it said. */
async function startEngine(root: string, runtime: Runtime, program: EngineProgram): Promise<string> {
  const log = await open(runtime.log, 'a', 0o600);
  const child = spawn(program.node, [...SMALL_HEAP, program.script, 'engine', '--root', root], {
    detached: true,
    // The engine's folder of work is its own: the one of the caller may vanish.
    cwd: runtime.folder,
    env: { ...SMALL_ARENAS, ...program.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: onlyStreams(['ignore', 'pipe', log.fd]),
    windowsHide: true,
  });
  try {
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    const line = await Promise.race([firstLine(child.stdout), failed]);
    return line === 'ready' ? '' : line;
  } finally {
    child.stdout?.destroy();
    child.unref();
    await log.close();
  }
}

/** The first line that a stream brings, or what it brought until its end. */
async function firstLine(stream: Readable | null): Promise<string> {
  let said = '';
  for await (const chunk of stream?.setEncoding('utf8') ?? []) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  return said.split('\n')[0]?.trim() ?? '';
}
