import { newerLedger, type Store } from '../engine/store.ts';
import { HumanError } from '../errors.ts';
import { attemptOf, foldAll, type AttemptState, type RunState } from '../loop/ledger.ts';
import { runId, type Verb } from './root.ts';

/** A run that a person named, as its ledger tells it. `verb`: the command, for a sentence that says what to type. */
export async function loadRun(store: Store, given: string, verb: Verb): Promise<RunState> {
  return readRun(store, await runId(store, given, verb));
}

/** A run as its ledger tells it. Rejects with HumanError where the ledger can't be read. */
export async function readRun(store: Store, id: string): Promise<RunState> {
  const ledger = await store.read(id);
  if (ledger.newerVersion !== undefined) throw newerLedger(id, ledger.newerVersion);
  const state = foldAll(ledger.events);
  if (state === undefined) throw new HumanError('no-such-run', `The ledger of run ${id} has no beginning.`);
  return state;
}

/** The attempt that was named, or the best so far. */
export function attemptNamed(state: RunState, number: number | undefined): AttemptState {
  const attempt = attemptOf(state, number ?? state.champion);
  if (attempt === undefined) throw new HumanError('no-such-attempt', `Run ${state.id} has no attempt ${number ?? state.champion}. List them with: ratchet show ${state.id}`);
  return attempt;
}
