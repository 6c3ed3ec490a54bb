import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { HumanError } from '../errors.ts';
import { EXIT } from './exit.ts';
import { hearInterrupts, Interrupted } from './interrupt.ts';
import { printable } from './printable.ts';

/** The terminal that a command runs in. */
export interface Terminal {
  /** To a pipe byte for byte; to a screen without what it would obey. */
  readonly out: (text: string) => void;
  /** The same for text whose control characters are ours: colours. What it quotes is cleaned already. */
  readonly outColoured: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly colour: boolean;
  /** Width in columns. */
  readonly width: number;
  /** Absolute folder in which the command was called. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How this program is called from that folder: "ratchet" where that is on the PATH. */
  readonly self: string;
  /** True where the person said yes; an empty answer is yes, an end of input is no. Rejects with Interrupted. */
  readonly confirm: (question: string) => Promise<boolean>;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // Whoever read what is printed is gone (`| head`), or the disk behind it is full: nobody waits for the rest.
  let isHeard = false;
  const write = (text: string): void => {
    if (!isHeard) stdout.on('error', leave);
    isHeard = true;
    stdout.write(text);
  };
  stderr.on('error', () => undefined);
  return {
    out: (text) => write(stdout.isTTY ? printable(text) : text),
    outColoured: write,
    err: (text) => void stderr.write(stderr.isTTY ? printable(text) : text),
    interactive: stdin.isTTY && stdout.isTTY,
    colour: stdout.isTTY && env['NO_COLOR'] === undefined,
    width: stdout.isTTY ? stdout.columns : 120,
    get cwd() {
      return currentFolder();
    },
    env,
    get self() {
      return ownName(env, currentFolder());
    },
    confirm: (question) => ask(`${question} [Y/n] `),
  };
}

function leave({ code }: NodeJS.ErrnoException): never {
  if (code !== 'EPIPE') process.stderr.write(`ratchet: what is printed can't be written (${code ?? 'unknown reason'}).\n`);
  process.exit(code === 'EPIPE' ? EXIT.interrupted : EXIT.refused);
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new HumanError('bad-use', 'The folder that you are in is gone. Go to one that exists and try again.');
  }
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const interrupts = hearInterrupts();
  const { promise: left, resolve: leave, reject: interrupt } = Promise.withResolvers<string>();
  // A terminal that reads keys one by one gives Ctrl-C as a key, any other as a signal.
  lines.once('SIGINT', () => interrupt(new Interrupted()));
  interrupts.signal.addEventListener('abort', () => interrupt(new Interrupted()), { once: true });
  lines.once('close', () => leave('no'));
  try {
    return /^(y|yes|)$/i.test((await Promise.race([lines.question(question), left])).trim());
  } finally {
    interrupts.ignore();
    lines.close();
  }
}

function ownName(env: NodeJS.ProcessEnv, cwd: string): string {
  const folders = (env['PATH'] ?? '').split(delimiter);
  if (folders.some((folder) => isAbsolute(folder) && existsSync(join(folder, process.platform === 'win32' ? 'ratchet.cmd' : 'ratchet')))) return 'ratchet';
  const script = process.argv[1] ?? 'dist/cli.js';
  const near = relative(cwd, script);
  return `node ${near.startsWith('..') ? script : near}`;
}
