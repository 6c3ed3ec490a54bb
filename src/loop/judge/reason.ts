import type { Effect, Evidence, Grounds, Metric } from '../../records.ts';
import { formatNumber } from '../format.ts';

/** Why, in one or two plain sentences. */
export function reasonOf({ how, effect, score, parentScore, tokens, parentTokens, metric }: Omit<Evidence, 'reason'> & { readonly how: Grounds; readonly metric: Metric }): string {
  const less = `${tokens ?? '?'} code tokens instead of ${parentTokens ?? '?'}`;
  switch (how) {
    case 'confirmed':
      return `Better than its parent, run in turns: ${effect === undefined ? '' : effectWords(effect, metric)}.`;
    case 'exact':
      return 'It scores better than its parent, the same in every run.';
    case 'exact-simpler':
    case 'unconfirmed-simpler':
      return `The same score with less code: ${less}.`;
    case 'simpler':
      return `As good, within the noise of one run, with less code: ${less}${effect === undefined ? '' : ` (${effectWords(effect, metric)})`}.`;
    case 'one-draw':
      return 'One draw: the file draws random numbers in a way that can\'t be varied, so this may be luck.';
    case 'night':
      return 'It looks better in one run. What looks better is settled in the last quarter of the run.';
    case 'unconfirmed':
      return 'It scores better than its parent, in one run.';
    case 'not-better':
      if (effect === undefined) return score === parentScore ? 'The same score: no real difference.' : worse(score, parentScore, metric) ? 'It scores worse than its parent.' : 'No real difference.';
      return `${effect.high < (effect.in === 'factor' ? 1 : 0) ? 'Worse than its parent' : 'No real difference'}: ${effectWords(effect, metric)}.`;
  }
}

/**
 * "+2.1 (1.2 to 3.0) in 4 runs against 3", "1.31× (1.20 to 1.42) in 4 runs against 3". A difference is that of the values, so less
 * than 0 where lower is better; a factor says how many times better.
 */
export function effectWords({ in: kind, gain, low, high, runs, parentRuns, rough }: Effect, { unit, direction }: Metric): string {
  const counts = `in ${runs} ${runs === 1 ? 'run' : 'runs'} against ${parentRuns}`;
  const told = (change: string, from: string, to: string): string => (rough === true ? `${change} ${counts}, too few runs to say how far off` : `${change} (${from} to ${to}) ${counts}`);
  if (kind === 'factor') {
    const digits = factorDigits(rough === true ? [gain] : [gain, low, high]);
    return told(`${gain.toFixed(digits)}×`, low.toFixed(digits), high.toFixed(digits));
  }
  const [change, from, to] = direction === 'higher' ? [gain, low, high] : [-gain, -high, -low];
  const shown = (value: number): string => formatNumber(value, 2);
  return told(`${change > 0 ? '+' : ''}${shown(change)}${unit === undefined ? '' : ` ${unit}`}`, shown(from), shown(to));
}

/** Two, or as many as it takes for none that isn't 1, no effect, to look like it. */
function factorDigits(factors: readonly number[]): number {
  const looksLikeNone = (factor: number, digits: number): boolean => factor !== 1 && Number(factor.toFixed(digits)) === 1;
  return [2, 3, 4, 5].find((digits) => !factors.some((factor) => looksLikeNone(factor, digits))) ?? 6;
}

function worse(score: number | undefined, parentScore: number | undefined, { direction }: Metric): boolean {
  return score !== undefined && parentScore !== undefined && (direction === 'higher' ? score < parentScore : score > parentScore);
}
