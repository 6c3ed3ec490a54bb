import { HumanError } from '../errors.ts';
import { foldAll, type RunState } from '../loop/ledger.ts';
import { newerLedger, type Store } from './store.ts';

/** A run as its ledger tells it. Rejects with HumanError where the ledger can't be read. */
export async function readRun(store: Store, id: string): Promise<RunState> {
  const ledger = await store.read(id);
  if (ledger.newerVersion !== undefined) throw newerLedger(id, ledger.newerVersion);
  const state = foldAll(ledger.events);
  if (state === undefined) throw new HumanError('no-such-run', `The ledger of run ${id} has no beginning.`);
  return state;
}
