import type { LedgerEvent } from '../records.ts';
import { HumanError } from '../errors.ts';
import type { Store } from '../engine/store.ts';
import { forecastOfRun } from '../loop/forecast-of-run.ts';
import { attemptOf, fold, type RunState } from '../loop/ledger.ts';
import type { EngineClient } from '../wire/client.ts';
import { follow } from '../wire/follow.ts';
import { clockTime } from './clock.ts';
import { attemptLine } from './render.ts';
import type { Terminal } from './terminal.ts';
import { tellWaits } from './waits.ts';

export interface Watched {
  readonly run: string;
  readonly client: EngineClient;
  readonly store: Store;
  readonly json: boolean;
  /** Fires when the person leaves; the run is then stopped. It may have fired before there was a run. */
  readonly signal: AbortSignal;
}

/** Follows a run to its end, or stops it where the person leaves: its processes are gone when this resolves. */
export async function watch(terminal: Terminal, { run, client, store, json, signal }: Watched): Promise<RunState | undefined> {
  let state: RunState | undefined;
  // What is known of how it ended where its ledger doesn't say.
  let gone = `The engine ended before run ${run} did`;
  const over = Promise.withResolvers<void>();
  const onEvent = (event: LedgerEvent): void => {
    if (event.seq < (state?.nextSeq ?? 0)) return;
    state = fold(state, event);
    if (json) terminal.out(`${JSON.stringify(event)}\n`);
    else if (event.type === 'judged' && state !== undefined) {
      const attempt = attemptOf(state, event.attempt);
      if (attempt !== undefined) terminal.outColoured(`${attemptLine(attempt, state, terminal)}\n`);
      const expected = event.attempt === 0 ? forecastOfRun(state, clockTime) : undefined;
      if (expected !== undefined) terminal.out(`Expected: ${expected}\n`);
    }
    else if (event.type === 'steered' && event.what === 'program') terminal.out(`${state?.plan.program ?? 'The program'} was read again: it steers the run from here on.${(event.waits ?? []).map((key) => ` \`${key}\` waits for the next run.`).join('')}\n`);
    else if (event.type === 'noted') terminal.out(`${event.sentence}\n`);
    else if (event.type === 'steered' && event.why !== undefined) terminal.out(`${event.why}\n`);
    if (event.type === 'run-ended') over.resolve();
  };
  const stop = (): void => {
    client.request('ratchet/stop', { run }).then(() => over.resolve(), () => over.resolve());
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  // A run that could not write its end has no event of it.
  const waits = tellWaits(json ? () => undefined : (sentence) => terminal.err(`${sentence}\n`));
  client.on('ratchet/activity', (activity) => {
    if (activity.run !== run) return;
    waits.see(activity);
    if (activity.doing !== 'ended') return;
    gone = `Run ${run} is over, but its end could not be written`;
    over.resolve();
  });
  await Promise.race([follow(client, run, onEvent).then(() => over.promise), client.closed]).finally(() => waits.end());
  // The ledger has the last word: an engine that is gone told nobody what it wrote last.
  if (!hasEnd(state)) for (const event of await eventsOf(store, run)) onEvent(event);
  if (!hasEnd(state) && !signal.aborted) throw new HumanError('busy', `${gone}. Its record is kept: ratchet show ${run}`);
  return state;
}

function hasEnd(state: RunState | undefined): boolean {
  return state?.end !== undefined;
}

async function eventsOf(store: Store, run: string): Promise<readonly LedgerEvent[]> {
  return store.read(run).then(({ events }) => events, () => []);
}
