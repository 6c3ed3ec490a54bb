/**
 * Where the parent's score stands now, seen through noise and drift: a Kalman filter over the runs of the scorer. Its state is
 * the parent's level, its slope per run, and how far candidates lie from their parents on the average, so that a candidate's
 * first run, which comes anyway, tells a little about drift as well. Variances count in units of the variance of one run.
 */
export interface Level {
  readonly level: number;
  readonly slope: number;
  readonly offset: number;
  /** Covariances: level, level with slope, level with offset, slope, slope with offset, offset. */
  readonly ll: number;
  readonly ls: number;
  readonly lo: number;
  readonly ss: number;
  readonly so: number;
  readonly oo: number;
}

/** Nothing known of the level yet. */
const UNKNOWN = 1e6;
/** How much a level may wander from run to run: variance of one step. */
const WANDER = 0.0006;
/** Standard deviation of the slope, before anything was seen. */
const SLOPE_SD = 0.015;
/** Spread of candidates around their parents, taken as given: a candidate's first run says that much less about the parent. */
const CANDIDATE_SD = 0.7;

export const START: Level = { level: 0, slope: 0, offset: 0, ll: UNKNOWN, ls: 0, lo: 0, ss: SLOPE_SD ** 2, so: 0, oo: 1 };

/** One run later. */
export function later(at: Level): Level {
  return { ...at, level: at.level + at.slope, ll: at.ll + 2 * at.ls + at.ss + WANDER, ls: at.ls + at.ss, lo: at.lo + at.so };
}

/** After a run of the parent. The first one is its level: any other guess before it would be believed a little, and a value can be a billion times its noise. */
export function seenParent(at: Level, value: number): Level {
  return observed(at.ll >= UNKNOWN ? { ...at, level: value } : at, value, 0, 1);
}

/** After the first run of a candidate. */
export function seenCandidate(at: Level, value: number): Level {
  return observed(at, value, 1, 1 + CANDIDATE_SD ** 2);
}

/** How surprising a run of the parent is: its distance from the level, squared, in the variance that one run is expected to have. */
export function surprise(at: Level, value: number): number {
  return (value - at.level) ** 2 / (at.ll + 1);
}

/** Another text is the parent now: its level is unknown, the drift goes on as it was. */
export function withNewParent(at: Level): Level {
  return { ...at, ll: UNKNOWN, ls: 0, lo: 0 };
}

/** Whether the level seems to move by itself: the slope in units of its own uncertainty. */
export function driftSeen(at: Level): boolean {
  return Math.abs(at.slope) > SLOPE_SEEN * Math.sqrt(at.ss);
}

const SLOPE_SEEN = 1.1;

function observed(at: Level, value: number, weight: 0 | 1, noise: number): Level {
  const l = at.ll + weight * at.lo;
  const s = at.ls + weight * at.so;
  const o = at.lo + weight * at.oo;
  const total = l + weight * o + noise;
  const error = value - at.level - weight * at.offset;
  return {
    level: at.level + (l / total) * error,
    slope: at.slope + (s / total) * error,
    offset: at.offset + (o / total) * error,
    ll: at.ll - (l * l) / total,
    ls: at.ls - (l * s) / total,
    lo: at.lo - (l * o) / total,
    ss: at.ss - (s * s) / total,
    so: at.so - (s * o) / total,
    oo: at.oo - (o * o) / total,
  };
}
