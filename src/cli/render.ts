import { styleText } from 'node:util';
import { reasonWords } from '../loop/evidence-words.ts';
import { formatChange, formatScore, named, VERDICT_WORDS } from '../loop/format.ts';
import { attemptOf, scoreOf, standingScores, type AttemptState, type RunState } from '../loop/ledger.ts';
import { noiseWords } from '../loop/noise-words.ts';
import { cleanLine } from '../loop/one-line.ts';
import { standingOf, type Standing } from '../loop/standing.ts';
import { tallyOf } from '../loop/tally.ts';
import type { Terminal } from './terminal.ts';

type Look = Pick<Terminal, 'colour' | 'width'>;

const WORDS = {
  ...VERDICT_WORDS, 'in-flight': 'running', start: 'start', waits: 'waits for you', 'settles-later': 'looks better', unsettled: 'not settled', 'kept-by-person': 'kept by you',
} as const satisfies Record<Standing, string>;

const COLOURS = {
  kept: 'green', discarded: 'gray', crashed: 'red', 'timed-out': 'red', 'no-score': 'red', 'invalid-score': 'red',
  refused: 'yellow', flagged: 'magenta', cancelled: 'gray', start: 'green', waits: 'cyan', unsettled: 'cyan', 'kept-by-person': 'green',
} as const satisfies Partial<Record<Standing, Parameters<typeof styleText>[0]>>;

const WORD_WIDTH = 2 + Math.max(...Object.values(WORDS).map((word) => word.length));
const CHANGE_WIDTH = 32;

/** More than any terminal is wide. */
const MAX_CHARS = 1000;

/** One attempt in one line: number, verdict, score and change, hypothesis. */
export function attemptLine(attempt: AttemptState, state: RunState, look: Look): string {
  const standing = standingOf(attempt, state.end !== undefined);
  const padded = WORDS[standing].padEnd(WORD_WIDTH);
  const coloured = look.colour && isColoured(standing) ? styleText(COLOURS[standing], padded) : padded;
  const number = `#${attempt.number}`.padStart(4);
  const change = cleanLine(changeOf(attempt, state), MAX_CHARS);
  const noise = attempt.number === 0 ? (noiseWords(state) ?? '') : '';
  const hypothesis = cleanLine(attempt.number === 0 ? 'the start file, unchanged' : (attempt.hypothesis ?? ''), MAX_CHARS);
  const why = [hypothesis, noise, cleanLine(whyOf(attempt, state, change), MAX_CHARS)].filter((part) => part !== '').join(' — ');
  return clip(`${number}  ${coloured}${change.padEnd(CHANGE_WIDTH - 2)}  `, why, look.width + (coloured.length - padded.length));
}

function isColoured(standing: Standing): standing is keyof typeof COLOURS {
  return Object.hasOwn(COLOURS, standing);
}

/** The reason, where verdict and scores don't say it all. */
function whyOf(attempt: AttemptState, state: RunState, change: string): string {
  const { number, evidence, waits, verdict } = attempt;
  // The end says why no attempt began.
  if (evidence === undefined || (number === 0 && state.end !== undefined)) return '';
  return change === '' || evidence.code !== undefined || evidence.effect !== undefined || waits === true || verdict === 'flagged' ? reasonWords(attempt, state) : '';
}

export function attemptTable(state: RunState, look: Look): string {
  return state.attempts.map((attempt) => `${attemptLine(attempt, state, look)}\n`).join('');
}

/** Whether the start file was ready: without that there are no attempts, and the run's end says why. */
export function hasBegun(state: RunState): boolean {
  return attemptOf(state, 0)?.verdict === 'kept';
}

/** One run in one line. */
export function runLine(state: RunState): string {
  const { plan: { metric, target }, end, paused } = state;
  const name = `${state.id}  ${cleanLine(target, MAX_CHARS)}`;
  if (end !== undefined && !hasBegun(state)) return `${name}  did not begin`;
  const { from, best } = standingScores(state);
  const score = from === undefined ? 'no score yet' : best === undefined || best === from ? formatScore(best ?? from, metric) : formatChange(from, best, metric);
  return `${name}  ${from === undefined ? score : named(metric, score)}  ${countWords(state)}${end !== undefined ? '' : paused ? '  (paused: ratchet resume lets it go on)' : '  (not ended)'}`;
}

/** "1 kept of 6, 2 wait for your word" */
function countWords(state: RunState): string {
  const { kept, tried, waits, settlesLater, unsettled } = tallyOf(state);
  return [
    `${kept} kept of ${tried}`,
    waits === 0 ? '' : waitWords(waits),
    settlesLater === 0 ? '' : `${settlesLater} to be settled`,
    unsettled === 0 ? '' : `${unsettled} not settled`,
  ].filter((part) => part !== '').join(', ');
}

function waitWords(waits: number): string {
  return `${waits} ${waits === 1 ? 'waits' : 'wait'} for your word`;
}

/** What is left for a person to decide, and how, a line each. `where`: what is told of the folder in which to type. */
export function openLines(state: RunState, { self, where }: { readonly self: string; readonly where: string }): readonly string[] {
  const { waits, unsettled } = tallyOf(state);
  const how = `${self} show ${state.id}, then ${self} keep ${state.id} N${where}`;
  return [
    ...(waits === 0 ? [] : [`${waitWords(waits)}: ${how}`]),
    ...(unsettled === 0 ? [] : [`${unsettled} looked better, and the night ended before ${unsettled === 1 ? 'it was' : 'they were'} settled. To keep ${unsettled === 1 ? 'it' : 'one'} all the same: ${how}`]),
  ];
}

function changeOf(attempt: AttemptState, state: RunState): string {
  const from = attempt.evidence?.parentScore;
  // What it was compared with is of the epoch in which it was kept.
  const score = from === undefined ? scoreOf(attempt) : (attempt.evidence?.score ?? scoreOf(attempt));
  if (score === undefined) return '';
  return from === undefined ? formatScore(score, state.plan.metric) : formatChange(from, score, state.plan.metric);
}

function clip(head: string, text: string, width: number): string {
  const room = Math.max(10, width - head.length);
  return `${head}${text.length > room ? `${text.slice(0, room - 1)}…` : text}`.trimEnd();
}
