import type { Readable } from 'node:stream';
import type { ResourceLimits } from '../records.ts';
import type { Exceeded } from '../loop/score/over-limit.ts';
import type { Command } from './command.ts';
import { openCgroup, type Cgroup } from './execute/cgroup.ts';
import { after } from './execute/deadline.ts';
import { drain } from './execute/drain.ts';
import { endFamily, familyOf } from './execute/end.ts';
import type { Guard } from './execute/guard.ts';
import { limitedCommand, toldLimit } from './execute/limits.ts';
import { BoundedOutput } from './execute/output.ts';
import type { PipePool } from './execute/pipes.ts';
import { start } from './execute/start.ts';
import { watch } from './execute/watch.ts';

export interface ExecuteOptions {
  /** From the start, in milliseconds; may be months. */
  readonly timeoutMs: number;
  /** Cancels. Once the command has ended by itself, its result stands. */
  readonly signal: AbortSignal;
  /** Unique to this execution: letters, digits, `.`, `_`, `-`. In the environment as RATCHET_MARK, by which strays are found on Linux. */
  readonly mark: string;
  /** Kept of each stream, half from its beginning and half from its end; the rest is only counted. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Called with all output as it comes. Must not throw. */
  readonly onOutput?: (chunk: string, stream: 'stdout' | 'stderr') => void;
  /** Ends the command if this process is killed. */
  readonly guard?: Guard;
  /** Lets the command open its output by name on Linux, as in a terminal. */
  readonly pipes?: PipePool;
  /** What the command, with all that it starts, may use. Memory and processes are limited on Linux, the others on all POSIX systems. */
  readonly limits?: ResourceLimits;
  /** Opens the control group: where the system lets us, by default. */
  readonly cgroup?: typeof openCgroup;
}

/** How one command ended. */
export interface Execution {
  /** `timed-out`, `cancelled` and `over-limit` stand even if the command then exits with 0. */
  readonly end: 'exited' | 'timed-out' | 'cancelled' | 'over-limit' | 'not-started';
  /** Which limit, where `end` is `over-limit`. */
  readonly exceeded?: Exceeded;
  /** Of the command's own process; null where a signal ended it, or it never ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** UTF-8; other bytes read as U+FFFD. */
  readonly stdout: string;
  readonly stderr: string;
  /** Of both streams, left out of the middle. */
  readonly droppedBytes: number;
  /** Wall time of the command's own process, from its start to its exit. */
  readonly durationMs: number;
  /** Numbers of processes that could not be ended; normally empty. */
  readonly survivors: readonly number[];
  /** One sentence, where it was not started. */
  readonly startError?: string;
}

/**
 * Runs one command to its end and ends everything that it started: nothing of it is alive when this resolves, except
 * `survivors`. Its input is empty, its process group its own, its environment exactly the command's and the mark.
 * Never rejects for what the command does or fails to do.
 */
export async function execute(command: Command, options: ExecuteOptions): Promise<Execution> {
  if (options.signal.aborted) return NOTHING;
  options.guard?.watch(options.mark);
  const { limits = {}, cgroup: open = openCgroup } = options;
  const cgroup = open(limits, options.mark);
  for (const folder of cgroup?.folders ?? []) options.guard?.inside(options.mark, folder);
  try {
    return await run(limitedCommand(command, limits, cgroup), { ...options, limits }, cgroup);
  } finally {
    cgroup?.dispose();
    options.guard?.forget(options.mark);
  }
}

const NOTHING: Execution = {
  end: 'cancelled', exitCode: null, signal: null, stdout: '', stderr: '', droppedBytes: 0, durationMs: 0, survivors: [],
};

async function run(command: Command, options: ExecuteOptions & { readonly limits: ResourceLimits }, cgroup: Cgroup | undefined): Promise<Execution> {
  const { limits } = options;
  const startMs = performance.now();
  const started = await start(command, options.mark, options.pipes);
  if (typeof started === 'string') return { ...NOTHING, end: 'not-started', startError: started };
  const { child, pid } = started;
  const family = familyOf(started, options.mark, () => cgroup?.members() ?? []);
  options.guard?.group(options.mark, pid);
  const stdout = collect(started.stdout, 'stdout', options);
  const stderr = collect(started.stderr, 'stderr', options);
  const streams = [started.stdout, started.stderr];
  const closed = Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve))));
  const exited = new Promise<number>((resolve) => child.once('exit', () => { resolve(performance.now()); }));

  const watched = watch(family, limits, cgroup);
  const first = await firstEnd(exited, watched.exceeded, options);
  watched.stop();
  if (first === 'over-limit') cgroup?.close();
  const survivors = await endFamily(family, first === 'timed-out' || first === 'cancelled');
  let exitMs = performance.now();
  if (survivors.includes(pid)) {
    // The system does not let go of it: it must not hold the engine up as well.
    child.unref();
  } else {
    exitMs = await exited;
  }
  await drain(streams, closed);
  const exceeded = first === 'timed-out' || first === 'cancelled' ? undefined : cgroup?.exceeded() ?? (first === 'over-limit' ? await watched.exceeded : toldLimit(limits, child, stderr.text()));
  return {
    end: exceeded === undefined ? first : 'over-limit',
    ...(exceeded === undefined ? {} : { exceeded }),
    exitCode: child.exitCode,
    signal: child.signalCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
    durationMs: exitMs - startMs,
    survivors,
  };
}

function collect(stream: Readable, name: 'stdout' | 'stderr', { maxBytes = 2 ** 20, onOutput }: ExecuteOptions): BoundedOutput {
  const output = new BoundedOutput(maxBytes);
  const tell = (text: string): void => {
    if (text !== '') onOutput?.(text, name);
  };
  stream.on('data', (chunk: Buffer) => { tell(output.push(chunk)); });
  stream.once('close', () => { tell(output.rest()); });
  // A stream that fails is one that ends: what came before it counts.
  stream.on('error', () => undefined);
  return output;
}

async function firstEnd(exited: Promise<unknown>, exceeded: Promise<unknown>, { timeoutMs, signal }: ExecuteOptions): Promise<'exited' | 'timed-out' | 'cancelled' | 'over-limit'> {
  let callOff = (): void => undefined;
  let cancel = (): void => undefined;
  try {
    return await new Promise((resolve) => {
      cancel = () => { resolve('cancelled'); };
      callOff = after(timeoutMs, () => { resolve('timed-out'); });
      signal.addEventListener('abort', cancel);
      if (signal.aborted) cancel();
      void exited.then(() => { resolve('exited'); });
      void exceeded.then(() => { resolve('over-limit'); });
    });
  } finally {
    callOff();
    signal.removeEventListener('abort', cancel);
  }
}
