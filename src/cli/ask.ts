import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { HumanError } from '../errors.ts';
import type { Ask } from '../protocol.ts';
import { OPTIONS, readChoices, type Choices } from '../loop/options.ts';
import { engineEnvironment } from '../wire/environment.ts';
import type { Terminal } from './terminal.ts';

/** The flags of commands that measure, as commander parses them. */
export interface RunFlags {
  readonly score?: string;
  readonly metric?: string;
  readonly direction?: string;
  readonly proposer?: string;
  readonly attempts?: number;
  readonly hours?: number;
  readonly until?: string;
  readonly budget?: number;
  readonly timeout?: number;
  readonly memory?: string;
  readonly processes?: number;
  readonly cpu?: number;
  readonly fileSize?: string;
  readonly keepAwake?: string;
  readonly parallel: number;
  readonly program?: string;
  readonly seed?: number;
  readonly model?: string;
  readonly confirm?: string;
  readonly sandbox?: string;
  readonly allow?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the flags that say how to measure. */
export function measuringFlags(command: Command): Command {
  return command
    .option('--score <cmd>', 'the scorer: a command that prints the score; it runs in a shell (a train.py needs none)')
    .option('--metric <name>', 'name of the value that the scorer prints (default: score; val_bpb for a train.py)')
    .option('--direction <way>', 'which way the metric is better: higher or lower; only score and val_bpb need none')
    .option('--budget <seconds>', 'time that the scorer is told to take (RATCHET_BUDGET_S); without --timeout it is ended after this time too', number)
    .option('--timeout <seconds>', 'end a run of the scorer after this time (default: by the time of the first run)', number)
    .option('--memory <size>', 'memory that a run of the scorer may hold, such as 2GB (default: 80 % of the machine\'s)')
    .option('--processes <n>', 'processes that it may have at the same time (default: 1000)', whole)
    .option('--cpu <seconds>', 'processor time that one of its processes may use (default: no limit)', whole)
    .option('--file-size <size>', 'size that a file may have which it writes, such as 10GB (default: no limit)')
    .option('--program <file>', 'file with the strategy and options (default: <file>.program.md or program.md beside the file)')
    .option('--seed <n>', 'start of the random numbers: of the search, and of the scorer as RATCHET_SEED (default: 1)', whole)
    .option('--sandbox <mode>', 'auto: confine the scorer where this system can (default); required: or run nothing; off: run it with your rights')
    .option('--allow <what>', 'give a confined scorer more: net, gpu, env:NAME, a path it may read, or write:PATH, of which it writes a private copy; may be repeated', collected)
    .option('--yes', 'run the command that program.md names without asking')
    .option('--json', 'machine-readable output, and nothing else on standard output');
}

/** What the flags ask. Rejects flags that this version can't honour. */
export function askOf(terminal: Terminal, target: string, flags: RunFlags): Ask {
  if (flags.parallel !== 1) throw new HumanError('bad-use', 'This version runs one attempt at a time: leave out --parallel, or use --parallel 1.');
  // Set to nothing is not set.
  const baseUrl = terminal.env['OPENAI_BASE_URL']?.trim() ?? '';
  const { choices, problems } = readChoices({
    scorer: flags.score, metric: flags.metric, direction: flags.direction, budget: flags.budget, timeout: flags.timeout,
    memory: flags.memory, processes: flags.processes, cpu: flags.cpu, fileSize: flags.fileSize, keepAwake: flags.keepAwake, sandbox: flags.sandbox, allow: flags.allow,
    attempts: flags.attempts, hours: flags.hours, until: flags.until, model: flags.model, confirm: flags.confirm, proposer: inFolder(flags.proposer, terminal.cwd),
  } satisfies Partial<Record<keyof Choices, unknown>>);
  const [problem] = problems;
  if (problem !== undefined) throw new HumanError('bad-use', problem.message.replaceAll(/`(\w+)`/g, (_, key: string) => `\`${flagOf(key)}\``));
  return {
    target,
    flags: choices,
    settings: {},
    env: engineEnvironment(terminal.env),
    ...(flags.program === undefined ? {} : { program: resolve(terminal.cwd, flags.program) }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(baseUrl === '' ? {} : { baseUrl }),
  };
}

/** A folder of replies is named from where the person stands; in program.md it stands in the root. */
function inFolder(proposer: string | undefined, cwd: string): string | undefined {
  const dir = /^replay:(.+)$/.exec(proposer ?? '')?.[1];
  return dir === undefined ? proposer : `replay:${resolve(cwd, dir)}`;
}

function flagOf(key: string): string {
  return Object.hasOwn(OPTIONS, key) ? ((OPTIONS[key as keyof typeof OPTIONS] as { readonly flag?: string }).flag ?? key) : key;
}

/** A flag that may be repeated. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

export function whole(text: string): number {
  const value = number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}
