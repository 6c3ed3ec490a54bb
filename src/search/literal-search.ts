import { createHash } from 'node:crypto';
import type { Verdict } from '../records.ts';
import { candidateTexts } from './literal-steps.ts';
import type { Move } from './literal-steps.ts';
import type { Literal } from './literals.ts';

/** What became of an earlier proposal of this search. */
export interface LiteralTry {
  /** As `proposeLiteral` gave it. */
  readonly key: string;
  readonly verdict: Verdict;
  /** By how much the score was better than its parent's, in the metric's unit; negative: worse, whatever the direction. */
  readonly gain?: number;
}

export interface LiteralSearchInput {
  /** The champion. */
  readonly text: string;
  /** Those of the champion. */
  readonly literals: readonly Literal[];
  /** What must not come again: keys, also of attempts in flight, and SHA-256 (hex) of whole candidates. */
  readonly tried: ReadonlySet<string>;
  /** Oldest first. */
  readonly history: readonly LiteralTry[];
  readonly seed: number;
  readonly attempt: number;
}

export interface LiteralProposal {
  /** Line and column count from 1. */
  readonly edit: { readonly line: number; readonly column: number; readonly before: string; readonly after: string };
  readonly newText: string;
  /** One line; `keyOf` finds the key in it again. */
  readonly hypothesis: string;
  readonly key: string;
}

/** Tries of a literal before numbers within expressions get their first one. */
const TIER_2_WAITS = 4;
/** Tries that a literal is put back by when nothing it did so far made any difference. */
const IDLE_WAITS = 6;

/**
 * The next value to try: each literal once, then the other direction, then finer steps. A kept change is followed in its
 * direction first. No value is tried twice. Everything is worked out again from the history, so a call after a restart
 * continues where the last one stopped, and the same input gives the same answer. Undefined: nothing is left to try.
 */
export function proposeLiteral(input: LiteralSearchInput): LiteralProposal | undefined {
  const moves = movesByPath(input.history);
  const inFlight = movesByPath([...input.tried].map((key) => ({ key, verdict: 'cancelled' })));
  const ranked = input.literals
    .map((literal) => {
      const own = moves.get(literal.path) ?? [];
      const luck = hashOf(`${input.seed} ${input.attempt} ${literal.path}`);
      return { literal, own, luck, effort: effortOf(literal, own, input.history.at(-1)) };
    })
    .sort((a, b) => a.effort - b.effort || Number(b.literal.topLevel) - Number(a.literal.topLevel) || a.luck - b.luck);
  for (const { literal, own, luck } of ranked) {
    const triedTexts = new Set([...own, ...inFlight.get(literal.path) ?? []].flatMap(({ from, to }) => [from, to]));
    for (const { text: after, why } of candidateTexts(literal, own, luck % 2 === 0, triedTexts)) {
      const newText = withLiteral(input.text, literal, after);
      if (input.tried.has(createHash('sha256').update(newText).digest('hex'))) continue;
      const key = `${literal.path}: ${literal.text} -> ${after}`;
      return {
        edit: { line: literal.line, column: literal.column, before: literal.text, after }, newText, key, hypothesis: `${key}, ${why}.`,
      };
    }
  }
  return undefined;
}

/** The text with another value for a literal. A comment after it stays in its column where the gap has room: such columns are made by hand. */
function withLiteral(text: string, { start, text: before }: Pick<Literal, 'start' | 'text'>, after: string): string {
  const rest = text.slice(start + before.length);
  const aligned = rest.replace(/^([^#/'"`\r\n]*?)( {2,})(?=#|\/\/)/, (_, code: string, gap: string) => code + ' '.repeat(Math.max(2, gap.length + before.length - after.length)));
  return text.slice(0, start) + after + aligned;
}

/** The key of the proposal that a hypothesis came from; undefined for those of other proposers. */
export function keyOf(hypothesis: string): string | undefined {
  return /^(\S+: \S+ -> \S+), /m.exec(hypothesis)?.[1];
}

function movesByPath(history: readonly LiteralTry[]): ReadonlyMap<string, readonly Move[]> {
  const moves = new Map<string, Move[]>();
  for (const { key, verdict, gain } of history) {
    const [, path, from, to] = /^(\S+): (\S+) -> (\S+)$/.exec(key) ?? [];
    if (path === undefined || from === undefined || to === undefined) continue;
    const own = moves.get(path) ?? [];
    own.push({ from, to, verdict, ...(gain !== undefined && { gain }) });
    moves.set(path, own);
  }
  return moves;
}

/** How much was spent on a literal since it last brought something; the least comes next. */
function effortOf(literal: Literal, own: readonly Move[], last: LiteralTry | undefined): number {
  const counted = own.filter(({ verdict }) => verdict !== 'cancelled');
  const lastKept = counted.findLastIndex(({ verdict }) => verdict === 'kept');
  const isRunning = last?.verdict === 'kept' && last.key.startsWith(`${literal.path}: `);
  const gains = counted.flatMap(({ gain }) => gain ?? []);
  const isIdle = gains.length > 1 && gains.every((gain) => gain === 0);
  return counted.length - 1 - lastKept + (literal.tier === 2 && lastKept < 0 ? TIER_2_WAITS : 0) + (isIdle ? IDLE_WAITS : 0) - (isRunning ? 1 : 0);
}

/** FNV-1a, 32 bits: an order without a pattern, the same on every machine. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash >>> 1;
}
