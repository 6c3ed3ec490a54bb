import { median } from '../median.ts';
import type { Evidence } from './evidence.ts';
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

/** How a scorer shows that it depends on what ran before; undefined where nothing points to it. */
export function orderSign({ baselines, canaries, mutants }: Evidence): { readonly sure: boolean; readonly sentence: string } | undefined {
  const runs = baselines.flatMap(({ order, score }) => (score === undefined ? [] : [{ order, score }]));
  const scores = runs.map(({ score }) => score);
  if (runs.length < 4) return undefined;
  const shown = scores.map((score) => Number(score.toPrecision(5))).join(', ');
  if (isTrend(runs)) {
    const change = Math.abs((scores.at(-1) ?? 0) - (scores[0] ?? 0));
    return { sure: runs.length > 4 && change > DRIFT * Math.abs(scores[0] ?? 0), sentence: `The unchanged file scores ${shown}, further off with each run: it depends on how many runs came before.` };
  }
  const [first, ...rest] = scores;
  if (first !== rest[0] && rest.every((score) => score === rest[0]))
    return { sure: false, sentence: `The first run scored ${String(first)}, and every later one on the same text ${String(rest[0])}: the first leaves something behind.` };
  const broken = [...mutants.values()].map(({ order }) => order);
  const firstBroken = Math.min(...broken);
  const before = runs.filter(({ order }) => order < firstBroken).map(({ score }) => score);
  const after = runs.filter(({ order }) => order > firstBroken).map(({ score }) => score);
  if (broken.length === 0 || before.length < 2 || after.length === 0 || before.some((score) => score !== before[0])) return undefined;
  const other = after.filter((score) => score !== before[0]);
  if (other.length === 0) return undefined;
  const what = canaries.length > 0 ? 'after broken files had run' : 'later';
  return { sure: other.length === after.length && after.length > 1, sentence: `The unchanged file scored ${shown}: another value ${what}, so it depends on what ran before, or flickers.` };
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
