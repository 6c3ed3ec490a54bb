import { mkdir, realpath } from 'node:fs/promises';
import { HumanError } from '../../errors.ts';
import { createCopy } from './copy.ts';
import { createOverlay } from './overlay.ts';
import { copyBecause, runQuietly } from './probe.ts';
import type { ScratchProbe } from './probe.ts';
import type { Slot, Workspace } from './slot.ts';
import { readSubject } from './subject.ts';
import type { Subject } from './subject.ts';
import { isWithin } from '../../wire/root.ts';
import { removeTree } from './tidy.ts';

export { probeScratch } from './probe.ts';
export type { ScratchProbe } from './probe.ts';

/**
 * Makes a slot with a snapshot of the workspace as it is now: of the kind that was probed, or a copy where the layers
 * can't be put over this very workspace. Its target is the candidate only after the first `place`. `slotFolder` is
 * absolute and outside the workspace; it is made here and removed by `dispose`. Fails with a HumanError for what a
 * person can mend; no file is left then.
 */
export async function createSlot(workspace: Workspace, probe: ScratchProbe, slotFolder: string, signal: AbortSignal): Promise<Slot> {
  const subject = await readSubject(workspace, slotFolder, signal);
  await mkdir(slotFolder, { recursive: true, mode: 0o700 });
  const folder = await realpath(slotFolder);
  try {
    if (isWithin(subject.top, folder)) throw new HumanError('read-only', `The folder for temporary files lies inside ${subject.top}: set XDG_CACHE_HOME to one outside it.`);
    return await choose(subject, probe, folder, signal);
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
}

async function choose(subject: Subject, probe: ScratchProbe, folder: string, signal: AbortSignal): Promise<Slot> {
  if (probe.kind === 'copy') return createCopy(subject, probe.how, folder, signal);
  const slot = await createOverlay(subject, probe.reach, probe.how, folder, signal);
  const failure = await tryOut(slot, subject, signal);
  if (failure === undefined) return slot;
  await slot.dispose();
  return createCopy(subject, copyBecause(`a private layer over this very folder failed (${failure})`).how, folder, signal);
}

/** The probe can't know what lies below this workspace: another file system may refuse to be a layer. */
async function tryOut(slot: Slot, { top }: Subject, signal: AbortSignal): Promise<string | undefined> {
  const { failure } = await runQuietly(slot.enter({ file: 'true', args: [], cwd: top, env: { PATH: '/usr/bin:/bin' } }), signal);
  return failure;
}
