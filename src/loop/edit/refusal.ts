/** Why a reply was not applied. The code is for programs, the sentence for the next request and for people. */
export type RefusalCode =
  /** Nothing in the reply is an edit. */
  | 'no-edit'
  /** The text to replace isn't in the target. */
  | 'not-found'
  /** The text to replace, or the place of its divider, can be read in more than one way. */
  | 'ambiguous'
  /** A block without a SEARCH part, for a target that has text. */
  | 'empty-search'
  /** A comment stands for code that was left out. */
  | 'placeholder'
  /** The reply, a block or a fence ends too early. */
  | 'unterminated'
  /** The target would stay as it is. */
  | 'no-change'
  /** The edit is of another file. */
  | 'other-file'
  /** More than one diff, or more than one code block that could be the whole file. */
  | 'several-edits'
  /** Two parts of the edit change the same lines. */
  | 'overlap'
  /** It tries to be an edit, and breaks the rules of its form. */
  | 'malformed';

export interface Refusal {
  readonly code: RefusalCode;
  /** One or two full sentences. */
  readonly reason: string;
}

const MAX_QUOTED_CHARS = 80;
const MAX_LISTED_LINES = 5;

/** A line within a sentence, cut where it is long. */
export function quoted(line: string): string {
  const text = line.trim();
  return text.length <= MAX_QUOTED_CHARS ? `"${text}"` : `"${text.slice(0, MAX_QUOTED_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…"`;
}

/** Places that are counted from 0, as line numbers in a sentence: "lines 2, 7 and 12". */
export function lineNumbers(places: readonly number[]): string {
  const shown = places.slice(0, MAX_LISTED_LINES).map((place) => String(place + 1));
  const rest = places.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return shown.length === 0 ? `line ${last}` : `lines ${shown.join(', ')} and ${last}`;
}
