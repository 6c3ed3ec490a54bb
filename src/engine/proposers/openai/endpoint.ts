import { maskSecrets } from '../../../loop/secrets.ts';
import { cleanKey, readBaseUrl } from '../keys.ts';

/** One server, and the key that belongs to its origin. */
export interface Endpoint {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly origin: string;
  /** False for "http://host:11434", which most often lacks its "/v1". */
  readonly hasVersion: boolean;
  readonly key: string | undefined;
  /** Takes the key, and whatever else looks like one, out of text that came from a server. */
  readonly mask: (text: string) => string;
  /** Takes the key out of text of the person's or the model's. */
  readonly maskProse: (text: string) => string;
}

const MASK = '[key]';
/** Keys of local servers ("ollama") are words that code may hold; a shorter key than this is no secret in prose. */
const MIN_SECRET_LENGTH = 12;

/** Throws ProposerError for a base URL or key that can't be used. */
export function createEndpoint(baseUrl: string, apiKey = ''): Endpoint {
  const url = readBaseUrl(baseUrl);
  const key = cleanKey(apiKey);
  const mask = (text: string): string => maskSecrets(key === undefined ? text : text.replaceAll(key, MASK));
  return {
    baseUrl: url.href.replace(/\/$/, ''),
    origin: url.origin,
    hasVersion: /\/v\d/.test(url.pathname),
    key,
    mask,
    maskProse: (text) => (key !== undefined && key.length >= MIN_SECRET_LENGTH ? text.replaceAll(key, MASK) : text),
  };
}
