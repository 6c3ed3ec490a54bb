import { commands, type Disposable } from 'vscode';
import { CONTEXT_KEYS } from '../contributions.ts';
import { isPaused } from './run-source.ts';
import { isActive, type Runs } from './runs.ts';

/** Keeps the context keys, on which menus depend, in step with the runs. */
export function keepContextKeys(runs: Runs): Disposable {
  const set = new Map<string, boolean>();
  const put = (key: string, value: boolean): void => {
    if ((set.get(key) ?? false) === value) return;
    set.set(key, value);
    void commands.executeCommand('setContext', key, value);
  };
  return runs.onDidChange(() => {
    const active = runs.runs.filter(isActive);
    put(CONTEXT_KEYS.hasRuns, runs.runs.length > 0);
    put(CONTEXT_KEYS.active, active.length > 0);
    put(CONTEXT_KEYS.paused, active.some(isPaused));
  });
}
