import type { Region } from '../regions.ts';
import type { Sample } from './evidence.ts';
import type { Audit } from './mutants.ts';
import { compare, type Reference } from './reference.ts';

/** Whether the score reacts to a part of the target. */
export interface Finding extends Region {
  readonly verdict: 'noticed' | 'unnoticed' | 'not tried';
  /** Breaks that were tried, and those that the score reacted to. */
  readonly tried: number;
  readonly noticed: number;
  /** Of a part that is noticed, breaks of it that weren't. */
  readonly unseen: readonly string[];
  /** A function that scores better with its body emptied. */
  readonly betterEmptied?: number;
}

/** What the breaks said of each part. */
export function findingsOf({ regions, mutants }: Audit, samples: ReadonlyMap<string, Sample>, reference: Reference | undefined): readonly Finding[] {
  return regions.map((region) => {
    const tried = reference === undefined ? [] : mutants.filter((mutant) => mutant.region === region.name).flatMap((mutant) => {
      const sample = samples.get(mutant.id);
      return sample === undefined ? [] : [{ mutant, sample, how: compare(reference, sample) }];
    });
    const same = tried.filter(({ how }) => how === 'same');
    const noticed = tried.filter(({ how }) => how !== 'same' && how !== 'unsure');
    const better = tried.find(({ mutant, how }) => mutant.kind === 'emptied' && how === 'better' && (region.kind === 'function' || region.kind === 'method'));
    return {
      ...region,
      verdict: noticed.length > 0 ? 'noticed' : same.length > 0 ? 'unnoticed' : 'not tried',
      tried: tried.length,
      noticed: noticed.length,
      unseen: noticed.length === 0 ? [] : same.map(({ mutant }) => mutant.description),
      ...(better?.sample.score === undefined ? {} : { betterEmptied: better.sample.score }),
    };
  });
}

/** "parseDate (lines 40–71)". */
export function placed({ name, from, to }: Region): string {
  return `${name} (${from === to ? `line ${from}` : `lines ${from}–${to}`})`;
}

/** "a, b and 3 more". */
export function listed(names: readonly string[], most = 6): string {
  if (names.length <= 1) return names.join('');
  const shown = names.slice(0, names.length <= most ? -1 : most);
  const rest = names.length <= most ? (names.at(-1) ?? '') : `${names.length - most} more`;
  return `${shown.join(', ')} and ${rest}`;
}
