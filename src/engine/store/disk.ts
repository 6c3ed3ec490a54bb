import { constants } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';

/** An open file that is only added to. */
export interface Appending {
  readonly read: () => Promise<string>;
  readonly append: (text: string) => Promise<void>;
  /** Resolves when all that was appended outlasts a loss of power. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The operations that a record is written by. What isn't synced may be lost with the power, in part and in any order: a new name in its folder too. */
export interface Disk {
  readonly makeFolder: (path: string) => Promise<void>;
  /** Resolves when a loss of power takes no name out of the folder. */
  readonly syncFolder: (path: string) => Promise<void>;
  /** Writes a file that isn't there yet. Resolves when its text outlasts a loss of power; its name may not. */
  readonly writeNew: (path: string, text: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Opens a file to append to it, without following a link; makes it where it isn't there. */
  readonly append: (path: string) => Promise<Appending>;
}

/** Said by file systems that can't sync a folder, such as shared ones. */
const NO_FOLDERS: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF']);

export const DISK: Disk = {
  makeFolder: async (path) => void (await mkdir(path, { recursive: true })),
  syncFolder: async (path) => {
    // A folder can't be opened there, and its names are the system's to keep.
    if (process.platform === 'win32') return;
    const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await folder.sync().catch((error: NodeJS.ErrnoException) => {
        if (!NO_FOLDERS.has(error.code ?? '')) throw error;
      });
    } finally {
      await folder.close();
    }
  },
  writeNew: async (path, text) => {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename,
  append: async (path) => {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o644);
    return { read: () => file.readFile('utf8'), append: (text) => file.appendFile(text), sync: () => file.datasync(), close: () => file.close() };
  },
};
