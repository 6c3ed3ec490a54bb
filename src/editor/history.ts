import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace } from 'vscode';
import { stateFolder } from '../wire/runtime.ts';
import { dataOf, rootOf } from '../wire/root.ts';
import type { Engines } from './connection.ts';

/** How far a window goes to learn of earlier runs. */
export type Reach = 'running' | 'start';

/**
 * Connects to the engines of the window's folders that hold runs: where one runs already, or, to read the history, to
 * one that is started. An engine that only reads runs nothing of the workspace.
 */
export async function reachHistory(engines: Engines, reach: Reach): Promise<void> {
  for (const folder of workspace.workspaceFolders ?? []) {
    if (folder.uri.scheme !== 'file') continue;
    const path = await realpath(folder.uri.fsPath).catch(() => undefined);
    if (path === undefined) continue;
    const root = await rootOf(path, 'folder', path);
    if (!(await holdsRuns(root))) continue;
    const engine = engines.of(root);
    await (reach === 'start' ? engine.open() : engine.find());
  }
}

async function holdsRuns(root: string): Promise<boolean> {
  const data = await dataOf(root, stateFolder(process.env));
  return (await readdir(join(data, 'runs')).catch(() => [])).length > 0;
}
