import type { HumanError, HumanReason } from '../errors.ts';
import type { RunState } from '../loop/ledger.ts';

/** Exit codes of the terminal commands. */
export const EXIT = { done: 0, fault: 1, badUse: 2, noImprovement: 3, refused: 4, interrupted: 130 } as const;

const BAD_USE: ReadonlySet<HumanReason> = new Set<HumanReason>(['bad-use', 'bad-target', 'no-scorer', 'no-such-run', 'no-such-attempt', 'no-model']);

/** The exit code of an error that a person caused or can mend. */
export function exitOf(error: HumanError): number {
  return BAD_USE.has(error.reason) ? EXIT.badUse : EXIT.refused;
}

/** The exit code of a run that ended. What broke it off counts, whatever was kept before. */
export function exitOfRun({ champion, end }: Pick<RunState, 'champion' | 'end'>): number {
  if (end?.reason === 'failed') return EXIT.fault;
  if (end?.reason === 'storage' || end?.reason === 'refused') return EXIT.refused;
  if (champion > 0) return EXIT.done;
  switch (end?.reason) {
    case 'baseline-failed':
    case 'canary':
    case 'proposer-failed':
      return EXIT.refused;
    default:
      return EXIT.noImprovement;
  }
}
