import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DISK, type Appending, type Disk } from '../../../src/engine/store/disk.ts';

interface File {
  readonly kind: 'file';
  synced: string;
  unsynced: string;
}

interface Folder {
  readonly kind: 'folder';
  /** Names that outlast a loss of power. */
  synced: Map<string, Node>;
  /** As programs see it. */
  readonly names: Map<string, Node>;
  /** What changed since, each of which may be on disk or not. */
  changes: ((names: Map<string, Node>) => void)[];
}

type Node = File | Folder;

export class PowerLoss extends Error {}

/**
 * A disk that can lose its power: after `steps` operations nothing works any more, and `lose` makes a folder that holds what
 * such a disk may still hold. What was synced is there, of all else any part: any of the changes to names since a folder was
 * synced, and any beginning of what was added to a file, with or without zeros where the rest should be.
 */
export class LossyDisk implements Disk {
  private readonly top: string;
  private readonly root: Folder = folder();
  private left: number;

  /** `top`: absolute, a folder that is there and empty. */
  constructor(top: string, steps: number) {
    this.top = top;
    this.left = steps;
  }

  makeFolder = async (path: string): Promise<void> => {
    if (this.find(path) !== undefined) return;
    if (path !== this.top) await this.makeFolder(dirname(path));
    this.step();
    await mkdir(path, { recursive: true });
    this.link(path, folder());
  };

  syncFolder = (path: string): Promise<void> => {
    this.step();
    const found = this.find(path);
    if (found?.kind === 'folder') {
      found.synced = new Map(found.names);
      found.changes = [];
    }
    return Promise.resolve();
  };

  writeNew = async (path: string, text: string): Promise<void> => {
    this.step();
    const file: File = { kind: 'file', synced: '', unsynced: '' };
    await writeFile(path, text, { flag: 'wx' });
    this.link(path, file);
    file.unsynced = text;
    this.step();
    Object.assign(file, { synced: text, unsynced: '' });
  };

  rename = async (from: string, to: string): Promise<void> => {
    this.step();
    const node = this.find(from);
    const within = this.find(dirname(to));
    if (node === undefined || within?.kind !== 'folder') throw new Error(`no ${from}`);
    await DISK.rename(from, to);
    change(within, (names) => {
      names.delete(basename(from));
      names.set(basename(to), node);
    });
  };

  append = async (path: string): Promise<Appending> => {
    this.step();
    const real = await DISK.append(path);
    const known = this.find(path);
    const file: File = known?.kind === 'file' ? known : { kind: 'file', synced: '', unsynced: '' };
    if (known === undefined) this.link(path, file);
    return {
      ...real,
      append: async (text) => {
        // It may go out in the middle of a line.
        if (this.left === 0) file.unsynced += text;
        this.step();
        file.unsynced += text;
        await real.append(text);
      },
      sync: () => {
        this.step();
        Object.assign(file, { synced: file.synced + file.unsynced, unsynced: '' });
        return Promise.resolve();
      },
    };
  };

  /** What is on disk after the power went. `chance`: from 0 to 1. */
  async lose(into: string, chance: () => number): Promise<void> {
    await this.put(this.root, into, chance);
  }

  private async put(node: Node, path: string, chance: () => number): Promise<void> {
    if (node.kind === 'folder') {
      await mkdir(path, { recursive: true });
      const names = new Map(node.synced);
      for (const apply of node.changes) if (chance() < 0.5) apply(names);
      for (const [name, each] of names) await this.put(each, join(path, name), chance);
      return;
    }
    const kept = Math.floor(chance() * (node.unsynced.length + 1));
    const rest = chance() < 0.3 ? '\0'.repeat(node.unsynced.length - kept) : '';
    await writeFile(path, node.synced + node.unsynced.slice(0, kept) + rest);
  }

  private step(): void {
    if (this.left === 0) throw new PowerLoss();
    this.left--;
  }

  private find(path: string): Node | undefined {
    if (path === this.top) return this.root;
    if (path === '/' || path === '.') return undefined;
    const within = this.find(dirname(path));
    return within?.kind === 'folder' ? within.names.get(basename(path)) : undefined;
  }

  private link(path: string, node: Node): void {
    const within = this.find(dirname(path));
    if (within?.kind === 'folder') change(within, (names) => names.set(basename(path), node));
  }
}

function folder(): Folder {
  return { kind: 'folder', synced: new Map(), names: new Map(), changes: [] };
}

function change(within: Folder, apply: (names: Map<string, Node>) => void): void {
  apply(within.names);
  within.changes.push(apply);
}
