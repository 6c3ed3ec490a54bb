import { chanceOfLuck } from './chance.ts';
import type { Chain, Keep } from './chain.ts';
import { poolOf, startLevel, type Pool, type StartLevel } from './level.ts';
import { noiseOfAttempts, noiseOfRepeats, type NoiseEstimate, type NoiseUnknown } from './noise.ts';

/** What can be said of something that was kept. */
export type KeepVerdict = 'likely real' | 'within noise' | "can't be told"
  /** Kept though it scored no better: a new start, or less code. */
  | 'not better';

/** A keep with its chances. */
export interface JudgedKeep extends Keep {
  readonly verdict: KeepVerdict;
  /** That the best of so many attempts which change nothing would have looked as good; absent without noise, and where it wasn't better. */
  readonly chance?: number;
  /** Where it started from, with noise. */
  readonly start?: StartLevel;
  /** Attempts among which it was the best. */
  readonly draws: number;
  /** Whether the attempts after it alone say that it is real. */
  readonly held: boolean;
}

/** Judges the keeps in order: one that is likely real starts a new level. */
export function verdictsOf({ keeps }: Chain, noise: NoiseEstimate | undefined): readonly JudgedKeep[] {
  const pools = new Map<number, Pool>();
  return keeps.map((keep) => {
    const pool = poolOf(keep, pools.get(keep.parentRow));
    const draws = pool.attempts + 1;
    const start = noise === undefined ? undefined : startLevel(keep, pool, noise.sd);
    const chance = noise === undefined || start === undefined || keep.gain <= 0 ? undefined : chanceOfLuck({ above: keep.value - start.level, levelVariance: start.variance, draws }, noise);
    const verdict = verdictOf(keep, chance, noise);
    if (verdict !== 'likely real' && verdict !== 'not better') pools.set(keep.row, pool);
    return { ...keep, verdict, draws, held: keep.rise <= RISE, ...(start === undefined ? {} : { start }), ...(chance === undefined ? {} : { chance }) };
  });
}

function verdictOf({ gain, rise }: Keep, chance: number | undefined, noise: NoiseEstimate | undefined): KeepVerdict {
  if (gain <= 0) return 'not better';
  // Hardly better than its parent is nothing, however far both lie above the rest.
  if (rise <= RISE || ((chance ?? 1) <= REAL && gain >= LEAST_GAIN * (noise?.sd ?? 0))) return 'likely real';
  return chance !== undefined && chance >= NOTHING ? 'within noise' : "can't be told";
}

/**
 * The noise that a log shows by itself: by what was measured more than once; else by its attempts, as they come, and again by
 * the levels which that tells apart, and those by it.
 */
export function noiseOfLog(chain: Chain): NoiseEstimate | NoiseUnknown {
  const repeated = noiseOfRepeats(chain.repeats);
  if (repeated !== undefined) return repeated;
  let noise = noiseOfAttempts(chain.siblings.map(({ values, keptRow }) => (keptRow !== undefined ? [...values.slice(0, -1), Infinity] : values)));
  for (let pass = 0; pass < PASSES && typeof noise !== 'string'; pass++) {
    const closer = noiseOfAttempts(levelsOf(chain, verdictsOf(chain, noise), LONG));
    if (typeof closer !== 'string') noise = closer;
  }
  return noise;
}

/** Attempts between two keeps that are likely real stood at one level. */
export function levelsOf({ siblings }: Chain, keeps: readonly Pick<JudgedKeep, 'row' | 'verdict'>[], most = Infinity): readonly (readonly number[])[] {
  const moved = new Set(keeps.filter(({ verdict }) => verdict === 'likely real' || verdict === 'not better').map(({ row }) => row));
  const levels: number[][] = [[]];
  for (const { values, keptRow } of siblings) {
    const moves = keptRow !== undefined && moved.has(keptRow);
    const level = levels.at(-1) ?? [];
    for (const value of moves ? values.slice(0, -1) : values) level.push(value);
    if (moves || keptRow === undefined || level.length >= most) levels.push([]);
  }
  return levels;
}

const PASSES = 2;
/** A level of so many attempts tells enough: many small gains in a row would look like noise. */
const LONG = 10;
const LEAST_GAIN = 0.7;
const REAL = 0.05;
const NOTHING = 0.15;
/** The attempts after a keep are few and not all alike: much is asked of them. */
const RISE = 0.01;
