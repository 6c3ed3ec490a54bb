import { createTwoFilesPatch } from 'diff';
import type { Store } from '../engine/store.ts';
import { textOf, type AttemptState, type RunState } from '../loop/ledger.ts';

/** The best so far against the start file, as a unified diff; empty where nothing was kept. */
export async function championPatch(store: Store, state: RunState): Promise<string> {
  if (state.champion === 0) return '';
  return unified(state.plan.target, await store.blob(state.baseline), await store.blob(textOf(state, state.champion)), 'start file', `attempt ${state.champion}`);
}

/** What an attempt changed against its parent, as a unified diff; its reply where it changed nothing. */
export async function attemptPatch(store: Store, state: RunState, attempt: AttemptState): Promise<string> {
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
