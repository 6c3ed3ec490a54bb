import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A document selector's filter for exactly one file (absolute path). */
export function filterOf(path: string): { readonly scheme: 'file'; readonly pattern: { readonly baseUri: string; readonly pattern: string } } {
  return { scheme: 'file', pattern: { baseUri: pathToFileURL(dirname(path)).href, pattern: literalGlob(basename(path)) } };
}

/** A pattern that fits this name alone. */
export function literalGlob(name: string): string {
  return name.replaceAll(/[[\]{}*?]/g, '[$&]');
}
