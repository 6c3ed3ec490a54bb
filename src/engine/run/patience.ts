import { ProposerError } from '../proposers/proposer.ts';

/** Waits between asking again, in milliseconds; the last one repeats. */
const WAITS_MS = [10_000, 30_000, 60_000, 300_000] as const;

/**
 * Asks until a proposal comes. A server that has answered before and fails for now is waited for, as long as the run's
 * stop rules allow: a night must not end over three bad minutes. One that never answered ends the run at once.
 */
export async function askPatiently<T>(
  ask: () => Promise<T>,
  may: { readonly wait: boolean; readonly goOn: () => boolean; readonly sleep: (ms: number) => Promise<void>; readonly onWait: (why: string, ms: number) => void },
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ProposerError) || !error.retryable || !may.wait || !may.goOn()) throw error;
      const ms = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
      may.onWait(error.message, ms);
      await may.sleep(ms);
      if (!may.goOn()) throw error;
    }
  }
}
