import { BYTE_ORDER_MARK, splitLines, withoutMark, type Line } from './lines.ts';

/** The target's text, ready for looking up runs of lines. Lines are counted from 0 and compared without their ends. */
export interface TargetText {
  /** A byte-order mark, or nothing. It belongs to no line. */
  readonly mark: string;
  readonly lines: readonly Line[];
  readonly texts: readonly string[];
  /** Where each line's text occurs, in order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

export function readTarget(original: string): TargetText {
  const text = withoutMark(original);
  const lines = splitLines(text);
  const places = new Map<string, number[]>();
  lines.forEach((line, place) => {
    const known = places.get(line.text);
    if (known === undefined) places.set(line.text, [place]);
    else known.push(place);
  });
  return { mark: text === original ? '' : BYTE_ORDER_MARK, lines, texts: lines.map((line) => line.text), places };
}

/** Models copy the mark into the first line, or leave it out: `run` as the target has it. */
export function asInTarget(target: TargetText, run: readonly string[]): readonly string[] {
  const [first, ...rest] = run;
  return first === undefined || target.places.has(first) ? run : [withoutMark(first), ...rest];
}

/** All places where `run`, which isn't empty, fits whole lines of the target exactly. */
export function placesOf(target: TargetText, run: readonly string[]): readonly number[] {
  let anchor = 0;
  let starts: readonly number[] | undefined;
  for (const [index, text] of run.entries()) {
    const places = target.places.get(text);
    if (places === undefined) return [];
    if (starts === undefined || places.length < starts.length) [anchor, starts] = [index, places];
  }
  if (starts === undefined) return [];
  const size = target.texts.length + run.length;
  // From the rarest line it is quick, unless everything repeats: then the lengths of all fits, in one pass.
  if (starts.length * run.length <= 4 * size) {
    const first = starts.map((place) => place - anchor);
    return first.filter((place) => place >= 0 && run.every((text, index) => target.texts[place + index] === text));
  }
  return [...fitLengths(target, run).entries()].filter(([, length]) => length === run.length).map(([place]) => place);
}

/** For each line of the target, how many lines of `run` fit from there on. */
export function fitLengths(target: TargetText, run: readonly string[]): Int32Array {
  return commonLengths(target.texts, run, commonLengths(run, run));
}

/** The Z function, linear in both: for each place of `texts`, how much of the front of `run` stands there. `within` is that of `run` itself. */
function commonLengths(texts: readonly string[], run: readonly string[], within?: Int32Array): Int32Array {
  const lengths = new Int32Array(texts.length);
  const known = within ?? lengths;
  let from = 0;
  let to = 0;
  // A run fits itself: its own place 0 says nothing and stays 0.
  for (let place = within === undefined ? 1 : 0; place < texts.length; place += 1) {
    let length = place < to && place > from ? Math.min(to - place, known[place - from] ?? 0) : 0;
    while (length < run.length && place + length < texts.length && texts[place + length] === run[length]) length += 1;
    if (place + length > to) [from, to] = [place, place + length];
    lengths[place] = length;
  }
  return lengths;
}
