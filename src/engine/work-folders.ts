import { mkdir, rm } from 'node:fs/promises';
import type { Pulse } from './pulse.ts';
import { createSlot, type ScratchProbe } from './scratch/create.ts';
import type { Slot, Workspace } from './scratch/slot.ts';

/** The folders that runs and tries work in, outside the workspace. Each is renewed while it is in use, and swept where its engine dies. */
export class WorkFolders {
  private readonly scratch: ScratchProbe;
  private readonly newFolder: () => Promise<string>;
  private readonly pulse: Pulse;

  /** `newFolder` names a new folder, absolute; it isn't made yet. */
  constructor(scratch: ScratchProbe, newFolder: () => Promise<string>, pulse: Pulse) {
    this.scratch = scratch;
    this.newFolder = newFolder;
    this.pulse = pulse;
  }

  async openSlot(workspace: Workspace, signal: AbortSignal): Promise<Slot> {
    const folder = await this.newFolder();
    this.pulse.hold(folder);
    try {
      const slot = await createSlot(workspace, this.scratch, folder, signal);
      const dispose = async (): Promise<void> => {
        this.pulse.release(folder);
        await slot.dispose();
      };
      return { ...slot, dispose };
    } catch (error) {
      this.pulse.release(folder);
      throw error;
    }
  }

  /** A folder for result files. */
  async openIo(): Promise<string> {
    const folder = await this.newFolder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.pulse.hold(folder);
    return folder;
  }

  async closeIo(folder: string): Promise<void> {
    this.pulse.release(folder);
    await rm(folder, { recursive: true, force: true });
  }

  /** A slot and a folder for result files, for as long as `use` goes on. */
  async with<T>(workspace: Workspace, signal: AbortSignal, use: (slot: Slot, ioFolder: string) => Promise<T>): Promise<T> {
    const ioFolder = await this.openIo();
    try {
      const slot = await this.openSlot(workspace, signal);
      try {
        return await use(slot, ioFolder);
      } finally {
        await slot.dispose();
      }
    } finally {
      await this.closeIo(ioFolder);
    }
  }
}
