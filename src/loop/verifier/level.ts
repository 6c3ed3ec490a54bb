import { filterOf, forgotten, isUnknown, likelihood, observed, predicted, type Filter, type Observation } from './kalman.ts';

/**
 * Where the parent's score stands now, seen through noise and drift. Two filters follow it, one that takes it to stand still
 * and one that takes it to move; each counts by how well it has foretold the runs (static multiple models, Magill 1965). So
 * a scorer that doesn't drift needs few runs of the parent, and one that does is noticed by what is measured anyway.
 */
export interface Level {
  readonly level: number;
  /** Variance of the level, in units of the variance of one run: that of the two filters, and how far they disagree. */
  readonly ll: number;
  /** Logarithm of the odds that the level moves. */
  readonly odds: number;
  readonly steady: Filter;
  readonly moving: Filter;
}

/** Spread of candidates around their parents, taken as given: a candidate says that much less about its parent. */
const CANDIDATE_SD = 0.2;
const STEADY = filterOf(0, 0.0001);
const MOVING = filterOf(0.034, 0.0022);
const ODDS = -0.1;
/** No history makes it more certain than this that the level moves, or that it doesn't: drift may begin, or end. */
const MOST_ODDS = 5;
/** Two filters that disagree by more are wrong both. */
const MOST_DISAGREEMENT = 2;

export const START: Level = { level: 0, ll: STEADY.ll, odds: ODDS, steady: STEADY, moving: MOVING };

/** One run later. `sd`, here and below: the standard deviation of one run, 0 where it isn't known. */
export function later({ steady, moving, odds }: Level, sd: number): Level {
  return mixed(predicted(steady), predicted(moving), odds, sd);
}

/** After a run of the parent. */
export function seenParent(at: Level, value: number, sd: number): Level {
  return seen(at, { value, offset: 0, variance: 1 }, sd);
}

/** After the runs of a candidate that wasn't better, by their mean. */
export function seenCandidate(at: Level, mean: number, runs: number, sd: number): Level {
  const isFar = Math.abs(mean - at.level - chanceOfDrift(at) * (at.moving.offset - at.steady.offset) - at.steady.offset) > TOO_FAR * sd;
  return isFar ? at : seen(at, { value: mean, offset: 1, variance: 1 / runs + CANDIDATE_SD ** 2 }, sd);
}

/** A candidate that lies so many standard deviations off has changed something, and tells nothing about its parent. */
const TOO_FAR = 2.3;

/** How surprising a run of the parent is: its distance from the level, squared, in the variance that one run is expected to have. */
export function surprise(at: Level, value: number): number {
  return (value - at.level) ** 2 / (at.ll + 1);
}

/** Another text is the parent now: its level is unknown, the drift goes on as it was. */
export function withNewParent({ steady, moving, odds }: Level): Level {
  return mixed(forgotten(steady), forgotten(moving), odds, 0);
}

/** How likely it is that the level moves by itself. */
export function chanceOfDrift({ odds }: Level): number {
  return 1 / (1 + Math.exp(-odds));
}

/** By how much the level may have fallen unseen: what the moving filter has below the mean of both. */
export function unseenFall({ level, moving }: Level): number {
  return Math.max(0, level - moving.level);
}

function seen({ steady, moving, odds }: Level, observation: Observation, sd: number): Level {
  const evidence = sd === 0 || isUnknown(steady) ? 0 : likelihood(moving, observation, sd) - likelihood(steady, observation, sd);
  return mixed(observed(steady, observation, sd), observed(moving, observation, sd), odds + evidence, sd);
}

function mixed(steady: Filter, moving: Filter, unbounded: number, sd: number): Level {
  const odds = Math.max(-MOST_ODDS, Math.min(MOST_ODDS, unbounded));
  const chance = 1 / (1 + Math.exp(-odds));
  const apart = moving.level - steady.level;
  const disagreement = sd === 0 ? 0 : Math.min(MOST_DISAGREEMENT, Math.abs(apart) / sd);
  return {
    level: steady.level + chance * apart,
    ll: (1 - chance) * steady.ll + chance * moving.ll + chance * (1 - chance) * disagreement ** 2,
    odds, steady, moving,
  };
}
