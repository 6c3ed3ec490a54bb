import { diff3Merge } from 'node-diff3';

/** A champion put into a file that may have changed since the run began. */
export type Merge =
  | { readonly ok: true; readonly text: string }
  /** `text` holds conflict markers around each of the `conflicts` places; nothing of either side is left out. */
  | { readonly ok: false; readonly text: string; readonly conflicts: number };

/**
 * Three-way merge of whole lines: what the run changed from `baseline` to `champion`, put into `current`. Changes of
 * both sides that are equal count once. Line ends are those of the side that a line comes from. Where both sides meet,
 * `accepted` is tried in the baseline's place: texts of the run that the person took before, which `current` may come from.
 */
export function mergeInto(current: string, baseline: string, champion: string, accepted: readonly string[] = []): Merge {
  const merge = mergeFrom(current, baseline, champion);
  if (merge.ok) return merge;
  return accepted.map((base) => mergeFrom(current, base, champion)).find(({ ok }) => ok) ?? merge;
}

function mergeFrom(current: string, baseline: string, champion: string): Merge {
  if (current === baseline || current === champion) return { ok: true, text: champion };
  if (champion === baseline) return { ok: true, text: current };
  const parts = diff3Merge(lines(current), lines(baseline), lines(champion), { excludeFalseConflicts: true });
  const eol = /\r\n/.test(current) ? '\r\n' : '\n';
  let conflicts = 0;
  const text = parts.map((part) => {
    if (part.ok !== undefined) return part.ok.join('');
    conflicts++;
    const side = (given: readonly string[] | undefined): string => closed((given ?? []).join(''), eol);
    return `<<<<<<< your file${eol}${side(part.conflict?.a)}=======${eol}${side(part.conflict?.b)}>>>>>>> best so far${eol}`;
  }).join('');
  return conflicts === 0 ? { ok: true, text } : { ok: false, text, conflicts };
}

/** Lines with their line ends, so that joining them gives the text back. */
function lines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

function closed(text: string, eol: string): string {
  return text === '' || /[\r\n]$/.test(text) ? text : text + eol;
}
