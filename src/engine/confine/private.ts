import { chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findCarried, holdsFiles, HOME_CARRYING, moveCarried, TMP_CARRYING } from '../scratch/carried.ts';
import { likeFolder } from '../scratch/snapshot.ts';
import { emptyFolder, removeTree } from '../scratch/tidy.ts';
import type { Confined } from './bubblewrap.ts';
import { copyEtc, etcMounts } from './etc.ts';
import { writeFilter } from './filter-file.ts';
import type { Mount } from './mount.ts';

/** The folders that stand in for /tmp and the home folder, empty at the start of each run but for tools' caches, and for /etc. */
export class PrivateFolders {
  private readonly tmp: string;
  private readonly home: string;
  private readonly etc: string;
  /** The filter of system calls, as a file. */
  readonly filter: string;
  private readonly kept: string;
  private homeIs: string | undefined;

  private constructor(slotDir: string) {
    this.tmp = join(slotDir, 'tmp');
    this.home = join(slotDir, 'home');
    this.etc = join(slotDir, 'etc');
    this.filter = join(slotDir, 'filter');
    this.kept = join(slotDir, 'kept');
  }

  static async make(slotDir: string): Promise<PrivateFolders> {
    const made = new PrivateFolders(slotDir);
    for (const folder of [made.tmp, made.home]) await mkdir(folder);
    await writeFilter(made.filter);
    made.setModes();
    return made;
  }

  /** Their entries for a view. */
  mounts({ home }: Confined): readonly Mount[] {
    if (!existsSync(this.etc)) {
      mkdirSync(this.etc);
      copyEtc(this.etc);
    }
    this.homeIs = home;
    const tmp = ['/tmp', '/var/tmp'].map((path): Mount => ({ kind: 'write', path, from: this.tmp }));
    const shared = [...etcMounts(this.etc), ...tmp];
    return home === undefined ? shared : [...shared, { kind: 'write', path: home, from: this.home }];
  }

  async empty(): Promise<void> {
    for (const folder of [this.tmp, this.home]) {
      await emptyFolder(folder);
      const kept = join(this.kept, basename(folder));
      if (existsSync(kept)) await cp(kept, folder, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true, verbatimSymlinks: true });
    }
    this.setModes();
  }

  /** Keeps the caches that tools left here for the runs to come, and gives their names. */
  async keepCaches(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const [folder, carrying, shownAs] of [[this.home, HOME_CARRYING, '~'], [this.tmp, TMP_CARRYING, '/tmp']] as const) {
      // A folder that a mount needed lies there empty.
      const found = findCarried(folder, '', carrying).filter((path) => holdsFiles(join(folder, path)));
      await moveCarried(folder, join(this.kept, basename(folder)), found);
      names.push(...found.map((path) => `${shownAs}/${path}`));
    }
    return names;
  }

  async dropCaches(): Promise<void> {
    await removeTree(this.kept);
  }

  private setModes(): void {
    chmodSync(this.tmp, 0o1777);
    chmodSync(this.home, 0o700);
    if (this.homeIs !== undefined) likeFolder(this.homeIs, this.home);
  }
}
