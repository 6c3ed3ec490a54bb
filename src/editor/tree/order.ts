import type { AttemptState, RunState } from '../../loop/ledger.ts';

/** The attempts as the tree lists them: the best so far on top, then the newest first; the start file is the last. */
export function listed({ attempts, champion }: RunState): readonly AttemptState[] {
  const rank = ({ number }: AttemptState): number => (number === champion && number > 0 ? Infinity : number);
  return [...attempts].sort((a, b) => rank(b) - rank(a));
}
