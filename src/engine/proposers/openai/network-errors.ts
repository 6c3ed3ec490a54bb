import { ProposerError } from '../proposer.ts';
import type { Endpoint } from './endpoint.ts';

/** A sentence for a connection that was not made or broke; undefined where the network is not to blame. */
export function networkFailure({ baseUrl, origin }: Endpoint, error: unknown): ProposerError | undefined {
  const code = codeOf(error);
  switch (code) {
    case undefined:
      return undefined;
    case 'ECONNREFUSED':
      return new ProposerError('unreachable', `Nothing answers at ${baseUrl}: start the server or check the base URL.`);
    case 'ENOTFOUND':
      return new ProposerError('unreachable', `There is no host ${new URL(origin).hostname}: check the base URL and the network.`);
    default:
      return /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY/.test(code)
        ? new ProposerError('unreachable', `No safe connection to ${origin} (${code}): check its certificate, or use http:// if the server has none.`)
        : new ProposerError('unreachable', `The connection to ${origin} broke (${code}): check the server and the network.`, true);
  }
}

/** The system's or fetch's code, which lies some causes deep; "fetch failed" where fetch gives none. */
function codeOf(error: unknown): string | undefined {
  let fetchFailed = false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    fetchFailed ||= cause instanceof TypeError && /fetch failed|terminated/.test(cause.message);
  }
  return fetchFailed ? 'fetch failed' : undefined;
}
