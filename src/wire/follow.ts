import type { LedgerEvent } from '../records.ts';
import type { EngineClient } from './client.ts';

/**
 * Delivers every event of a run once and in order: what is in the ledger, then what follows. Resolves when the past is
 * delivered; later events are delivered as they come.
 */
export async function follow(client: EngineClient, run: string, onEvent: (event: LedgerEvent) => void): Promise<void> {
  let nextSeq = 0;
  // Events that come before the past is here wait for it.
  let early: LedgerEvent[] | undefined = [];
  const deliver = (event: LedgerEvent): void => {
    if (event.seq < nextSeq) return;
    nextSeq = event.seq + 1;
    onEvent(event);
  };
  client.on('ratchet/event', (event) => {
    if (event.run !== run) return;
    if (early === undefined) deliver(event);
    else early.push(event);
  });
  for (const event of await client.request('ratchet/watch', { run })) deliver(event);
  for (const event of early) deliver(event);
  early = undefined;
}
