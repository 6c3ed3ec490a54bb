import { futility, type Looks } from './boundaries.ts';
import { chanceOfDrift, unseenFall, type Level } from './level.ts';
import { deviation, isOtherNoise, joined, mean, NO_SPREAD, withRepeats, type Spread } from './spread.ts';
import { studentQuantile } from './student.ts';

/**
 * One candidate under noise, from its first run to the decision. Values are oriented: more is better. First it runs alone
 * against what is known of its parent (`screening`); what looks better there is confirmed against fresh runs of the parent,
 * in turns (`confirming`).
 */
export interface Trial {
  readonly phase: 'screening' | 'confirming' | 'kept' | 'discarded';
  /** Runs of the candidate, in order. */
  readonly candidate: readonly number[];
  /** Runs of the parent since confirming began. */
  readonly parent: readonly number[];
  /** Runs of the parent since the candidate's first. */
  readonly parentRuns: number;
  /** Sum of the candidate's distances from the parent's level, each at its time. */
  readonly gain: number;
  /** Runs of the candidate that count in confirming. */
  readonly counted: readonly number[];
  /** Standardized gain at the last look. */
  readonly z: number;
  /** Whose run comes next. */
  readonly next: 'candidate' | 'parent';
}

export const NEW_TRIAL: Trial = { phase: 'screening', candidate: [], parent: [], parentRuns: 0, gain: 0, counted: [], z: 0, next: 'candidate' };

/** What a trial is decided by, besides its own runs. */
export interface Rules {
  readonly looks: Looks;
  /** boundaries.ts for this attempt's share of the error: the chance at which the candidate counts as better after so many runs. */
  readonly chance: (runs: number) => number;
}

/** What is known about parent and noise at the moment. */
export interface Known {
  readonly level: Level;
  /** The smallest difference between two runs of one text: a scorer that rounds can hide its noise for long. */
  readonly grain: number;
  /** Without this trial's own repeats. */
  readonly spread: Spread;
}

/** After a run of the candidate. `known.level` is the parent's at the time of that run. */
export function withCandidate(trial: Trial, value: number, known: Known, rules: Rules): Trial {
  const candidate = [...trial.candidate, value];
  if (trial.phase === 'confirming') return confirm({ ...trial, candidate, counted: [...trial.counted, value] }, known, rules);
  const after = { ...trial, candidate, gain: trial.gain + value - known.level.level };
  return trial.phase === 'screening' ? screen(after, known, rules) : after;
}

/**
 * After a run of the parent. `known.level` has learned from it; `shift`: by how much. The distances that were measured before
 * were taken from a level that lay as much off.
 */
export function withParent(trial: Trial, value: number, known: Known, rules: Rules, shift: number): Trial {
  const runs = trial.candidate.length;
  if (runs === 0) return trial;
  const after = { ...trial, parentRuns: trial.parentRuns + 1 };
  if (trial.phase === 'confirming') return confirm({ ...after, parent: [...trial.parent, value] }, known, rules);
  const moved = { ...after, gain: trial.gain - runs * shift };
  // One run alone is looked at again even if it was given up: more is known of parent and noise than when it was made.
  return trial.phase === 'screening' || runs === 1 ? screen({ ...moved, phase: 'screening' }, known, rules) : moved;
}

/**
 * Standard deviation of one run and its degrees of freedom, with what this trial adds once it has three runs. Where the candidate
 * has a noise of its own, that alone counts: no luck of it may look like a gain in the quiet of its parent.
 */
export function noiseIn({ candidate }: Trial, { spread, grain }: Pick<Known, 'spread' | 'grain'>): { readonly sd: number; readonly freedom: number } {
  const own = candidate.length > 2 ? withRepeats(NO_SPREAD, candidate) : NO_SPREAD;
  const both = isOtherNoise(candidate, spread) ? own : joined(spread, own);
  const [quiet, loud] = [deviation(spread), deviation(own)];
  // Perhaps two noises, though nothing shows it: a difference between them has the mean of their variances.
  const mixed = loud > TWO_NOISES * quiet ? Math.sqrt((quiet ** 2 + loud ** 2) / 2) : 0;
  return { sd: Math.max(Number.MIN_VALUE, deviation(both), mixed, HIDDEN * grain), freedom: both.freedom };
}

