import type { Outcome } from '../../records.ts';
import { quoted, shownLines } from './lines.ts';
import type { ScorerOutput } from './output.ts';

/** How a run ended that gives no score, whatever it printed. Undefined for a run that ended well (exit code 0). */
export function badEnding(output: ScorerOutput): { readonly outcome: Outcome; readonly why: string } | undefined {
  switch (output.end) {
    case 'cancelled':
      return { outcome: 'cancelled', why: 'The run of the scorer was cancelled.' };
    case 'timed-out':
      return { outcome: 'timed-out', why: `The scorer ran longer than its timeout${inSeconds(output.timeoutMs)} and was ended; what it printed until then is no score.` };
    case 'over-limit':
      return { outcome: 'crashed', why: output.overLimit ?? 'It used more than it may.' };
    case 'not-started':
      return { outcome: 'crashed', why: `The scorer could not be started: ${output.startError ?? 'the system gave no reason'}` };
    case 'exited':
      return output.exitCode === 0 && output.signal === undefined ? undefined : { outcome: 'crashed', why: crash(output) };
  }
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '' : ` of ${Number((ms / 1000).toPrecision(3))} s`;
}

function crash(output: ScorerOutput): string {
  const reason = reasonIn(output.stderr);
  return `The scorer ${howItEnded(output)}${reason === undefined ? '.' : `: ${quoted(reason, 200)}.`}`;
}

function howItEnded({ signal, exitCode }: ScorerOutput): string {
  if (signal !== undefined) return `was ended by the signal ${named(signal)}`;
  if (exitCode === null) return 'ended without an exit code';
  if (exitCode === 126) return 'ended with exit code 126 (the program is not executable)';
  if (exitCode === 127 || exitCode === 9009) return `ended with exit code ${exitCode} (the program was not found)`;
  const shell = SIGNALS_BY_CODE.get(exitCode);
  return `ended with exit code ${exitCode}${shell === undefined ? '' : `, after the signal ${named(shell)}`}`;
}

/** A POSIX shell gives 128 and the signal's number. */
const SIGNALS_BY_CODE: ReadonlyMap<number, string> = new Map([
  [130, 'SIGINT'], [132, 'SIGILL'], [134, 'SIGABRT'], [136, 'SIGFPE'], [137, 'SIGKILL'], [139, 'SIGSEGV'], [143, 'SIGTERM'],
]);

function named(signal: string): string {
  if (signal === 'SIGKILL') return 'SIGKILL (often: out of memory)';
  if (signal === 'SIGSEGV') return 'SIGSEGV (it used memory that is not its own)';
  return signal;
}

/** The line of standard error that says most: the last that names an error, else the last of all. */
function reasonIn(stderr: string): string | undefined {
  const lines = shownLines(stderr.slice(-20_000)).filter((line) => line.trim() !== '' && !/^Node\.js v\d/.test(line)).slice(-200);
  return lines.findLast((line) => /^\s*(?:Uncaught\s+)?[\w.]*(?:Error|Exception|Interrupt|panicked)\b/.test(line)) ?? lines.findLast((line) => /\p{L}{3}/u.test(line)) ?? lines.at(-1);
}
