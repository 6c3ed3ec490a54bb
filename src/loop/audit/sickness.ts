import { median } from '../median.ts';
import type { Evidence, Sample } from './evidence.ts';
import { mean } from '../verifier/spread.ts';
import { compare, type Reference } from './reference.ts';

/** Whether the scorer noticed the canary; undefined where that isn't known. */
export function isCanarySeen({ canaries }: Pick<Evidence, 'canaries'>, reference: Reference): boolean | undefined {
  if (canaries.length === 0) return undefined;
  if (canaries.some((run) => run.signs.includes('canary'))) return true;
  const compared = canaries.map((run) => compare(reference, run));
  if (compared.some((how) => how !== 'same' && how !== 'unsure')) return true;
  // Two values that differ say little of the noise.
  const isVague = reference.scores.length === 2 && !reference.isExact && !reference.isExactBySeed;
  return compared.includes('unsure') || isVague ? undefined : false;
}

/** How a scorer shows that it reads a result that was kept; undefined where nothing points to it. */
export function cacheSign({ baselines, noOp, mutants }: Evidence, reference: Reference): string | undefined {
  const [first, ...again] = baselines.filter((run) => run.outcome === 'scored');
  if (first === undefined) return undefined;
  if (again.some((run) => run.signs.includes('cache'))) return 'What it prints on a second run says that a kept result was read.';
  const changed = [...(noOp === undefined ? [] : [noOp]), ...mutants.values()].filter((run) => run.outcome === 'scored');
  if (again.length === 0 || changed.length === 0 || !reference.isExact) return undefined;
  const repeatMs = median(again.map((run) => run.durationMs));
  const changedMs = median(changed.map((run) => run.durationMs));
  // A first run is often the slow one; here a changed text is slow again.
  if (repeatMs < QUICKER * first.durationMs && repeatMs < QUICKER * changedMs && changedMs - repeatMs > CLEAR_MS)
    return `The same text took ${Math.round(first.durationMs)} ms at first and ${Math.round(repeatMs)} ms again, and a changed one ${Math.round(changedMs)} ms: its results are kept and read again.`;
  return undefined;
}

const QUICKER = 0.2;
const CLEAR_MS = 200;

/** How a scorer shows that it depends on what ran before. `unsure`: noise alone may look so. */
export interface OrderSign {
  readonly kind: 'sure' | 'likely' | 'unsure';
  readonly sentence: string;
}

/** Undefined where nothing points to it. Values that only differ are noise: what is said here, noise of no kind does in one check of twenty. */
export function orderSign(evidence: Evidence): OrderSign | undefined {
  const { baselines, mutants } = evidence;
  const runs = scoredOf(baselines);
  if (runs.length < 4) return undefined;
  const shown = runs.map(({ score }) => Number(score.toPrecision(5))).join(', ');
  if (isTrend(runs)) {
    const change = Math.abs((runs.at(-1)?.score ?? 0) - (runs[0]?.score ?? 0));
    return { kind: runs.length > 4 && change > DRIFT * Math.abs(runs[0]?.score ?? 0) ? 'sure' : 'likely', sentence: `The unchanged file scores ${shown}, further off with each run: it depends on how many runs came before.` };
  }
  // A comment changes nothing, and of two at once each is a run like any other.
  const all = scoredOf([...baselines, ...(evidence.noOp === undefined ? [] : [evidence.noOp]), ...evidence.pair]).sort((a, b) => a.order - b.order);
  const [first, ...later] = all.map(({ score }) => score);
  const rest = oneValue(later);
  if (first !== undefined && rest !== undefined && rest !== first) {
    return later.length < LEAST_LATER ? { kind: 'unsure', sentence: `The first run scored ${first}, and ${later.length} later ones on the same text ${rest}.` }
      : { kind: 'likely', sentence: `The first run scored ${first}, and every later one on the same text ${rest}: the first leaves something behind.` };
  }
  const firstBroken = Math.min(...[...mutants.values()].map(({ order }) => order));
  const [before, after] = [all.filter(({ order }) => order < firstBroken), all.filter(({ order }) => order > firstBroken)].map((part) => part.map(({ score }) => score));
  const [was, is] = [oneValue(before ?? []), oneValue(after ?? [])];
  if (was === undefined || is === undefined || was === is) return undefined;
  if (all.length < LEAST_SPLIT || (after?.length ?? 0) < 2) return { kind: 'unsure', sentence: `The unchanged file scored ${was} before broken ones had run, and ${is} after.` };
  return { kind: 'sure', sentence: `The unchanged file scored ${was} in each of ${before?.length ?? 0} runs before broken ones had run, and ${is} in each of ${after?.length ?? 0} after: it depends on what ran before.` };
}

/** One value in so many runs after another first one: noise of two values does that at most once in some twenty times, whatever the chance of each. */
const LEAST_LATER = 6;
/** So many runs that one point parts into two values: noise does that once in sixty times at most. */
const LEAST_SPLIT = 7;

function scoredOf(samples: readonly Sample[]): { readonly order: number; readonly score: number }[] {
  return samples.flatMap(({ order, score }) => (score === undefined ? [] : [{ order, score }]));
}

/** The value that all of them have. */
function oneValue(scores: readonly number[]): number | undefined {
  return scores.every((score) => score === scores[0]) ? scores[0] : undefined;
}

/** A smaller change from the first run to the last can be a machine that warms up. */
const DRIFT = 0.05;
const STRAIGHT = 0.95;

/** Always up, or always down, and nearly on a line over all runs of the check: random values are that once in some hundred times. */
function isTrend(runs: readonly { readonly order: number; readonly score: number }[]): boolean {
  const signs = new Set(runs.slice(1).map(({ score }, index) => Math.sign(score - (runs[index]?.score ?? 0))));
  if (signs.size !== 1 || signs.has(0)) return false;
  const [x, y] = [mean(runs.map(({ order }) => order)), mean(runs.map(({ score }) => score))];
  const sum = (of: (run: { readonly order: number; readonly score: number }) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const both = sum(({ order, score }) => (order - x) * (score - y));
  return both ** 2 >= STRAIGHT * sum(({ order }) => (order - x) ** 2) * sum(({ score }) => (score - y) ** 2);
}
