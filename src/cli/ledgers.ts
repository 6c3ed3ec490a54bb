import { readRun } from '../engine/read-run.ts';
import type { Store } from '../engine/store.ts';
import { HumanError } from '../errors.ts';
import { attemptOf, type AttemptState, type RunState } from '../loop/ledger.ts';
import { knownRuns, runId, type Verb } from './root.ts';
import type { Terminal } from './terminal.ts';

/**
 * A run that a person named, as its ledger tells it. `verb`: the command, for a sentence that says what to type. The
 * last run is the last that can be read; those that it passes over are named.
 */
export async function loadRun(terminal: Pick<Terminal, 'err'>, store: Store, given: string, verb: Verb): Promise<RunState> {
  if (given !== 'last') return readRun(store, await runId(store, given, verb));
  const unreadable: HumanError[] = [];
  for (const id of (await knownRuns(store)).toReversed()) {
    const state = await readRun(store, id).catch((error: unknown) => {
      if (!(error instanceof HumanError)) throw error;
      unreadable.push(error);
      return undefined;
    });
    if (state === undefined) continue;
    for (const { message } of unreadable) terminal.err(`Passed over: ${message}\n`);
    return state;
  }
  throw unreadable[0] ?? new HumanError('no-such-run', `No run in ${store.root} can be read.`);
}

/** The attempt that was named, or the best so far. */
export function attemptNamed(state: RunState, number: number | undefined): AttemptState {
  const attempt = attemptOf(state, number ?? state.champion);
  if (attempt === undefined) throw new HumanError('no-such-attempt', `Run ${state.id} has no attempt ${number ?? state.champion}. List them with: ratchet show ${state.id}`);
  return attempt;
}
