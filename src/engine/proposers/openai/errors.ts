import { APIError } from 'openai';
import { ProposerError } from '../proposer.ts';
import type { ProposerReason } from '../proposer.ts';
import type { Endpoint } from './endpoint.ts';
import { networkFailure } from './network-errors.ts';
import { retryAfterMs } from './retry.ts';
import { isWebPage, readErrorBody } from './error-body.ts';
import type { ErrorBody } from './error-body.ts';

/** A server's refusal as a sentence, with what the retry policy needs to know. */
export class ServerFailure extends ProposerError {
  readonly status: number;
  /** What the server said, without the key. */
  readonly said: string;
  /** How long the server asks to wait. */
  readonly waitMs: number | undefined;

  constructor(reason: ProposerReason, message: string, retryable: boolean, facts: { status: number; said: string; waitMs: number | undefined }) {
    super(reason, message, retryable);
    this.status = facts.status;
    this.said = facts.said;
    this.waitMs = facts.waitMs;
  }
}

/** Reads the failure out of an answer: of its status, or of the error inside an answer with status 200. */
export function serverFailure(endpoint: Endpoint, answer: { status: number; headers: Headers; text: string }): ServerFailure {
  const body = readErrorBody(endpoint.mask(answer.text));
  const status = answer.status === 200 ? statusInside(body) : answer.status;
  const waitMs = retryAfterMs(answer.headers, Date.now());
  const [reason, message, retryable] = sentence(endpoint, { status, body, waitMs, webPage: isWebPage(answer.headers, answer.text) });
  return new ServerFailure(reason, message, retryable, { status, said: body.message, waitMs });
}

/** Turns what the openai package or fetch threw into ProposerError. What is neither a server's nor the network's fault stays as it is: our bug. */
export function failureOf(endpoint: Endpoint, error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProposerError) return cause;
  }
  if (error instanceof APIError && error.error !== undefined) {
    return serverFailure(endpoint, { status: 200, headers: new Headers(), text: JSON.stringify({ error: error.error as unknown }) });
  }
  return networkFailure(endpoint, error) ?? error;
}

interface Facts {
  readonly status: number;
  readonly body: ErrorBody;
  readonly waitMs: number | undefined;
  readonly webPage: boolean;
}

function sentence(endpoint: Endpoint, { status, body, waitMs, webPage }: Facts): [ProposerReason, string, boolean] {
  const { origin, baseUrl } = endpoint;
  const said = body.message === '' || webPage ? '' : ` It says: ${body.message}`;
  if (isEmptyAccount(status, body, waitMs)) {
    return ['quota', `The account at ${origin} has used up its quota or credit: add credit there, or choose another model.${said}`, false];
  }
  if (status === 401 || status === 403) {
    return ['refused', endpoint.key === undefined
      ? `The server at ${origin} wants a key (${status}): set one for it.${said}`
      : `The server refuses the key for ${origin} (${status}): check the key and what it may use.${said}`, false];
  }
  if (status === 404 || /unexpected endpoint/i.test(body.message)) return ['not-found', notFound(endpoint, body, said), false];
  if (status === 429) {
    const wait = waitMs === undefined ? '' : ` and asks to wait ${Math.ceil(waitMs / 1000)} s`;
    return ['rate-limited', `The server at ${origin} limits requests for now (429)${wait}.${said}`, true];
  }
  // Gateways put a web page of their own on 502 to 504: that is the server's trouble, not a wrong address.
  if (status >= 500 || status === 408 || status === 425) {
    return ['server', `The server at ${origin} failed (${status}): try again later, or choose another model.${said}`, true];
  }
  if (webPage) return ['malformed', webPageSentence(endpoint), false];
  return ['refused', `The server at ${baseUrl} does not accept the request (${status}): check the model's name and settings.${said}`, false];
}

/** For an answer that is a page for people. */
export function webPageSentence({ baseUrl, hasVersion }: Endpoint): string {
  return `${baseUrl} answers with a web page, not as a model's server: check the base URL${hasVersion ? '' : `, which most often ends in /v1 (${baseUrl}/v1)`}.`;
}

function notFound({ baseUrl, hasVersion }: Endpoint, body: ErrorBody, said: string): string {
  if (/model/i.test(`${body.code} ${body.message}`)) return `The server at ${baseUrl} does not have this model (404): check the model's name.${said}`;
  return hasVersion
    ? `Nothing is served at ${baseUrl}/chat/completions (404): check the base URL.${said}`
    : `Nothing is served at ${baseUrl}/chat/completions (404): the base URL most often ends in /v1, so try ${baseUrl}/v1.`;
}

/** Services say "billing" and "quota" for limits a minute long too, and then tell how long to wait. */
function isEmptyAccount(status: number, { code, message }: ErrorBody, waitMs: number | undefined): boolean {
  if (status === 402 || /insufficient_quota/.test(code)) return true;
  const mayBeAccount = status === 400 || status === 403 || (status === 429 && waitMs === undefined);
  return mayBeAccount && /billing|payment|credit|balance|exceeded your current quota/i.test(`${code} ${message}`);
}

/** Status 200 with an error in it: routers put the real status into `code`. */
function statusInside({ code, status, message }: ErrorBody): number {
  if (status !== undefined) return status;
  if (/rate.?limit|too many requests/i.test(`${code} ${message}`)) return 429;
  return 500;
}
