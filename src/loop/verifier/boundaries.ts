import { normalAbove } from './student.ts';

/** A sequential test of one candidate: how many looks, and where it gives up. */
export interface Looks {
  /** At most so many runs of the candidate. */
  readonly most: number;
  /** Nothing is decided in its favour before so many. */
  readonly least: number;
  /** The effect that is worth finding, in standard deviations of one run. */
  readonly effect: number;
  /** How much less is asked for in the first runs. */
  readonly patience: number;
}

/** Standardized gain below which the test ends after `run` runs: less likely under the effect than under none. */
export function futility({ effect, patience }: Looks, run: number): number {
  return (effect / 2 - patience / (effect * run)) * Math.sqrt(run);
}

/**
 * For each run 1…most the chance (upper tail of a t test) at which the candidate counts as better, so that a candidate without
 * any effect gets there with a chance of at most `alpha` in all: where giving up early leaves less than a look may spend, all
 * that is left counts, and the rest stays unspent. Index 0 is unused. Error spending with binding futility (Lan & DeMets
 * 1983; Jennison & Turnbull 2000, ch. 7 and 19): the density of the running sum is carried from look to look on a grid, for
 * several values of the parent's own error, which all looks share. Boundaries of the normal case are turned into chances, so
 * that few degrees of freedom ask for more (Jennison & Turnbull 2000, ch. 11).
 */
export function boundaries(looks: Looks, alpha: number): readonly number[] {
  const { most, least } = looks;
  const chances = [0];
  let densities: readonly Float64Array[] = [];
  for (let run = 1; run <= most; run++) {
    densities = PARENT_ERRORS.map(({ weight }, i) => (run === 1 ? first(weight) : carried(densities[i] ?? first(weight), run)));
    const spend = spentBy(run, least, most, alpha) - spentBy(run - 1, least, most, alpha);
    const stop = futility(looks, run);
    const success = spend > 0 ? Math.max(stop, crossing(densities, run, spend)) : Infinity;
    chances.push(success === Infinity ? 0 : normalAbove(success));
    for (const [i, density] of densities.entries())
      for (let x = 0; x < POINTS; x++) {
        const z = standardized(i, x, run);
        if (z < stop || z > success) density[x] = 0;
      }
  }
  return chances;
}

/** Variance of the parent's level in units of one run: about that of ten runs and the drift that may have come since. */
const PARENT_VARIANCE = 0.15;
/** The share of the error that is spent grows with this power of the looks: later looks know more. */
const SPENDING_POWER = 2;

/** The grid on which the running sum, divided by the root of the number of runs, is followed. */
const LOWEST = -4;
const STEP = 0.08;
const POINTS = 164;
/** What lies so many standard deviations away is nothing. */
const REACH = 4.5;

const PARENT_ERRORS = ((): readonly { readonly error: number; readonly weight: number }[] => {
  const nodes = [-3.2, -2.4, -1.6, -0.8, 0, 0.8, 1.6, 2.4, 3.2];
  const total = nodes.reduce((sum, node) => sum + Math.exp((-node * node) / 2), 0);
  return nodes.map((node) => ({ error: node * Math.sqrt(PARENT_VARIANCE), weight: Math.exp((-node * node) / 2) / total }));
})();

function spentBy(run: number, least: number, most: number, alpha: number): number {
  return run < least ? 0 : alpha * ((run - least + 1) / (most - least + 1)) ** SPENDING_POWER;
}

function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

function first(weight: number): Float64Array {
  return Float64Array.from({ length: POINTS }, (_, x) => normalDensity(LOWEST + STEP * x) * STEP * weight);
}

/** The density after one more run. */
function carried(before: Float64Array, run: number): Float64Array {
  const after = new Float64Array(POINTS);
  const scale = Math.sqrt(run);
  for (let y = 0; y < POINTS; y++) {
    const mass = before[y] ?? 0;
    if (mass < 1e-14) continue;
    const sum = (LOWEST + STEP * y) * Math.sqrt(run - 1);
    const from = Math.max(0, Math.floor(((sum - REACH) / scale - LOWEST) / STEP));
    const to = Math.min(POINTS - 1, Math.ceil(((sum + REACH) / scale - LOWEST) / STEP));
    for (let x = from; x <= to; x++) after[x] = (after[x] ?? 0) + mass * normalDensity((LOWEST + STEP * x) * scale - sum) * STEP * scale;
  }
  return after;
}

function standardized(node: number, x: number, run: number): number {
  return ((LOWEST + STEP * x) / Math.sqrt(run) - (PARENT_ERRORS[node]?.error ?? 0)) / Math.sqrt(1 / run + PARENT_VARIANCE);
}

/** The standardized gain above which so much of the mass lies. */
function crossing(densities: readonly Float64Array[], run: number, mass: number): number {
  let low = 0;
  let high = 9;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (massAbove(densities, run, middle) > mass) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function massAbove(densities: readonly Float64Array[], run: number, z: number): number {
  let mass = 0;
  for (const [i, density] of densities.entries()) {
    const place = ((z * Math.sqrt(1 / run + PARENT_VARIANCE) + (PARENT_ERRORS[i]?.error ?? 0)) * Math.sqrt(run) - LOWEST) / STEP;
    const edge = Math.max(0, Math.floor(place + 0.5));
    for (let x = edge; x < POINTS; x++) mass += (density[x] ?? 0) * (x === edge ? edge + 0.5 - place : 1);
  }
  return mass;
}
