import { errorOf, type Budget } from './error-budget.ts';
import type { Looks } from './boundaries.ts';
import { designOf, rulesOf } from './design.ts';
import { later, seenCandidate, seenParent, START, surprise, withNewParent, type Level } from './level.ts';
import type { Scale } from './scale.ts';
import { deviation, given, isOtherNoise, mean, NO_SPREAD, pooled, withRepeats, withSquare, type Spread } from './spread.ts';
import { NEW_TRIAL, withCandidate, withParent, type Rules, type Trial } from './trial.ts';

/** What a run has learned about its scorer's noise, its parent and the candidate in hand. Values are oriented: more is better. */
export interface Knowledge {
  readonly scale: Scale;
  readonly budget: Budget;
  readonly looks: Looks;
  readonly level: Level;
  /** Noise of the present parent: from its own runs, and those before where they tell of the same noise. */
  readonly spread: Spread;
  /** The parts of it: from before the present parent, and since. */
  readonly earlier: Spread;
  readonly own: Spread;
  /** Noise of the unchanged start, once something else is the parent. */
  readonly start?: Spread;
  /** Runs of the unchanged start so far. */
  readonly baselineRuns: number;
  /** Runs of the present parent that its level rests on, and the last of them. */
  readonly parentRuns: number;
  readonly parent?: number;
  /** The smallest difference between two runs of one text; absent while no two have differed: the scorer is exact, as far as is known. */
  readonly grain?: number;
  readonly judged: number;
  /** The attempts that were kept, counted from 0 among those that were judged. */
  readonly keeps: readonly number[];
  /** What simplifications may have lost since the last gain, on the scale. */
  readonly lost: number;
  readonly trial: Trial;
}

/** Before the first run. `noise`: what is said to be the standard deviation of one run, on the scale. */
export function nothingKnown(scale: Scale, budget: Budget, repeats: number, noise?: number): Knowledge {
  const own = noise === undefined ? NO_SPREAD : given(noise, SAID);
  return {
    scale, budget, looks: designOf(budget.planned, repeats), level: START, spread: own, earlier: NO_SPREAD, own, baselineRuns: 0, parentRuns: 0, judged: 0, keeps: [], lost: 0, trial: NEW_TRIAL,
  };
}

/** After a run of the parent: of the start while nothing is kept, else of the champion. */
export function learnParent(known: Knowledge, value: number): Knowledge {
  const sd = deviation(known.spread);
  const before = later(known.level, sd);
  const square = surprise(before, value);
  const level = seenParent(before, value, sd);
  const noise = known.parent === undefined ? known : withOwn(known, withSquare(known.own, square));
  return {
    ...noise,
    level,
    baselineRuns: known.start === undefined ? known.baselineRuns + 1 : known.baselineRuns,
    parentRuns: known.parentRuns + 1,
    parent: value,
    ...grained(known, known.parent, value),
    trial: withParent(known.trial, value, { level, spread: noise.spread, grain: known.grain ?? 0 }, rulesNow(known), level.level - before.level),
  };
}

/** After a run of the candidate. Of its parent it tells only when the trial is over: it must not be measured against itself. */
export function learnCandidate(known: Knowledge, value: number): Knowledge {
  const level = later(known.level, deviation(known.spread));
  const grain = grained(known, known.trial.candidate.at(-1), value);
  return { ...known, ...grain, level, trial: withCandidate(known.trial, value, { level, spread: known.spread, grain: grain.grain ?? 0 }, rulesNow(known)) };
}

/** After the verdict: the trial is over, its repeats tell about the noise, and what was kept is the parent from now on. */
export function learnVerdict(known: Knowledge, verdict: 'kept' | 'simpler' | 'other'): Knowledge {
  const { candidate, gain } = known.trial;
  const over = { ...known, judged: known.judged + (candidate.length === 0 ? 0 : 1), trial: NEW_TRIAL };
  if (verdict === 'other') {
    // Repeats with a noise of their own tell nothing of the parent's.
    const isLike = candidate.length > 2 && !isOtherNoise(candidate, known.spread);
    return { ...(isLike ? withOwn(over, withRepeats(known.own, candidate)) : over), level: afterTrial(known) };
  }
  // The first run is the one that made it look good.
  const rest = candidate.length > 1 ? candidate.slice(1) : candidate;
  const last = rest.at(-1);
  return {
    ...withNewText(over, candidate),
    // A simplification finds nothing, so it earns nothing.
    keeps: verdict === 'kept' ? [...known.keeps, known.judged] : known.keeps,
    lost: verdict === 'kept' ? 0 : known.lost + Math.max(0, -gain / candidate.length),
    level: levelOf(known, rest),
    parentRuns: rest.length,
    ...(last === undefined ? {} : { parent: last }),
  };
}

/** After a trial that is put off: its one run tells nothing about the noise, and it has cost none of the error. */
export function postponed(known: Knowledge): Knowledge {
  return { ...known, level: afterTrial(known), trial: NEW_TRIAL };
}

/** After a person made another text the champion: what is known of it are its own runs. */
export function learnChoice(known: Knowledge, values: readonly number[]): Knowledge {
  const { parent: _before, ...rest } = known;
  const last = values.at(-1);
  return {
    ...withNewText(rest, values),
    level: levelOf(known, values),
    parentRuns: values.length,
    ...(last === undefined ? {} : { parent: last }),
    trial: NEW_TRIAL,
  };
}

/** With what is known now of the parent's own noise. */
function withOwn<K extends Knowledge>(known: K, own: Spread): K {
  return { ...known, own, spread: pooled(known.earlier, own) };
}

/** Another text is the parent, of which these runs are known. */
function withNewText<K extends Knowledge>(known: K, runs: readonly number[]): K {
  return withOwn({ ...known, earlier: known.spread, start: known.start ?? known.spread }, withRepeats(NO_SPREAD, runs));
}

/** The level after a trial whose candidate isn't the parent now: most candidates change nothing, so their runs tell about the parent. */
function afterTrial({ trial: { candidate }, level, spread }: Knowledge): Level {
  return candidate.length === 0 ? level : seenCandidate(level, mean(candidate), candidate.length, deviation(spread));
}

/** The level of another text, of which these runs are known. */
function levelOf({ level, spread }: Knowledge, runs: readonly number[]): Level {
  const sd = deviation(spread);
  return runs.reduce((before, value) => seenParent(before, value, sd), withNewParent(level));
}

function rulesNow({ looks, budget, judged, keeps }: Knowledge): Rules {
  return rulesOf(looks, errorOf(budget, judged, keeps));
}

function grained({ grain }: Knowledge, before: number | undefined, value: number): Pick<Knowledge, 'grain'> {
  const step = before === undefined ? 0 : Math.abs(value - before);
  const finest = step === 0 ? grain : Math.min(step, grain ?? Infinity);
  return finest === undefined ? {} : { grain: finest };
}

/** Whether the parent should be measured again before the next attempt: its level has become too uncertain, or seems to move. */
export function parentIsStale({ level }: Knowledge): boolean {
  return level.ll > (level.odds > SUSPECTED ? STALE_IN_DRIFT : STALE);
}

/** A person's word on the noise weighs as much as so many runs. */
const SAID = 20;
/** Variance of the parent's level, in units of one run. */
const STALE = 0.3;
const STALE_IN_DRIFT = 0.12;
/** Logarithm of the odds of a drift that is looked into. */
const SUSPECTED = 0.7;
