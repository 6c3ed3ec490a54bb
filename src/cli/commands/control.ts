import { HumanError } from '../../errors.ts';
import { runningEngine } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { loadRun } from '../ledgers.ts';
import { placeOfFolder, runId } from '../root.ts';
import type { Terminal } from '../terminal.ts';

const DONE = { stop: 'stopped', pause: 'pauses after the attempt in flight', resume: 'goes on' } as const;

/** `ratchet stop|pause|resume [RUN]`. */
export async function control(terminal: Terminal, what: keyof typeof DONE, given: string): Promise<number> {
  const place = await placeOfFolder(terminal);
  // A run that is named can be stopped whatever its ledger looks like.
  const run = given === 'last' ? (await loadRun(terminal, place.store, given, what)).id : await runId(place.store, given, what);
  const client = await runningEngine(place);
  if (client === undefined) throw new HumanError('no-such-run', `Run ${run} is not going on: no engine serves ${place.root}.`);
  try {
    await client.request(`ratchet/${what}`, { run });
  } finally {
    client.close();
  }
  terminal.out(`${run} ${DONE[what]}.\n`);
  return EXIT.done;
}