/** The runs of both sides that were made in turns, which stand for themselves; undefined while one has none. */
export function inTurns({ counted, parent }: Trial): { readonly candidate: readonly number[]; readonly parent: readonly number[] } | undefined {
  return counted.length > 0 && parent.length > 0 ? { candidate: counted, parent } : undefined;
}

function screen(trial: Trial, known: Known, { looks, chance: chanceAt }: Rules): Trial {
  const runs = trial.candidate.length;
  const { sd, freedom } = noiseIn(trial, known);
  const uncertainty = known.level.ll;
  const error = Math.sqrt(1 / runs + uncertainty);
  const z = trial.gain / runs / (sd * error);
  if (z < futility(looks, runs) - lenience(known.level, sd * error)) return { ...trial, z, phase: 'discarded' };
  const chance = runs < looks.least ? 0 : chanceAt(runs);
  if (chance > 0 && z > studentQuantile(chance, freedom)) {
    // The first run brought the candidate here and is lucky more often than not.
    const counted = trial.candidate.slice(1);
    return { ...trial, z, phase: 'confirming', counted, next: counted.length === 0 ? 'candidate' : 'parent' };
  }
  if (runs >= looks.most) return { ...trial, z, phase: 'discarded' };
  return { ...trial, z, next: runs > 1 && trial.next === 'candidate' ? narrower(uncertainty, runs) : 'candidate' };
}

/**
 * How much less is asked for before a candidate is given up, because the level may have fallen since it was measured. A fall
 * that goes unseen loses gains in silence, where a rise shows by itself: everything looks better, and is confirmed.
 */
function lenience(level: Level, error: number): number {
  const isFalling = level.moving.slope < 0;
  return (isFalling ? DOUBT * Math.max(0, (chanceOfDrift(level) - DOUBT_FROM) / (1 - DOUBT_FROM)) : 0) + (UNSEEN * unseenFall(level)) / error;
}

/** Whose next run narrows the comparison more: the parent's, whose level has this variance, or the candidate's after `runs` of its own. */
export function narrower(uncertainty: number, runs: number): 'candidate' | 'parent' {
  const byParent = uncertainty - uncertainty / (1 + uncertainty);
  return SHARED * byParent > 1 / runs - 1 / (runs + 1) ? 'parent' : 'candidate';
}

function confirm(trial: Trial, known: Known, { looks }: Rules): Trial {
  const { counted, parent, candidate } = trial;
  const leastPairs = Math.min(LEAST_PAIRS, Math.max(1, looks.most - 1));
  const next = parent.length < counted.length ? 'parent' : 'candidate';
  const isSpent = next === 'candidate' && candidate.length >= looks.most;
  if (parent.length < leastPairs || counted.length < leastPairs) return isSpent ? { ...trial, phase: 'discarded' } : { ...trial, next };
  const { sd, freedom } = noiseIn(trial, known);
  const z = (mean(counted) - mean(parent)) / (sd * Math.sqrt(1 / counted.length + 1 / parent.length));
  if (z > studentQuantile(CHANCE, freedom)) return { ...trial, z, phase: 'kept' };
  if (z < HOPELESS || isSpent || parent.length + counted.length >= MOST_RUNS) return { ...trial, z, phase: 'discarded' };
  return { ...trial, z, next };
}

/** The repeats of a candidate vary by so many times the parent's noise. */
const TWO_NOISES = 2.2;

/** Noise of this share of a rounding step shows in none of seven runs, one time in five. */
const HIDDEN = 0.4;

/** Giving up, all found by search over simulated runs (bench/verifier): how likely a drift must be to ask for less, how much less at most, and how much of a fall that only one filter sees counts. */
const DOUBT_FROM = 0.27;
const DOUBT = 0.9;
const UNSEEN = 1.3;
/** A run of the parent tells the attempts that follow something too: it counts for so many of the candidate's. */
const SHARED = 2;

/** Confirming, all found by search over simulated runs (bench/verifier): pairs before the first look, chance of error at a look, where it gives up. */
const LEAST_PAIRS = 3;
const CHANCE = 0.015;
const HOPELESS = 0;
const MOST_RUNS = 20;
