import { randomBytes } from 'node:crypto';
import { chmod, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HumanError } from '../../errors.ts';
import { textOf } from '../../loop/ledger.ts';
import { mergeInto } from '../../loop/merge.ts';
import { engineOf, runningEngine } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';
import { attemptNamed, loadRun } from './history.ts';

/** `ratchet accept RUN [N]`: puts the best so far (or attempt N) into the person's file, by a three-way merge where it changed meanwhile. */
export async function accept(terminal: Terminal, run: string, number: number | undefined): Promise<number> {
  const place = await placeOfFolder(terminal);
  const state = await loadRun(place.store, run);
  const attempt = attemptNamed(state, number);
  if (attempt.number === 0) {
    terminal.err('Nothing was kept in this run, so there is nothing to accept.\n');
    return EXIT.noImprovement;
  }
  if (attempt.candidate === undefined) throw new HumanError('no-such-attempt', `Attempt ${attempt.number} changed nothing, so there is nothing to accept.`);
  const path = await realpath(join(place.root, state.plan.target)).catch(() => {
    throw new HumanError('bad-target', `${state.plan.target} is gone. Bring it back, or print the text with: ratchet diff ${state.id}`);
  });
  const editor = await runningEngine(place);
  const unsaved = await editor?.request('ratchet/unsaved', { path });
  editor?.close();
  if (unsaved === true) throw new HumanError('unsaved', `An editor holds unsaved text of ${state.plan.target}. Save it, or accept in the editor.`);

  const before = await readFile(path, 'utf8');
  const merge = mergeInto(before, await place.store.blob(state.baseline), await place.store.blob(textOf(state, attempt.number)));
  if (!merge.ok)
    throw new HumanError('conflict', `${state.plan.target} changed since the run began, and ${merge.conflicts} of its changes meet the run's. Nothing was written. Accept in the editor to solve them there, or look at: ratchet diff ${state.id}`);
  await replace(path, merge.text);
  const client = await engineOf(place);
  await client.request('ratchet/accepted', { run: state.id, attempt: attempt.number, text: merge.text });
  client.close();
  terminal.out(`${state.plan.target} now holds attempt ${attempt.number}.\n`);
  return EXIT.done;
}

/** Writes beside the file and renames, so that it is always the old text or the new one. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.ratchet`;
  const { mode } = await stat(path);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await chmod(draft, mode);
    await rename(draft, path);
  } catch (error) {
    throw new HumanError('read-only', `${path} can't be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}). Make it writable and accept again.`);
  }
}
