import { DOCUMENT_SCHEME } from '../../contributions.ts';
import { parseAddress, type Content } from './address.ts';

/** What a command of a row, a document or a link is about. */
export interface Subject {
  readonly run: string;
  readonly attempt?: number;
  /** Index of the hunk to show. */
  readonly hunk?: number;
  /** The row keeps the focus, so that the arrow keys walk on. */
  readonly preserveFocus?: boolean;
  /** Set where the command came from a document. */
  readonly content?: Content;
}

/** Reads a command's argument: a node of the tree, a plain object, or the URI of one of our documents. Undefined for anything else. */
export function readSubject(argument: unknown): Subject | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const given = argument as Readonly<Record<string, unknown>>;
  if (given['scheme'] === DOCUMENT_SCHEME && typeof given['path'] === 'string' && typeof given['query'] === 'string') {
    const address = parseAddress({ path: given['path'], query: given['query'] });
    return address === undefined ? undefined : { run: address.run, attempt: address.attempt, content: address.content };
  }
  const { run, attempt, hunk, preserveFocus } = given;
  if (typeof run !== 'string') return undefined;
  return {
    run,
    ...(Number.isSafeInteger(attempt) ? { attempt: attempt as number } : {}),
    ...(Number.isSafeInteger(hunk) ? { hunk: hunk as number } : {}),
    ...(preserveFocus === true ? { preserveFocus } : {}),
  };
}
