/**
 * A Kalman filter over the runs of a scorer (Kalman 1960). Its state is the parent's level, its slope per run, and how far
 * candidates lie from their parents on the average, so that candidates, which run anyway, tell about the parent too. Values
 * are as measured; variances count in units of the variance of one run.
 */
export interface Filter {
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
  /** How much the level wanders from run to run, besides its slope: variance of one step. */
  readonly wander: number;
}

/** What was measured: a value, whether a candidate's offset is in it, and the variance that it has of its own. */
export interface Observation {
  readonly value: number;
  readonly offset: 0 | 1;
  readonly variance: number;
}

/** Nothing known of the level yet. */
const UNKNOWN = 1e6;
/** Variance of the mean of all candidates' effects, before anything was seen: most change nothing. */
const OFFSET_VARIANCE = 0.005;

/** Before the first run: a level that wanders, and may have a slope of about `slope`. */
export function filterOf(slope: number, wander: number): Filter {
  return { level: 0, slope: 0, offset: 0, ll: UNKNOWN, ls: 0, lo: 0, ss: slope ** 2, so: 0, oo: OFFSET_VARIANCE, wander };
}

/** Another text is the parent now: its level is unknown, the drift goes on as it was. */
export function forgotten(at: Filter): Filter {
  return { ...at, ll: UNKNOWN, ls: 0, lo: 0 };
}

/** Whether nothing was observed yet of this parent. */
export function isUnknown({ ll }: Filter): boolean {
  return ll >= UNKNOWN;
}

/** One run later. */
export function predicted(at: Filter): Filter {
  return { ...at, level: at.level + at.slope, ll: at.ll + 2 * at.ls + at.ss + at.wander, ls: at.ls + at.ss, lo: at.lo + at.so };
}

/** Error of the prediction, and the variance that it was expected to have. */
function innovation(at: Filter, { value, offset, variance }: Observation): { readonly error: number; readonly total: number } {
  return { error: value - at.level - offset * at.offset, total: at.ll + offset * (2 * at.lo + at.oo) + variance };
}

/**
 * After an observation; `sd`: the standard deviation of one run, 0 where it isn't known. What is far out moves the level no
 * more than what lies at the edge (Masreliez & Martin 1977): a run beside another program's burst is no news of the parent.
 * The first one is the level: any other guess before it would be believed a little, and a value can be a
 * billion times its noise.
 */
export function observed(before: Filter, observation: Observation, sd: number): Filter {
  const { value, offset } = observation;
  const at = isUnknown(before) ? { ...before, level: value - offset * before.offset } : before;
  const l = at.ll + offset * at.lo;
  const s = at.ls + offset * at.so;
  const o = at.lo + offset * at.oo;
  const { error: plain, total } = innovation(at, observation);
  const edge = sd === 0 ? Infinity : FAR_OUT * sd * Math.sqrt(total);
  const error = Math.max(-edge, Math.min(edge, plain));
  return {
    ...at,
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

/** Logarithm of how likely the filter held the observation, but for a constant. What is far out is no evidence for a drift: it counts as if it lay at the edge. */
export function likelihood(at: Filter, observation: Observation, sd: number): number {
  const { error, total } = innovation(at, observation);
  const distance = Math.min(FAR_OUT, Math.abs(error) / (sd * Math.sqrt(total)));
  return -(Math.log(total) + distance ** 2) / 2;
}

/** In standard deviations of the innovation. */
const FAR_OUT = 2;
