import { HumanError } from '../../errors.ts';
import type { RunSummary } from '../../protocol.ts';
import { runningEngine } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { placeOfFolder, runId } from '../root.ts';
import type { Terminal } from '../terminal.ts';

const DONE = { stop: 'stopped', pause: 'pauses after the attempt in flight', resume: 'goes on' } as const;

/** `ratchet stop|pause|resume [RUN]`: the run that is named, else the one that is going on. */
export async function control(terminal: Terminal, what: keyof typeof DONE, given: string | undefined): Promise<number> {
  const place = await placeOfFolder(terminal);
  // A run that is named can be stopped whatever its ledger looks like.
  const named = given === undefined || given === 'last' ? undefined : await runId(place.store, given, what);
  const client = await runningEngine(place);
  if (client === undefined) throw new HumanError('no-such-run', named === undefined ? `No run is going on in ${place.root}.` : `Run ${named} is not going on: no engine serves ${place.root}.`);
  try {
    const run = named ?? goingOn(await client.request('ratchet/runs', {}), what, given === 'last');
    await client.request(`ratchet/${what}`, { run });
    terminal.out(`${run} ${DONE[what]}.\n`);
    return EXIT.done;
  } finally {
    client.close();
  }
}

function goingOn(runs: readonly RunSummary[], what: string, last: boolean): string {
  const active = runs.filter((run) => run.active).map(({ run }) => run).sort();
  const newest = active.at(-1);
  if (newest === undefined) throw new HumanError('no-such-run', 'No run is going on here. List them with: ratchet log');
  if (active.length > 1 && !last) throw new HumanError('bad-use', `${active.length} runs are going on: ${active.join(', ')}. Name one: ratchet ${what} ${newest}`);
  return newest;
}
