import type { RunState } from '../../loop/ledger.ts';
import { EXIT } from '../exit.ts';
import { attemptNamed, loadRun, readRun } from '../ledgers.ts';
import { attemptPatch, championPatch } from '../patch.ts';
import { attemptLine, attemptTable, runLine } from '../render.ts';
import { noRuns, placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet log`: the runs of this folder. One that can't be read has a line too. */
export async function log(terminal: Terminal, json: boolean): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const runs = await store.runs();
  if (runs.length === 0) terminal.err(`${noRuns(store)}\n`);
  for (const run of runs) {
    const state = await readRun(store, run).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (typeof state === 'string') terminal.out(json ? `${JSON.stringify({ run, state: null, problem: state })}\n` : `${run}  ${state}\n`);
    else terminal.out(json ? `${JSON.stringify({ run, state: summary(state) })}\n` : `${runLine(state)}\n`);
  }
  return EXIT.done;
}

/** `ratchet show RUN [N]`: a run's attempts, or one attempt with all that is known of it. */
export async function show(terminal: Terminal, run: string, number: number | undefined, json: boolean): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(terminal, store, run, 'show');
  const attempt = number === undefined ? undefined : attemptNamed(state, number);
  if (json) {
    terminal.out(`${JSON.stringify(attempt ?? state)}\n`);
    return EXIT.done;
  }
  if (attempt === undefined) {
    terminal.out(`${runLine(state)}\n`);
    terminal.outColoured(attemptTable(state, terminal));
    if (state.end !== undefined) terminal.out(`${state.end.sentence}\n`);
    return EXIT.done;
  }
  terminal.outColoured(`${attemptLine(attempt, state, terminal)}\n`);
  if (attempt.hypothesis !== undefined) terminal.out(`\n${attempt.hypothesis}\n`);
  const { evidence } = attempt;
  // Where a run of the scorer decided it, the reason stands with that run.
  if (evidence !== undefined && !attempt.measurements.some(({ why }) => why === evidence.reason)) terminal.out(`\n${evidence.reason}\n`);
  for (const measured of attempt.measurements) terminal.out(`\n--- what the scorer printed (${measured.why}) ---\n${await store.blob(measured.output)}\n`);
  if (attempt.candidate !== undefined) terminal.out(`\n${await attemptPatch(store, state, attempt)}`);
  return EXIT.done;
}

/** `ratchet diff RUN [N]`: what an attempt changed against its parent; without N, what the best so far changed against the start file. */
export async function diff(terminal: Terminal, run: string, number: number | undefined): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(terminal, store, run, 'diff');
  terminal.out(await (number === undefined ? championPatch(store, state) : attemptPatch(store, state, attemptNamed(state, number))));
  return EXIT.done;
}

function summary(state: RunState): object {
  const { id, plan, startedAt, champion, attempts, end } = state;
  return { id, target: plan.target, startedAt, champion, attempts: attempts.length, end: end ?? null };
}
