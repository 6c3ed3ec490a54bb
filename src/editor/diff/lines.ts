import { diffArrays } from 'diff';

/** Lines that both sides share, or a place where they differ. Indexes count from 0. */
export interface Stretch {
  readonly same: boolean;
  readonly parent: number;
  readonly parentCount: number;
  readonly candidate: number;
  readonly candidateCount: number;
}

/** Above so many changed lines without one line to hold on to, a place counts as rewritten: a finer answer would take seconds. */
const MAX_EDITS = 400;

/** Half-open ranges of both sides that are still to be compared. */
type Range = readonly [a0: number, a1: number, b0: number, b1: number];

/** Which lines two texts share, in order. Lines that stand once on both sides are held on to first, so that a megabyte takes no longer than a blink. */
export function stretchesOf(parent: readonly string[], candidate: readonly string[]): readonly Stretch[] {
  const partner = new Int32Array(parent.length).fill(-1);
  const open: Range[] = [[0, parent.length, 0, candidate.length]];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const rest = pairEnds(parent, candidate, range, partner);
    const [a0, a1, b0, b1] = rest;
    if (a0 === a1 || b0 === b1) continue;
    const anchors = longestRise(onceOnBothSides(parent, candidate, rest));
    if (anchors.length === 0) {
      pairByEdits(parent, candidate, rest, partner);
      continue;
    }
    let [a, b] = [a0, b0];
    for (const [i, j] of [...anchors, [a1, b1] as const]) {
      open.push([a, i, b, j]);
      if (i < a1) partner[i] = j;
      [a, b] = [i + 1, j + 1];
    }
  }
  return toStretches(partner, candidate.length);
}

/** Pairs the lines that a range begins and ends with on both sides, and gives what is left between. */
function pairEnds(parent: readonly string[], candidate: readonly string[], [a0, a1, b0, b1]: Range, partner: Int32Array): Range {
  let [from, fromB, to, toB] = [a0, b0, a1, b1];
  while (from < to && fromB < toB && parent[from] === candidate[fromB]) partner[from++] = fromB++;
  while (from < to && fromB < toB && parent[to - 1] === candidate[toB - 1]) partner[--to] = --toB;
  return [from, to, fromB, toB];
}

/** Places of the lines that stand exactly once on each side of the range, in the parent's order. */
function onceOnBothSides(parent: readonly string[], candidate: readonly string[], [a0, a1, b0, b1]: Range): (readonly [number, number])[] {
  const placeIn = (lines: readonly string[], from: number, to: number): Map<string, number> => {
    const places = new Map<string, number>();
    for (let i = from; i < to; i++) {
      const line = lines[i] ?? '';
      places.set(line, places.has(line) ? -1 : i);
    }
    return places;
  };
  const theirs = placeIn(candidate, b0, b1);
  const found: (readonly [number, number])[] = [];
  for (const [line, i] of placeIn(parent, a0, a1)) {
    const j = theirs.get(line) ?? -1;
    if (i >= 0 && j >= 0) found.push([i, j]);
  }
  return found.sort(([a], [b]) => a - b);
}

/** The longest sub-sequence of pairs whose second numbers rise. */
function longestRise(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, j], k) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    before[k] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = k;
  });
  const rise: (readonly [number, number])[] = [];
  for (let k = tails.at(-1) ?? -1; k >= 0; k = before[k] ?? -1) {
    const pair = pairs[k];
    if (pair !== undefined) rise.push(pair);
  }
  return rise.reverse();
}

function pairByEdits(parent: readonly string[], candidate: readonly string[], [a0, a1, b0, b1]: Range, partner: Int32Array): void {
  const parts = diffArrays(parent.slice(a0, a1), candidate.slice(b0, b1), { maxEditLength: MAX_EDITS });
  if (parts === undefined) return;
  let [i, j] = [a0, b0];
  for (const { added, removed, value } of parts) {
    if (added) j += value.length;
    else if (removed) i += value.length;
    else for (let n = 0; n < value.length; n++) partner[i++] = j++;
  }
}

function toStretches(partner: Int32Array, candidateLength: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < partner.length || j < candidateLength) {
    const [parent, candidate] = [i, j];
    const same = i < partner.length && partner[i] === j;
    if (same) while (i < partner.length && partner[i] === j) [i, j] = [i + 1, j + 1];
    else {
      while (i < partner.length && partner[i] === -1) i++;
      j = i < partner.length ? (partner[i] ?? candidateLength) : candidateLength;
    }
    stretches.push({ same, parent, parentCount: i - parent, candidate, candidateCount: j - candidate });
  }
  return stretches;
}
