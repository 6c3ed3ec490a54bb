import { readChoices, type Choices } from '../../loop/options.ts';

/** What a person chose on the start page of one file. */
export interface Draft {
  readonly flags: Choices;
  /** Absolute folder to run in, where one was chosen with the scorer. */
  readonly folder?: string;
}

export const EMPTY_DRAFT: Draft = { flags: {} };

/** Reads a draft that was remembered, perhaps by another version. What doesn't fit is forgotten. */
export function readDraft(value: unknown): Draft {
  if (typeof value !== 'object' || value === null) return EMPTY_DRAFT;
  const { flags, folder } = value as { readonly flags?: unknown; readonly folder?: unknown };
  return { flags: readChoices(flags ?? {}).choices, ...(typeof folder === 'string' ? { folder } : {}) };
}

/** The draft with some choices changed; those set to undefined are taken back. */
export function choose(draft: Draft, change: { readonly [K in keyof Choices]: Choices[K] | undefined }): Draft {
  const flags = Object.fromEntries(Object.entries({ ...draft.flags, ...change }).filter(([, value]) => value !== undefined));
  return { ...draft, flags };
}

/** The draft with another scorer, or with the one that was found. */
export function chooseScorer(draft: Draft, scorer: Choices['scorer'], folder: string | undefined): Draft {
  const { flags } = choose(draft, { scorer });
  return { flags, ...(folder === undefined ? {} : { folder }) };
}
