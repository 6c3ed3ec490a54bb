import type { BlobId } from '../../records.ts';

/** What a read-only document shows. Everything in it is decided for good, so that one address never shows another text. */
export type Content =
  | { readonly kind: 'text'; readonly blob: BlobId }
  /** The same, beside the person's file. */
  | { readonly kind: 'file-text'; readonly blob: BlobId }
  /** Both texts in one column. */
  | { readonly kind: 'inline'; readonly parent: BlobId; readonly candidate: BlobId }
  /** As `inline`, and the first text is what the person's file held at that moment. */
  | { readonly kind: 'file-inline'; readonly parent: BlobId; readonly candidate: BlobId }
  /** What the scorer printed in the first `count` measurements. */
  | { readonly kind: 'output'; readonly count: number }
  /** Request and reply; with the verdict where it was given. */
  | { readonly kind: 'reply'; readonly judged: boolean }
  /** What a check of a file found. */
  | { readonly kind: 'report'; readonly blob: BlobId };

export interface Address {
  readonly run: string;
  readonly attempt: number;
  /** What its tab says. */
  readonly name: string;
  readonly content: Content;
}

/** The parts of a URI that hold an address, not encoded. */
export interface AddressParts {
  readonly path: string;
  readonly query: string;
}

const BLOB = '[0-9a-f]{64}';
const QUERY = new RegExp(`^(?:(file:)?(${BLOB})(?:\\.\\.(${BLOB}))?|output:(\\d{1,9})|reply:(open|judged)|report:(${BLOB}))$`);
const PATH = /^\/([^/]+)\/(\d{1,9})\/([^/]+)$/;

/** `/<run>/<attempt>/<name>?<content>` */
export function formatAddress({ run, attempt, name, content }: Address): AddressParts {
  return { path: `/${run}/${attempt}/${name.replaceAll('/', '∕')}`, query: formatContent(content) };
}

/** Undefined where it is no address of ours. */
export function parseAddress({ path, query }: AddressParts): Address | undefined {
  const [, run, attempt, name] = PATH.exec(path) ?? [];
  const content = parseContent(query);
  return run === undefined || name === undefined || content === undefined ? undefined : { run, attempt: Number(attempt), name, content };
}

function formatContent(content: Content): string {
  switch (content.kind) {
    case 'text': return content.blob;
    case 'file-text': return `file:${content.blob}`;
    case 'inline': return `${content.parent}..${content.candidate}`;
    case 'file-inline': return `file:${content.parent}..${content.candidate}`;
    case 'output': return `output:${content.count}`;
    case 'reply': return `reply:${content.judged ? 'judged' : 'open'}`;
    case 'report': return `report:${content.blob}`;
  }
}

function parseContent(query: string): Content | undefined {
  const [, file, first, second, count, reply, report] = QUERY.exec(query) ?? [];
  if (first !== undefined && second !== undefined) return { kind: file === undefined ? 'inline' : 'file-inline', parent: first, candidate: second };
  if (first !== undefined) return { kind: file === undefined ? 'text' : 'file-text', blob: first };
  if (count !== undefined) return { kind: 'output', count: Number(count) };
  if (report !== undefined) return { kind: 'report', blob: report };
  return reply === undefined ? undefined : { kind: 'reply', judged: reply === 'judged' };
}
