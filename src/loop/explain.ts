import type { Direction } from '../records.ts';
import { chanceOfLuck, keepsOfNothing, runsToSettle } from './explain/chance.ts';
import { chainOf, type Chain } from './explain/chain.ts';
import { directionOf, type KnownDirection } from './explain/direction.ts';
import { HARM } from './explain/level.ts';
import { givenNoise, type NoiseEstimate, type NoiseUnknown } from './explain/noise.ts';
import { stretchesOf, type Stretch } from './explain/stretches.ts';
import { levelsOf, noiseOfLog, verdictsOf, type KeepVerdict } from './explain/verdicts.ts';
import { median } from './median.ts';
import { metricName, type ResultRow, type ResultTable } from './results.ts';
import { LARGEST } from './score/found.ts';
import { mean } from './verifier/spread.ts';

/** What an old log's kept rows are worth, as far as the log itself can tell. */
export interface Explanation extends KnownDirection {
  readonly metric: string;
  /** Rows with a score. */
  readonly scored: number;
  /** Rows that couldn't be read. */
  readonly leftOut: number;
  /** Absent where the log doesn't tell; then not much can be told of its keeps either. */
  readonly noise?: NoiseEstimate;
  readonly noiseUnknown?: NoiseUnknown;
  readonly start: ExplainedRow;
  readonly keeps: readonly ExplainedKeep[];
  readonly counts: Readonly<Record<KeepVerdict, number>>;
  /** How many of the keeps are nothing, about. */
  readonly expectedFalse: number;
  /** Keeps in a row of which none is likely real by itself, and what they are together; rows as in `keeps`. */
  readonly stretches: readonly Stretch[];
  /** From the start to the best that was kept; absent where nothing better was. */
  readonly total?: { readonly gain: number; readonly to: number; readonly chance?: number };
}

/** A row of the log. */
export interface ExplainedRow {
  /** Counted from 1, without the head. */
  readonly row: number;
  readonly commit: string;
  readonly score: number;
  readonly description: string;
}

export interface ExplainedKeep extends ExplainedRow {
  readonly verdict: KeepVerdict;
  /** In the metric's unit; positive is better. */
  readonly gain: number;
  /** The gain in standard deviations of the difference of two runs. */
  readonly gainInNoise?: number;
  /** Attempts among which it was the best. */
  readonly draws: number;
  /** Chance that the best of so many attempts that change nothing looks as good. */
  readonly chance?: number;
  /** Whether the attempts after it, on it, scored better than those before: more than its own run says. */
  readonly heldUp: boolean;
  /** Runs each of it and of what it replaced that would show a gain of this size; absent where it is settled, or would take more than 100. */
  readonly runsToSettle?: number;
}

export interface ExplainOptions {
  /** Known standard deviation of one run. */
  readonly noise?: number;
  readonly direction?: Direction;
}

/** Why a table can't be explained. */
export type Unexplained = 'no-table' | 'no-scores' | 'no-keeps' | 'one-row' | 'no-direction';

/**
 * Judges the kept rows of a log of single runs. How much one run varies is taken from what was measured more than once, else
 * from how attempts on one parent spread, which supposes that most of them changed little. A keep is then compared with the
 * level from which it started: the best of as many attempts that change nothing would lie above it, too.
 */
export function explain({ columns, rows: all, warnings }: ResultTable, { noise: given, direction }: ExplainOptions = {}): Explanation | Unexplained {
  // A value that can't be squared is none, as where a scorer prints it.
  const rows = all.map(({ score, ...row }): ResultRow => (score === undefined || Math.abs(score) > LARGEST ? row : { ...row, score }));
  const metric = metricName(columns);
  if (metric === undefined || !columns.includes('status')) return 'no-table';
  const scored = rows.filter(({ score }) => score !== undefined).length;
  if (scored === 0) return 'no-scores';
  if (scored === 1) return 'one-row';
  const known = directionOf(metric, rows, direction);
  if (known === undefined) return rows.some(({ status }) => status === 'keep') ? 'no-direction' : 'no-keeps';
  const chain = chainOf(rows, known.direction === 'higher' ? 1 : -1);
  if (chain.start === undefined) return 'no-keeps';
  const told = given !== undefined ? givenNoise(given) : noiseOfLog(chain);
  const noise = typeof told === 'string' ? undefined : told;
  const judged = verdictsOf(chain, noise);
  const counts: Record<KeepVerdict, number> = { 'likely real': 0, 'within noise': 0, "can't be told": 0, 'not better': 0 };
  for (const { verdict } of judged) counts[verdict]++;
  const total = totalOf(chain, noise);
  return {
    ...known, metric, scored, leftOut: warnings.length,
    ...(typeof told === 'string' ? { noiseUnknown: told } : { noise: told }),
    start: rowOf(rows, chain.start.row),
    keeps: judged.map(({ row, gain, verdict, draws, chance, held }) => {
      const runs = verdict === 'likely real' || verdict === 'not better' || noise === undefined ? undefined : runsToSettle(gain, noise.sd);
      return {
        ...rowOf(rows, row), verdict, gain, draws, heldUp: held,
        ...(noise === undefined || noise.sd === 0 ? {} : { gainInNoise: gain / (Math.SQRT2 * noise.sd) }),
        ...(chance === undefined ? {} : { chance }),
        ...(runs === undefined ? {} : { runsToSettle: runs }),
      };
    }),
    counts,
    expectedFalse: expectedFalse(chain, judged, noise),
    stretches: noise === undefined ? [] : stretchesOf(judged, noise).map((stretch) => ({ ...stretch, from: stretch.from + 1, to: stretch.to + 1 })),
    ...(total === undefined ? {} : { total }),
  };
}

function rowOf(rows: readonly ResultRow[], index: number): ExplainedRow {
  const { commit = '', score = NaN, description = '' } = rows[index] ?? {};
  return { row: index + 1, commit, score, description };
}

/**
 * A rule that keeps whatever scores better also keeps luck: so many at each level, the attempts that did clear harm left out;
 * but not more than there are keeps that aren't likely real.
 */
function expectedFalse(chain: Chain, judged: ReturnType<typeof verdictsOf>, noise: NoiseEstimate | undefined): number {
  const harm = HARM * (noise?.sd ?? Infinity);
  const lucky = levelsOf(chain, judged).reduce((sum, values) => {
    const middle = median(values);
    return sum + keepsOfNothing(values.filter((value) => value >= middle - harm).length);
  }, 0);
  const open = judged.filter(({ verdict }) => verdict === 'within noise' || verdict === "can't be told").length;
  const mistaken = judged.reduce((sum, { verdict, chance = 0, rise }) => sum + (verdict === 'likely real' ? Math.min(chance, rise) : 0), 0);
  return Math.min(open, lucky) + mistaken;
}

function totalOf({ start, keeps, siblings }: Chain, noise: NoiseEstimate | undefined): Explanation['total'] {
  const best = keeps.reduce<(typeof keeps)[number] | undefined>((most, keep) => (keep.value > (most?.value ?? -Infinity) ? keep : most), undefined);
  if (start === undefined || best === undefined) return undefined;
  const gain = best.value - mean(start.values);
  if (gain <= 0) return undefined;
  const draws = siblings.reduce((sum, { values }) => sum + values.length, 0);
  return { gain, to: best.row + 1, ...(noise === undefined ? {} : { chance: chanceOfLuck({ above: gain, levelVariance: 1 / start.values.length, draws }, noise) }) };
}
