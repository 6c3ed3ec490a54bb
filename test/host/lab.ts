/** The workspaces of the terminal's tests (test/cli/lab.ts), in an editor. */
import { cp } from 'node:fs/promises';
import * as path from 'node:path';
import { Lab } from '../cli/lab.ts';
import { openEditor, type Editor, type EditorOptions } from './editor.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** A workspace with the example of a train.py. */
export async function openTrainLab(): Promise<Lab> {
  const lab = await Lab.open({});
  await cp(path.join(ROOT, 'examples', 'train'), lab.folder, { recursive: true, filter: (from) => !from.includes('__pycache__') });
  return lab;
}

/** Opens the lab in the newest editor: with the packed extension where one is given, else with this one from source. It finds the lab's engine and no other. */
export function openLab({ folder, env }: Lab, options: Pick<EditorOptions, 'vsix' | 'settings'> = {}): Promise<Editor> {
  return openEditor({
    version: 'newest',
    folder,
    ...(options.vsix === undefined ? { extensionDevelopmentPath: ROOT } : {}),
    env: { RATCHET_RUNTIME_DIR: env['RATCHET_RUNTIME_DIR'] ?? '', XDG_CACHE_HOME: env['XDG_CACHE_HOME'] ?? '' },
    ...options,
  });
}
