import type { BlobId, LedgerEvent } from '../records.ts';
import { attemptOf, lastRun, type AttemptState, type RunState } from './ledger.ts';

/** Texts of one run: those that may go, and those that something still stands on. A text can be among both. */
export interface RunTexts {
  readonly mayGo: ReadonlySet<BlobId>;
  readonly stays: ReadonlySet<BlobId>;
}

/** All ids of texts that a piece of JSON names. */
export function idsIn(json: string): readonly BlobId[] {
  return json.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [];
}

/**
 * The texts (requests, replies, candidates, outputs) of attempts that came to nothing and ended before `beforeMs`. Whatever was
 * kept, waits for a person or was taken by one stays whole, and so does all that it was made from. Of a run without an end nothing goes.
 */
export function textsOfRun(state: RunState, events: readonly LedgerEvent[], beforeMs: number): RunTexts {
  const staying = stayingAttempts(state, beforeMs);
  const mayGo = new Set<BlobId>();
  const stays = new Set<BlobId>();
  for (const event of events) {
    const goes = 'attempt' in event && typeof event.attempt === 'number' && !staying.has(event.attempt);
    for (const id of idsIn(JSON.stringify(event))) (goes ? mayGo : stays).add(id);
  }
  return { mayGo, stays };
}

function stayingAttempts(state: RunState, beforeMs: number): ReadonlySet<number> {
  // A run that is taken up again tells the model what the scorer printed last.
  const staying = new Set<number>([0, state.champion, lastRun(state)?.number ?? 0]);
  for (const attempt of state.attempts) if (state.end === undefined || !cameToNothing(attempt, beforeMs)) staying.add(attempt.number);
  for (const number of staying) {
    const parent = attemptOf(state, number)?.parent;
    // A set that is walked gives what is added meanwhile too.
    if (parent !== undefined) staying.add(parent);
  }
  return staying;
}

function cameToNothing({ verdict, waits, accepted, keptByPerson, endedAt }: AttemptState, beforeMs: number): boolean {
  if (verdict === undefined || verdict === 'kept' || verdict === 'flagged' || waits === true || accepted === true || keptByPerson === true) return false;
  return endedAt !== undefined && Date.parse(endedAt) < beforeMs;
}
