import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms`; rejects as soon as the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** How often one request is sent again after a failure that may pass. */
export const MAX_RETRIES = 2;
/** A server that asks for more than this is not waited for: the run decides. */
const MAX_WAIT_MS = 10 * 60_000;
const FIRST_WAIT_MS = 1_000;

export const realWait: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/** The wait before the next request (ms), or undefined to give up. `retries` counts those already made. */
export function nextWaitMs(retries: number, askedMs: number | undefined): number | undefined {
  if (retries >= MAX_RETRIES) return undefined;
  if (askedMs === undefined) return FIRST_WAIT_MS * 4 ** retries;
  return askedMs <= MAX_WAIT_MS ? askedMs : undefined;
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3), or OpenAI's retry-after-ms; undefined where there is none. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const millis = headers.get('retry-after-ms');
  if (millis !== null && /^\d+(\.\d+)?$/.test(millis)) return Math.ceil(Number(millis));
  const after = headers.get('retry-after');
  if (after === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
