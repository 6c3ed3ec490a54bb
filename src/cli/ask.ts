import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { HumanError } from '../errors.ts';
import type { Ask } from '../protocol.ts';
import { OPTIONS, readChoices, type Choices } from '../loop/options.ts';
import type { Terminal } from './terminal.ts';

/** The flags of commands that measure, as commander parses them. */
export interface RunFlags {
  readonly score?: string;
  readonly metric?: string;
  readonly direction?: string;
  readonly proposer?: string;
  readonly attempts?: number;
  readonly budget?: number;
  readonly timeout?: number;
  readonly parallel: number;
  readonly program?: string;
  readonly seed?: number;
  readonly model?: string;
  readonly sandbox: 'auto' | 'required' | 'off';
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the flags that say how to measure. */
export function measuringFlags(command: Command): Command {
  return command
    .option('--score <cmd>', OPTIONS.scorer.doc)
    .option('--metric <name>', OPTIONS.metric.doc)
    .option('--direction <way>', `${OPTIONS.direction.doc} (higher or lower)`)
    .option('--budget <seconds>', OPTIONS.budget.doc, number)
    .option('--timeout <seconds>', OPTIONS.timeout.doc, number)
    .option('--program <file>', 'program.md with the strategy and options; default: the one beside the file')
    .option('--seed <n>', 'seed of the search, and RATCHET_SEED of the scorer', whole)
    .addOption(new Option('--sandbox <mode>', 'confinement of the scorer; none exists in this version').choices(['auto', 'required', 'off']).default('auto'))
    .option('--json', 'machine-readable output, nothing else on standard output');
}

/** What the flags ask. Rejects flags that this version can't honour. */
export function askOf(terminal: Terminal, target: string, flags: RunFlags): Ask {
  if (flags.parallel > 1) throw new HumanError('bad-use', 'This version runs one attempt at a time: leave out --parallel, or use --parallel 1.');
  if (flags.sandbox === 'required') throw new HumanError('untrusted', 'This version can\'t confine a scorer, so nothing was run. Use --sandbox off to run it with your rights.');
  const { choices, problems } = readChoices({
    scorer: flags.score, metric: flags.metric, direction: flags.direction, budget: flags.budget, timeout: flags.timeout,
    attempts: flags.attempts, model: flags.model, proposer: flags.proposer,
  } satisfies Partial<Record<keyof Choices, unknown>>);
  const [problem] = problems;
  if (problem !== undefined) throw new HumanError('bad-use', problem.message.replaceAll(/`(\w+)`/g, (_, key: string) => `\`${flagOf(key)}\``));
  return {
    target,
    flags: choices,
    settings: {},
    env: definedOnly(terminal.env),
    ...(flags.program === undefined ? {} : { program: resolve(terminal.cwd, flags.program) }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(terminal.env['OPENAI_BASE_URL'] === undefined ? {} : { baseUrl: terminal.env['OPENAI_BASE_URL'] }),
  };
}

function flagOf(key: string): string {
  return Object.hasOwn(OPTIONS, key) ? ((OPTIONS[key as keyof typeof OPTIONS] as { readonly flag?: string }).flag ?? key) : key;
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

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
