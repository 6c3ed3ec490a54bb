import type { LedgerEvent } from '../records.ts';
import { HumanError } from '../errors.ts';
import type { Store } from '../engine/store.ts';
import { clockFrom } from '../loop/clock.ts';
import { forecastOfRun } from '../loop/forecast-of-run.ts';
import { attemptOf, fold, type RunState } from '../loop/ledger.ts';
import { waitsForNight } from '../loop/night.ts';
import type { EngineClient } from '../wire/client.ts';
import { follow } from '../wire/follow.ts';
import { attemptLine } from './render.ts';
import type { Terminal } from './terminal.ts';
import { tellWaits } from './waits.ts';

export interface Watched {
  readonly run: string;
  readonly client: EngineClient;
  readonly store: Store;
  readonly json: boolean;
  /** Of a run that goes on: its first event since; those before are known. */
  readonly from?: number;
  /** Fires when the person leaves; the run is then stopped. It may have fired before there was a run. */
  readonly signal: AbortSignal;
}

/** Follows a run to its end, or stops it where the person leaves: its processes are gone when this resolves. */
export async function watch(terminal: Terminal, { run, client, store, json, from = 0, signal }: Watched): Promise<RunState | undefined> {
  let state: RunState | undefined;
  let settling = false;
  // What is known of how it ended where its ledger doesn't say.
  let gone = `The engine ended before run ${run} did`;
  const over = Promise.withResolvers<void>();
  const onEvent = (event: LedgerEvent): void => {
    if (event.seq < (state?.nextSeq ?? 0)) return;
    const before = state;
    state = fold(state, event);
    if (event.seq < from) return;
    if (json) terminal.out(`${JSON.stringify(event)}\n`);
    else if (state !== undefined) {
      if (!settling && settles(event, before)) {
        settling = true;
        terminal.out('Settling what looked better, the largest gain first.\n');
      }
      tell(terminal, event, state);
    }
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

/** What an event is worth saying on a screen. */
function tell(terminal: Terminal, event: LedgerEvent, state: RunState): void {
  switch (event.type) {
    case 'judged':
      // Where the start file isn't ready, the end says why, and at length.
      if (event.attempt === 0 && event.verdict !== 'kept') return;
      tellAttempt(terminal, event.attempt, state);
      if (event.attempt === 0) tellForecast(terminal, state);
      return;
    case 'waiting':
      return tellAttempt(terminal, event.attempt, state);
    case 'reviewed':
      return event.action === 'kept' ? tellAttempt(terminal, event.attempt, state) : undefined;
    case 'epoch-started':
      return terminal.out(`${event.why}\n`);
    case 'noted':
      return terminal.out(`${event.sentence}\n`);
    case 'steered':
      if (event.what === 'program') terminal.out(`${state.plan.program ?? 'The program'} was read again: it steers the run from here on.${(event.waits ?? []).map((key) => ` \`${key}\` waits for the next run.`).join('')}\n`);
      else if (event.why !== undefined) terminal.out(`${event.why}\n`);
      return;
    default:
  }
}

function tellAttempt(terminal: Terminal, number: number, state: RunState): void {
  const attempt = attemptOf(state, number);
  if (attempt !== undefined) terminal.outColoured(`${attemptLine(attempt, state, terminal)}\n`);
}

function tellForecast(terminal: Terminal, state: RunState): void {
  const expected = forecastOfRun(state, clockFrom(Date.now()));
  if (expected !== undefined) terminal.out(`Expected: ${expected}\n`);
}

/** Whether an event takes up again an attempt that waited for the end of the night. */
function settles(event: LedgerEvent, before: RunState | undefined): boolean {
  if (before === undefined || (event.type !== 'edited' && event.type !== 'judged')) return false;
  const attempt = attemptOf(before, event.attempt);
  return attempt !== undefined && waitsForNight(attempt);
}

function hasEnd(state: RunState | undefined): boolean {
  return state?.end !== undefined;
}

async function eventsOf(store: Store, run: string): Promise<readonly LedgerEvent[]> {
  return store.read(run).then(({ events }) => events, () => []);
}
