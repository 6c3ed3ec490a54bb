import { ProposerError } from '../proposers/proposer.ts';

/** Waits between asking again, in milliseconds; the last one repeats. */
const WAITS_MS = [10_000, 30_000, 60_000, 300_000] as const;

/** What asking again depends on. */
export interface Patience {
  /** Whether a failure that may pass is waited for at all. */
  readonly wait: boolean;
  /** Whether the run's stop rules leave it going on. */
  readonly goOn: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Told of each failure, before it is decided whether to ask again. */
  readonly onFailure: (error: ProposerError) => Promise<void>;
  readonly onWait: (why: string, ms: number) => void;
}

/**
 * Asks until a proposal comes. A server that has answered before and fails for now is waited for, as long as the run's
 * stop rules allow: a night must not end over three bad minutes. One that never answered ends the run at once.
 */
export async function askPatiently<T>(ask: () => Promise<T>, may: Patience): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ProposerError)) throw error;
      await may.onFailure(error);
      if (!error.retryable || !may.wait || !(await may.goOn())) throw error;
      const ms = WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0;
      may.onWait(error.message, ms);
      await may.sleep(ms);
      if (!(await may.goOn())) throw error;
    }
  }
}
