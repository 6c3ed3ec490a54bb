import type { ResultRow } from '../results.ts';
import { mean } from '../verifier/spread.ts';
import { chanceOfRise } from './chance.ts';

/** What was kept after the first, as the log has it. Values are oriented: more is better. */
export interface Keep {
  /** Index among the log's rows. */
  readonly row: number;
  readonly value: number;
  /** Runs of the champion that it replaced. */
  readonly parent: readonly number[];
  /** Row of that champion. */
  readonly parentRow: number;
  /** Over the mean of those runs. */
  readonly gain: number;
  /** The attempts on its parent before it, itself left out. */
  readonly before: readonly number[];
  /** Chance that those after it, on it, up to the next keep, which counts among them, are better than those before only by luck. */
  readonly rise: number;
}

/** Attempts that started from one parent, in order. */
export interface Siblings {
  readonly values: readonly number[];
  /** Row of the last of them, where that was kept. */
  readonly keptRow?: number;
}

/** A log as a chain of champions. */
export interface Chain {
  /** Index of the row with the start, and its values. */
  readonly start?: { readonly row: number; readonly values: readonly number[] };
  readonly keeps: readonly Keep[];
  readonly siblings: readonly Siblings[];
  /** Runs of one text each, two or more. */
  readonly repeats: readonly (readonly number[])[];
}

interface Text {
  readonly row: number;
  readonly values: number[];
}

/** Follows the log: who was the champion when, what was tried on it, and what was only measured again. */
export function chainOf(rows: readonly ResultRow[], sign: 1 | -1): Chain {
  const texts = new Map<string, Text>();
  const keeps: (Omit<Keep, 'rise'> & { readonly later: number[] })[] = [];
  const siblings: { readonly values: number[]; keptRow?: number }[] = [];
  let start: { readonly row: number; readonly values: number[] } | undefined;
  let champion: Text | undefined;
  rows.forEach((row, index) => {
    if (row.score === undefined) return;
    const value = sign * row.score;
    const key = keyOf(row);
    const known = key === undefined ? undefined : texts.get(key);
    if (known !== undefined) {
      known.values.push(value);
      // Kept again: the run went back to it.
      if (row.status === 'keep' && known !== champion) {
        champion = known;
        siblings.push({ values: [] });
      }
      return;
    }
    const text: Text = { row: index, values: [value] };
    if (key !== undefined) texts.set(key, text);
    const tried = siblings.at(-1);
    if (champion === undefined || tried === undefined) {
      if (row.status !== 'keep') return;
      start = { row: index, values: text.values };
    } else {
      tried.values.push(value);
      if (row.status !== 'keep') return;
      tried.keptRow = index;
      keeps.push({ row: index, value, parent: [...champion.values], parentRow: champion.row, gain: value - mean(champion.values), before: tried.values.slice(0, -1), later: [] });
    }
    champion = text;
    siblings.push({ values: keeps.at(-1)?.row === index ? (keeps.at(-1)?.later ?? []) : [] });
  });
  return {
    ...(start === undefined ? {} : { start }),
    keeps: keeps.map(({ later, ...keep }) => ({ ...keep, rise: chanceOfRise(keep.before.slice(-NEAREST), later.slice(0, NEAREST)) })),
    siblings,
    repeats: [...texts.values()].map(({ values }) => values).filter((values) => values.length > 1),
  };
}

/** What makes two rows runs of one text: both are called the baseline, or they share a commit and what is said of it. */
function keyOf({ commit, description }: ResultRow): string | undefined {
  if (BASELINE.test(description)) return 'baseline';
  if (!COMMIT.test(commit) || /^0+$/.test(commit)) return undefined;
  return `${commit.toLowerCase()} ${description.replace(AGAIN, '').trim().toLowerCase()}`;
}

/** Nothing but that word, or that it was run again. */
const BASELINE = /^(?:the )?(?:unchanged )?baseline(?: ?(?:again|re-?run|repeat(?:ed)?|run))?(?: ?#?\d+)?[ .]*$/i;
const AGAIN = /\b(?:again|re-?run|repeat(?:ed)?)\b(?: ?#?\d+)?/gi;
const COMMIT = /^[0-9a-f]{7,40}$/i;
/** More attempts before and after a keep tell nothing new. */
const NEAREST = 200;
