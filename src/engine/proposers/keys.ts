import { baseUrlOf, keyProblem } from '../../model-server.ts';
import { ProposerError } from './proposer.ts';

/** Keys by the origin ("https://api.openai.com") that each belongs to. In memory only. */
export type Keys = ReadonlyMap<string, string>;

/**
 * The base URL as requests use it: trimmed, without a slash at its end.
 * Throws ProposerError for anything but a plain http(s) address: a name, password or query in it could be a secret that we would show.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ProposerError('malformed', 'The base URL is not a web address: it looks like http://127.0.0.1:11434/v1.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ProposerError('malformed', `The base URL may hold no name, password, query or fragment: write it like ${url.origin}/v1 and set the key apart from it.`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** A key as it may stand in a header, undefined where the text is blank. Throws ProposerError, which never repeats the key. */
export function cleanKey(text: string): string | undefined {
  const key = text.trim();
  if (key === '') return undefined;
  const problem = keyProblem(key);
  if (problem !== undefined) throw new ProposerError('refused', KEY_PROBLEMS[problem]);
  return key;
}

const KEY_PROBLEMS = {
  'line-break': 'The key has a line break in it: copy it again as one line.',
  quotes: 'The key has a quotation mark in it: set the bare key, without quotes.',
  characters: 'The key has a space or a special character in it: copy it again from its source.',
} as const;

/** The key for the server at `baseUrl`, and for no other origin. */
export function keyFor(baseUrl: string, keys: Keys): string | undefined {
  return keys.get(readBaseUrl(baseUrl).origin);
}

/** The terminal's keys: OPENAI_API_KEY belongs to the origin of OPENAI_BASE_URL alone, whatever server a run talks to. Throws ProposerError. */
export function keysFromEnvironment(env: Readonly<Record<string, string | undefined>>): Keys {
  const key = cleanKey(env['OPENAI_API_KEY'] ?? '');
  if (key === undefined) return new Map();
  return new Map([[readBaseUrl(baseUrlOf(undefined, env)).origin, key]]);
}
