/** How a target is broken on purpose, the most telling first. */
export const MUTATION_KINDS = ['emptied', 'branch', 'operator', 'constant'] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

/** What is put in the place of a piece of the text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** A break before it is known whose it is. */
export interface Change extends Replacement {
  readonly kind: MutationKind;
  /** What is changed, to follow "with". */
  readonly what: string;
}

/** One break of a target. Its text is made when it is tried: those of a large file are many. */
export interface Mutant extends Replacement {
  /** The same for the same break of the same text. */
  readonly id: string;
  /** Name of its region. */
  readonly region: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: MutationKind;
  /** To follow "with": "its body emptied", "`<` made `>=` in line 12". */
  readonly description: string;
}

/** The text of a mutant. */
export function mutated(text: string, { start, end, by }: Replacement): string {
  return text.slice(0, start) + by + text.slice(end);
}
