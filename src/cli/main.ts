import { Command, CommanderError } from 'commander';
import { BUILD } from '../build-id.ts';
import { HumanError } from '../errors.ts';
import { measuringFlags, number, whole, type RunFlags } from './ask.ts';
import { Interrupted } from './interrupt.ts';
import { accept } from './commands/accept.ts';
import { apply } from './commands/apply.ts';
import { check, type CheckFlags } from './commands/check.ts';
import { clean, CLEAN_DAYS } from './commands/clean.ts';
import { control } from './commands/control.ts';
import { explainLog, type ExplainFlags } from './commands/explain.ts';
import { diff, log, show } from './commands/history.ts';
import { keep } from './commands/keep.ts';
import { resume, type ResumeFlags } from './commands/resume.ts';
import { newScorer, type NewScorerFlags } from './commands/new-scorer.ts';
import { runCommand, type StartFlags } from './commands/run.ts';
import { score } from './commands/score.ts';
import { engine } from './engine.ts';
import { EXIT, exitOf } from './exit.ts';
import { humanError } from './human-error.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** How a run and an attempt are named. */
const RUN = 'id of a run, the beginning of one, or last (the default)';
const ATTEMPT = 'number of an attempt, as in the list of: ratchet show';

/** The terminal client. Every command gives the exit code of the process. */
function program(terminal: Terminal, exit: (code: number) => void): Command {
  const root = new Command('ratchet')
    .description('Improves one file by trying changes and keeping those that score better. Your file changes only when you accept.')
    .version(BUILD)
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const ends = <A extends readonly unknown[]>(command: (...args: A) => Promise<number>) => async (...args: A): Promise<void> => exit(await command(...args));

  measuringFlags(root.command('run <file>').description('start a run on a file and follow it; Ctrl-C ends it'))
    .option('--proposer <who>', 'who proposes the changes: literals (varies the numbers in the file, no model), openai (a model, see --model) or replay:DIR (replies from files)')
    .option('--model <name>', 'model for --proposer openai; OPENAI_BASE_URL says where it is, OPENAI_API_KEY is its key')
    .option('--attempts <n>', 'end the run after so many attempts (default: 60 where a run of the scorer takes under a minute)', whole)
    .option('--hours <n>', 'end the run after this time (default: 0.5 where a run of the scorer takes under a minute)', number)
    .option('--until <time>', 'end the run at this time of day, such as 08:00 (the default where a run of the scorer takes a minute or more)')
    .option('--confirm <when>', 'each: run what looks better again until that is sure (default); night: do that in the last quarter of the run, for all together; off: keep whatever scores better in one run')
    .option('--keep-awake <how>', 'on: this machine is kept awake while the run goes on, on mains (default); off: it may sleep')
    .option('--parallel <n>', 'attempts at a time; this version can do 1', whole, 1)
    .option('--detach', 'let the run go on in the background and return')
    .action(ends((file: string, flags: StartFlags) => runCommand(terminal, file, flags)));
  measuringFlags(root.command('score <file>').description('run the scorer once on the unchanged file, and say how its output was read'))
    .action(ends((file: string, flags: Omit<RunFlags, 'parallel'>) => score(terminal, file, { ...flags, parallel: 1 })));
  measuringFlags(root.command('check <file>').description('is this loopable? run the scorer on the file and on broken copies of it for two minutes, and say what that shows (0 yes, 3 with warnings, 4 no)'))
    .option('--proposer <who>', 'who would propose the changes, for the estimate of a run: literals, openai or replay:DIR')
    .option('--model <name>', 'model for --proposer openai')
    .option('--attempts <n>', 'attempts of the run that is estimated', whole)
    .option('--again', 'measure anew what an earlier check of this file and scorer has found')
    .action(ends((file: string, flags: Omit<CheckFlags, 'parallel'>) => check(terminal, file, { ...flags, parallel: 1 })));
  root.command('new-scorer [file]').description('write a scoring script beside the file, filled in with what is known about it; without a file, list what it can measure')
    .option('--kind <kind>', 'what it measures: checks, tests, function, command, memory, size, lint or mix')
    .option('--language <name>', 'javascript (for TypeScript too), python or shell (default: the file\'s own)')
    .option('--out <path>', 'where it goes; - prints it (default: score, or bench where it prints another metric than score, with the language\'s ending, beside the file)')
    .action(ends((file: string | undefined, flags: NewScorerFlags) => newScorer(terminal, file, flags)));
  root.command('apply <file>').description('print the file with a model\'s reply applied, or why it is refused')
    .requiredOption('--reply <file>', 'the reply; - is standard input')
    .action(ends((file: string, flags: { readonly reply: string }) => apply(terminal, file, flags.reply)));
  root.command('log').description('list the runs of this folder').option('--json', 'one JSON a line')
    .action(ends((flags: { readonly json?: boolean }) => log(terminal, flags.json === true)));
  root.command('show').argument('[run]', RUN).argument('[attempt]', ATTEMPT).description('show a run, or one attempt').option('--json', 'as JSON')
    .action(ends((run = 'last', attempt: string | undefined, flags: { readonly json?: boolean }) => show(terminal, run as string, numberOf(attempt), flags.json === true)));
  root.command('diff').argument('[run]', RUN).argument('[attempt]', ATTEMPT).description('show what the best so far changed in the start file, or what an attempt changed in the one that it began from')
    .action(ends((run = 'last', attempt: string | undefined) => diff(terminal, run as string, numberOf(attempt))));
  root.command('accept').argument('[run]', RUN).argument('[attempt]', ATTEMPT).description('put the best so far, or the attempt you name, into your file; your own changes stay').option('--yes', 'also an attempt that gave no score')
    .action(ends((run = 'last', attempt: string | undefined, flags: { readonly yes?: boolean }) => accept(terminal, run as string, numberOf(attempt), flags)));
  root.command('keep <run> <attempt>').description('make an attempt the best so far by your word: one that is suspicious, or waits for you').option('--yes', 'also one that was not kept, and where that leaves out what was kept since')
    .action(ends((run: string, attempt: string, flags: { readonly yes?: boolean }) => keep(terminal, run, numberOf(attempt) ?? 0, flags)));
  root.command('explain <results>').description('say which kept rows of a results.tsv, yours or anybody\'s, are likely real and which are within noise; runs nothing')
    .option('--noise <sd>', 'standard deviation of one run in the metric\'s unit, where you know it', number)
    .option('--direction <which>', 'higher or lower is better (default: by the metric\'s name, else by the kept rows)')
    .option('--json', 'as JSON')
    .action(ends((file: string, flags: ExplainFlags) => explainLog(terminal, file, flags)));
  root.command('resume').argument('[run]', 'id of a run, the beginning of one, or last (default: the run that is going on, else the last)')
    .description('let a paused run go on, or one that was broken off: its engine died, it was stopped, the disk was full; nothing that it used of its budgets is given back')
    .option('--yes', 'run what the ledger names without asking')
    .option('--json', 'machine-readable output, and nothing else on standard output')
    .option('--detach', 'let the run go on in the background and return')
    .action(ends((run: string | undefined, flags: ResumeFlags) => resume(terminal, run, flags)));
  for (const [what, text] of [['stop', 'end a run at once'], ['pause', 'let a run finish its attempt, then wait']] as const)
    root.command(what).argument('[run]', 'id of a run, or the beginning of one (default: the run that is going on)').description(text).action(ends((run: string | undefined) => control(terminal, what, run)));
  root.command('clean').description(`drop the texts (requests, replies, changes, outputs) of attempts that came to nothing more than ${CLEAN_DAYS} days ago; their scores and verdicts stay, and all that was kept`)
    .option('--days <n>', `another number of days (default: ${CLEAN_DAYS})`, number).option('--yes', 'without asking')
    .action(ends((flags: { readonly days?: number; readonly yes?: boolean }) => clean(terminal, flags)));
  root.command('engine', { hidden: true }).requiredOption('--root <folder>').option('--idle <ms>', '', number)
    .action(ends((flags: { readonly root: string; readonly idle?: number }) => engine(flags.root, flags.idle)));
  return root;
}

function numberOf(attempt: string | undefined): number | undefined {
  if (attempt === undefined) return undefined;
  if (!/^#?\d+$/.test(attempt)) throw new HumanError('no-such-attempt', `${attempt} is not the number of an attempt. First comes the run, then the number, as in: ratchet show last 3`);
  return Number(attempt.replace('#', ''));
}

async function main(terminal: Terminal): Promise<number> {
  let code: number = EXIT.done;
  try {
    await program(terminal, (given) => (code = given)).parseAsync(process.argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badUse;
    if (error instanceof Interrupted) return EXIT.interrupted;
    const human = humanError(error);
    if (human !== undefined) {
      terminal.err(`ratchet: ${human.message}\n`);
      return exitOf(human);
    }
    terminal.err(`ratchet: a fault of ours. Please report it with this text.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.fault;
  }
}

main(processTerminal()).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = EXIT.fault;
  },
);
