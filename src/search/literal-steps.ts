import type { Verdict } from '../records.ts';
import { formatLike, insteadOfZero, isFloat, neighbourhoodOf, numberOf } from './literal-values.ts';
import type { Neighbourhood } from './literal-values.ts';
import type { Literal } from './literals.ts';

/** One earlier change of a literal, as written. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly verdict: Verdict;
  readonly gain?: number;
}

export interface StepCandidate {
  readonly text: string;
  /** A few words for the hypothesis. */
  readonly why: string;
}

const BROKE: ReadonlySet<Verdict> = new Set(['crashed', 'timed-out', 'no-score', 'invalid-score']);

/**
 * What a literal could become next, best first, without what it was before. `moves` are its own, oldest first;
 * `upFirst` decides where nothing else does; `tried` holds values as they were written.
 */
export function candidateTexts(literal: Literal, moves: readonly Move[], upFirst: boolean, tried: ReadonlySet<string>): readonly StepCandidate[] {
  if (literal.kind !== 'number') {
    const others = literal.choices.filter((choice) => choice !== literal.text && !tried.has(choice));
    return (upFirst ? others : [...others].reverse()).map((text) => ({ text, why: literal.kind === 'switch' ? 'the other way' : 'another choice' }));
  }
  const value = numberOf(literal.text);
  if (value === undefined) return [];
  const known = knowledgeOf(moves, value);
  const original = originalOf(literal.text, moves);
  const steps = value === 0
    ? insteadOfZero(original).map((next) => ({ value: next, why: 'not zero' }))
    : stepsFrom(value, neighbourhoodOf(original, value), known, lastKeptStep(moves, literal.text), upFirst);
  const taken = new Set([...tried].map(numberOf));
  const found = new Map<string, StepCandidate>();
  const off = isFloat(literal.text) && value !== 0 ? [{ value: 0, why: 'switched off' }] : [];
  for (const step of [...steps, ...off]) {
    if (!Number.isFinite(step.value) || step.value < 0) continue;
    const text = formatLike(original, step.value);
    const next = numberOf(text);
    if (next === undefined || next === value || taken.has(next) || (next === 0 && step.value !== 0)) continue;
    if (next >= known.tooBig || next <= known.tooSmall || found.has(text)) continue;
    found.set(text, { text, why: step.why });
  }
  return [...found.values()];
}

/** As the literal was written before the search: its style is kept through all steps. */
function originalOf(text: string, moves: readonly Move[]): string {
  const first = moves[0]?.from;
  return first !== undefined && numberOf(first) !== undefined && isFloat(first) === isFloat(text) ? first : text;
}

interface Knowledge {
  /** Scores of values that were measured, against the present one's, as far as one change led to the other. */
  readonly scores: ReadonlyMap<number, number>;
  /** From here on up, and from here on down, it crashed or ran out of time. */
  readonly tooBig: number;
  readonly tooSmall: number;
}

function knowledgeOf(moves: readonly Move[], value: number): Knowledge {
  const scores = new Map<number, number>();
  let tooBig = Infinity;
  let tooSmall = -Infinity;
  for (const move of moves) {
    const from = numberOf(move.from);
    const to = numberOf(move.to);
    if (from === undefined || to === undefined) continue;
    if (BROKE.has(move.verdict) && to > from) tooBig = Math.min(tooBig, to);
    else if (BROKE.has(move.verdict)) tooSmall = Math.max(tooSmall, to);
    if (move.gain === undefined || !Number.isFinite(move.gain)) continue;
    // Somebody else changed the value in between: older scores say nothing about this one.
    if (!scores.has(from)) scores.clear();
    const base = scores.get(from) ?? 0;
    scores.set(from, base);
    scores.set(to, base + move.gain);
  }
  const own = scores.get(value);
  return { scores: new Map(own === undefined ? [] : [...scores].map(([at, score]) => [at, score - own])), tooBig, tooSmall };
}

interface Step { readonly value: number; readonly why: string }

/** The change that led to the present text. */
function lastKeptStep(moves: readonly Move[], text: string): { readonly from: number; readonly to: number } | undefined {
  const kept = moves.findLast((move) => move.verdict === 'kept');
  if (kept === undefined || kept.to !== text) return undefined;
  const from = numberOf(kept.from);
  const to = numberOf(kept.to);
  return from === undefined || to === undefined || from === 0 ? undefined : { from, to };
}

function stepsFrom(
  value: number, neighbourhood: Neighbourhood, known: Knowledge, kept: ReturnType<typeof lastKeptStep>, upFirst: boolean,
): readonly Step[] {
  const { toScale, fromScale } = neighbourhood;
  const at = toScale(value);
  const finest = Math.min(...neighbourhood.steps);
  const steps: Step[] = [];
  let up = upFirst;
  if (kept !== undefined) {
    up = kept.to > kept.from;
    const distance = at - toScale(kept.from);
    // A small step was the end of a way, not its beginning.
    if (Math.abs(distance) > finest * 0.9) steps.push({ value: fromScale(at + distance), why: 'further the same way' });
  }
  const { below, above } = bracketOf(value, known.scores);
  const best = neighbourhood.fine && below !== undefined && above !== undefined
    ? peakOf([toScale(below.value), below.score], [at, 0], [toScale(above.value), above.score])
    : undefined;
  if (best !== undefined && Math.abs(best - at) > finest / 4) steps.push({ value: fromScale(best), why: 'between values that were measured' });
  const ladder = (distance: number): readonly Step[] => {
    const higher = { value: fromScale(at + distance), why: 'more of it' };
    const lower = { value: fromScale(at - distance), why: 'less of it' };
    return up ? [higher, lower] : [lower, higher];
  };
  const near = neighbourhood.steps.flatMap(ladder);
  // Beyond a value that was worse it hardly gets better: such steps come last.
  const isBeyond = (step: Step): boolean => (above !== undefined && step.value > above.value) || (below !== undefined && step.value < below.value);
  return [...steps, ...near.filter((step) => !isBeyond(step)), ...near.filter(isBeyond), ...neighbourhood.leaps.flatMap(ladder)];
}

interface Measured { readonly value: number; readonly score: number }

/** The nearest values on either side that were measured. */
function bracketOf(value: number, scores: ReadonlyMap<number, number>): { readonly below: Measured | undefined; readonly above: Measured | undefined } {
  let below: Measured | undefined;
  let above: Measured | undefined;
  for (const [at, score] of scores) {
    if (at < value && (below === undefined || at > below.value)) below = { value: at, score };
    if (at > value && (above === undefined || at < above.value)) above = { value: at, score };
  }
  return { below, above };
}

type Point = readonly [at: number, score: number];

/** Where the parabola through three points is highest; undefined where it has no peak between the outer two. */
function peakOf([a, fa]: Point, [b, fb]: Point, [c, fc]: Point): number | undefined {
  const left = (b - a) * (fb - fc);
  const right = (b - c) * (fb - fa);
  const peak = b - ((b - a) * left - (b - c) * right) / (2 * (left - right));
  const isPeak = fb >= fa && fb >= fc && (fb > fa || fb > fc);
  return isPeak && peak > a && peak < c ? peak : undefined;
}
