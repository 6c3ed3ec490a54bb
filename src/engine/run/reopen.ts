import { HumanError } from '../../errors.ts';

const STEP_MS = 1_000;
/** An installation takes a folder away for so long; most are done within seconds. */
const MOST_STEPS = 120;

/** What trying again depends on. */
export interface Reopening {
  /** Whether waiting is in vain: the run was stopped, or all of the workspace is gone. */
  readonly inVain: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** Told once, when the waiting begins. */
  readonly onWait: () => void;
}

/**
 * Measures as soon as the private view of the workspace can be opened: `npm ci` takes node_modules away for a moment, and
 * neither is that the candidate's fault nor must a night end over it. Rejects with what was wrong where it lasts.
 */
export async function whenOpen<T>(measure: () => Promise<T>, { inVain, sleep, onWait }: Reopening): Promise<T> {
  for (let step = 0; ; step++) {
    try {
      return await measure();
    } catch (error) {
      if (!(error instanceof HumanError) || error.reason !== 'no-scratch' || inVain() || step === MOST_STEPS) throw error;
      if (step === 0) onWait();
      await sleep(STEP_MS);
    }
  }
}
