import { createTwoFilesPatch } from 'diff';
import { newerLedger, type Store } from '../../engine/store.ts';
import { HumanError } from '../../errors.ts';
import { attemptOf, foldAll, textOf, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { EXIT } from '../exit.ts';
import { attemptLine, attemptTable, runLine } from '../render.ts';
import { placeOfFolder, runId, type Place } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** A run as its ledger tells it. */
export async function loadRun(store: Store, given: string): Promise<RunState> {
  const id = await runId(store, given);
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

/** `ratchet log`: the runs of this folder. */
export async function log(terminal: Terminal, json: boolean): Promise<number> {
  const { store, root } = await placeOfFolder(terminal);
  const runs = await store.runs();
  if (runs.length === 0) terminal.err(`No run yet in ${root}.\n`);
  for (const run of runs) {
    const ledger = await store.read(run);
    const state = foldAll(ledger.events);
    if (json) terminal.out(`${JSON.stringify({ run, state: state === undefined ? null : summary(state) })}\n`);
    else if (ledger.newerVersion !== undefined) terminal.out(`${run}  ${newerLedger(run, ledger.newerVersion).message}\n`);
    else terminal.out(`${state === undefined ? `${run}  its ledger has no beginning` : runLine(state)}\n`);
  }
  return EXIT.done;
}

/** `ratchet show RUN [N]`: a run's attempts, or one attempt with all that is known of it. */
export async function show(terminal: Terminal, run: string, number: number | undefined, json: boolean): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(store, run);
  if (number === undefined) {
    terminal.out(json ? `${JSON.stringify(state)}\n` : `${runLine(state)}\n${attemptTable(state, terminal)}${state.end === undefined ? '' : `${state.end.sentence}\n`}`);
    return EXIT.done;
  }
  const attempt = attemptNamed(state, number);
  if (json) {
    terminal.out(`${JSON.stringify(attempt)}\n`);
    return EXIT.done;
  }
  terminal.out(`${attemptLine(attempt, state, terminal)}\n`);
  if (attempt.hypothesis !== undefined) terminal.out(`\n${attempt.hypothesis}\n`);
  if (attempt.evidence !== undefined) terminal.out(`\n${attempt.evidence.reason}\n`);
  for (const measured of attempt.measurements) terminal.out(`\n--- what the scorer printed (${measured.why}) ---\n${await store.blob(measured.output)}\n`);
  if (attempt.candidate !== undefined) terminal.out(`\n${await patch(store, state, attempt)}`);
  return EXIT.done;
}

/** `ratchet diff RUN [N]`: what an attempt changed against its parent; without N, what the best so far changed against the start file. */
export async function diff(terminal: Terminal, run: string, number: number | undefined): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(store, run);
  terminal.out(await (number === undefined ? championPatch({ store }, state) : patch(store, state, attemptNamed(state, number))));
  return EXIT.done;
}

/** The best so far against the start file, as a unified diff; empty where nothing was kept. */
export async function championPatch({ store }: Pick<Place, 'store'>, state: RunState): Promise<string> {
  if (state.champion === 0) return '';
  return unified(state.plan.target, await store.blob(state.baseline), await store.blob(textOf(state, state.champion)), 'start file', `attempt ${state.champion}`);
}

async function patch(store: Store, state: RunState, attempt: AttemptState): Promise<string> {
  if (attempt.candidate === undefined) {
    const reply = attempt.reply === undefined ? '' : await store.blob(attempt.reply);
    return attempt.number === 0 ? '' : `Attempt ${attempt.number} changed nothing. The reply was:\n\n${reply}\n`;
  }
  const parent = attempt.parent ?? 0;
  return unified(state.plan.target, await store.blob(textOf(state, parent)), await store.blob(attempt.candidate), `attempt ${parent}`, `attempt ${attempt.number}`);
}

function unified(path: string, before: string, after: string, beforeName: string, afterName: string): string {
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, beforeName, afterName).replace(/^=+\n/, '');
}

function summary(state: RunState): object {
  const { id, plan, startedAt, champion, attempts, end } = state;
  return { id, target: plan.target, startedAt, champion, attempts: attempts.length, end: end ?? null };
}
