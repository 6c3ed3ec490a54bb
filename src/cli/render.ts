import { styleText } from 'node:util';
import type { Verdict } from '../records.ts';
import { formatChange, formatScore, VERDICT_WORDS } from '../loop/format.ts';
import { attemptOf, scoreOf, type AttemptState, type RunState } from '../loop/ledger.ts';
import { waitsForNight } from '../loop/night.ts';
import { noiseWords } from '../loop/noise-words.ts';
import { cleanLine } from '../loop/one-line.ts';
import type { Terminal } from './terminal.ts';

type Look = Pick<Terminal, 'colour' | 'width'>;

const COLOURS = {
  kept: 'green', discarded: 'gray', crashed: 'red', 'timed-out': 'red', 'no-score': 'red', 'invalid-score': 'red',
  refused: 'yellow', flagged: 'magenta', cancelled: 'gray',
} as const satisfies Record<Verdict, Parameters<typeof styleText>[0]>;

/** More than any terminal is wide. */
const MAX_CHARS = 1000;

/** One attempt in one line: number, verdict, score and change, hypothesis. */
export function attemptLine(attempt: AttemptState, state: RunState, look: Look): string {
  const word = attempt.waits === true ? (waitsForNight(attempt) && state.end === undefined ? 'looks better' : 'waits for you') : attempt.verdict === undefined ? 'running' : attempt.number === 0 && attempt.verdict === 'kept' ? 'start' : VERDICT_WORDS[attempt.verdict];
  const padded = word.padEnd(13);
  const coloured = look.colour && attempt.verdict !== undefined ? styleText(COLOURS[attempt.verdict], padded) : padded;
  const number = `#${attempt.number}`.padStart(4);
  const change = cleanLine(changeOf(attempt, state), MAX_CHARS);
  const noise = attempt.number === 0 ? (noiseWords(state) ?? '') : '';
  const hypothesis = cleanLine(attempt.number === 0 ? 'the start file, unchanged' : (attempt.hypothesis ?? ''), MAX_CHARS);
  const reason = attempt.evidence !== undefined && (change === '' || attempt.evidence.code !== undefined || attempt.evidence.effect !== undefined || attempt.waits === true || attempt.verdict === 'flagged') ? cleanLine(attempt.evidence.reason, MAX_CHARS) : '';
  const why = [hypothesis, noise, reason].filter((part) => part !== '').join(' — ');
  return clip(`${number}  ${coloured}${change.padEnd(30)}  `, why, look.width + (coloured.length - padded.length));
}

export function attemptTable(state: RunState, look: Look): string {
  return state.attempts.map((attempt) => `${attemptLine(attempt, state, look)}\n`).join('');
}

/** One run in one line. */
export function runLine(state: RunState): string {
  const { metric } = state.plan;
  const from = scoreOf(attemptOf(state, 0));
  const best = scoreOf(attemptOf(state, state.champion));
  const score = from === undefined ? 'no score' : best === undefined || best === from ? formatScore(from, metric) : formatChange(from, best, metric);
  const kept = state.attempts.filter((attempt) => attempt.number > 0 && attempt.verdict === 'kept').length;
  const tried = state.attempts.filter((attempt) => attempt.number > 0 && attempt.verdict !== undefined).length;
  return `${state.id}  ${cleanLine(state.plan.target, MAX_CHARS)}  ${metric.name} ${score}  ${kept} kept of ${tried}${state.end !== undefined ? '' : state.paused ? '  (paused: ratchet resume lets it go on)' : '  (not ended)'}`;
}

function changeOf(attempt: AttemptState, state: RunState): string {
  const score = scoreOf(attempt);
  if (score === undefined) return '';
  const from = attempt.evidence?.parentScore;
  return from === undefined ? formatScore(score, state.plan.metric) : formatChange(from, score, state.plan.metric);
}

function clip(head: string, text: string, width: number): string {
  const room = Math.max(10, width - head.length);
  return `${head}${text.length > room ? `${text.slice(0, room - 1)}…` : text}`.trimEnd();
}
