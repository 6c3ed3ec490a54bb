import { ProposerError } from '../proposer.ts';
import type { Endpoint } from './endpoint.ts';
import { isWebPage } from './error-body.ts';
import { serverFailure, webPageSentence } from './errors.ts';

type Fetch = typeof fetch;

/** What a request carries besides the key. The package would add facts about this machine, and headers from OPENAI_CUSTOM_HEADERS for any server. */
const HEADERS = ['accept', 'content-type', 'user-agent'];
const MAX_REDIRECTS = 3;

/**
 * The only place that holds the key and sends anything. Rejects with ProposerError for every answer that is no model's;
 * the openai package wraps that as a cause (see failureOf).
 */
export function createTransport(endpoint: Endpoint): Fetch {
  return async (input, init) => {
    let url = input instanceof Request ? input.url : String(input);
    for (let redirects = 0; ; redirects++) {
      // Checked on every hop, though redirectTarget lets none to another origin pass.
      const headers = ownHeaders(new Headers(init?.headers), new URL(url).origin === endpoint.origin ? endpoint.key : undefined);
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        url = redirectTarget(endpoint, url, response, redirects);
        continue;
      }
      if (!response.ok) throw serverFailure(endpoint, { status: response.status, headers: response.headers, text: await response.text() });
      if (isWebPage(response.headers, '')) {
        await response.body?.cancel();
        throw new ProposerError('malformed', webPageSentence(endpoint));
      }
      return response;
    }
  };
}

function ownHeaders(given: Headers, key: string | undefined): Headers {
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
  return headers;
}

/** Only 307 and 308 repeat the request as it is, and only the same origin may have the key and the code. */
function redirectTarget({ origin, baseUrl }: Endpoint, from: string, response: Response, redirects: number): string {
  const to = URL.parse(response.headers.get('location') ?? '', from);
  if (to !== null && to.origin !== origin) {
    throw new ProposerError('refused', `${baseUrl} sends requests on to another address, ${to.origin}, which gets neither your key nor your code: if you trust it, make it the base URL.`);
  }
  if (to === null || redirects >= MAX_REDIRECTS || (response.status !== 307 && response.status !== 308)) {
    throw new ProposerError('refused', `${baseUrl} sends requests on to somewhere else (${response.status}): check the base URL.`);
  }
  return to.href;
}
