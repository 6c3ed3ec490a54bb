import type { HumanError, HumanReason } from '../errors.ts';

/** Exit codes of the terminal commands. */
export const EXIT = { done: 0, fault: 1, badUse: 2, noImprovement: 3, refused: 4, interrupted: 130 } as const;

const BAD_USE: ReadonlySet<HumanReason> = new Set<HumanReason>(['bad-use', 'bad-target', 'no-scorer', 'no-such-run', 'no-such-attempt', 'no-model']);

/** The exit code of an error that a person caused or can mend. */
export function exitOf(error: HumanError): number {
  return BAD_USE.has(error.reason) ? EXIT.badUse : EXIT.refused;
}
