import type { Measured } from '../records.ts';
import { attemptOf, type RunState } from './ledger.ts';

/** The scorer's first run on the unchanged file: other commands may have run before it. */
export function firstRun(state: RunState): Measured | undefined {
  return attemptOf(state, 0)?.measurements.find(({ role }) => role === 'candidate');
}
