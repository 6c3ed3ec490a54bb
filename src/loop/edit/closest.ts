import { quoted } from './refusal.ts';
import type { TargetText } from './target-text.ts';

/** Lines that stand in more places than this say little about where a run was meant. */
const MAX_COMMON = 20;

/** A sentence on where a run of lines almost fits, for a run that fits nowhere: the next attempt can copy the line from it. */
export function closestPlace(target: TargetText, run: readonly string[]): string {
  const places = new Map<string, number[]>();
  target.texts.forEach((text, place) => {
    const key = squeezed(text);
    const known = places.get(key);
    if (known === undefined) places.set(key, [place]);
    else if (known.length <= MAX_COMMON) known.push(place);
  });

  // Every line that stands somewhere votes for the place where the run would start.
  const votes = new Map<number, number>();
  run.forEach((text, index) => {
    const found = squeezed(text) === '' ? [] : places.get(squeezed(text)) ?? [];
    if (found.length > MAX_COMMON) return;
    for (const place of found) votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
  });
  let best: number | undefined;
  for (const [start, count] of votes) if (best === undefined || count > (votes.get(best) ?? 0)) best = start;
  if (best === undefined) return 'None of its lines stands there: copy them from the target exactly.';

  const start = best;
  const index = run.findIndex((text, at) => target.texts[start + at] !== text);
  const wanted = run[index] ?? '';
  const there = target.texts[start + index];
  if (there === undefined) return `The closest place is line ${Math.max(start, 0) + 1}, where the target has no line for ${quoted(wanted)}.`;
  const line = `line ${start + index + 1}`;
  return squeezed(wanted) === squeezed(there)
    ? `The closest place differs in white space alone: ${line} is ${JSON.stringify(there.slice(0, 120))}, not ${JSON.stringify(wanted.slice(0, 120))}.`
    : `At the closest place ${line} is ${quoted(there)}, not ${quoted(wanted)}.`;
}

/** A line without its white space. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, '');
}
