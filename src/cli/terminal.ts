import { createInterface } from 'node:readline/promises';
import { HumanError } from '../errors.ts';
import { EXIT } from './exit.ts';
import { hearInterrupts, Interrupted } from './interrupt.ts';
import { visible } from '../loop/visible.ts';
import { ownName } from './self.ts';

/** The terminal that a command runs in. */
export interface Terminal {
  /** To a pipe byte for byte; to a screen what it would obey is shown. */
  readonly out: (text: string) => void;
  /** The same for text whose control characters are ours: colours. What it quotes is cleaned already. */
  readonly outColoured: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly colour: boolean;
  /** Width in columns; without end where no terminal shows it: nothing that a file or a program gets is cut. */
  readonly width: number;
  /** Absolute folder in which the command was called. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How this program is called from that folder. */
  readonly self: string;
  /** True where the person said yes; an empty answer is `otherwise`, by default yes; an end of input is no. Rejects with Interrupted. */
  readonly confirm: (question: string, otherwise?: 'yes' | 'no') => Promise<boolean>;
}

/** Width in columns of texts that are set in lines, wherever they go. */
export function textWidth({ width }: Pick<Terminal, 'width'>): number {
  return Number.isFinite(width) ? width : 120;
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
    out: (text) => write(stdout.isTTY ? visible(text) : text),
    outColoured: write,
    err: (text) => void stderr.write(stderr.isTTY ? visible(text) : text),
    interactive: stdin.isTTY && stdout.isTTY,
    colour: stdout.isTTY && env['NO_COLOR'] === undefined,
    width: stdout.isTTY ? widthOf(stdout.columns, env) : Infinity,
    get cwd() {
      return currentFolder();
    },
    env,
    get self() {
      return ownName({ env, cwd: currentFolder(), node: process.execPath, script: process.argv[1] ?? 'dist/cli.js', platform: process.platform });
    },
    confirm: (question, otherwise = 'yes') => ask(`${visible(question)} ${otherwise === 'yes' ? '[Y/n]' : '[y/N]'} `, otherwise),
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

/** What a person set counts; a terminal that doesn't know its width is as wide as they were. */
function widthOf(columns: number, env: NodeJS.ProcessEnv): number {
  const given = /^\d+$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  return given || columns || 80;
}

async function ask(question: string, otherwise: 'yes' | 'no'): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const interrupts = hearInterrupts();
  const { promise: left, resolve: leave, reject: interrupt } = Promise.withResolvers<string>();
  // A terminal that reads keys one by one gives Ctrl-C as a key, any other as a signal.
  lines.once('SIGINT', () => interrupt(new Interrupted()));
  interrupts.signal.addEventListener('abort', () => interrupt(new Interrupted()), { once: true });
  lines.once('close', () => leave('no'));
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(question), left])).trim() || otherwise);
  } finally {
    interrupts.ignore();
    lines.close();
  }
}
