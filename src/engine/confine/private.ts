import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { likeFolder } from '../scratch/snapshot.ts';
import { emptyFolder } from '../scratch/tidy.ts';
import type { Confined } from './bubblewrap.ts';
import { copyEtc, etcMounts } from './etc.ts';
import type { Mount } from './mount.ts';

/** The folders that stand in for /tmp and the home folder, empty at the start of each run, and for /etc. */
export class PrivateFolders {
  private readonly tmp: string;
  private readonly home: string;
  private readonly etc: string;
  private homeIs: string | undefined;

  private constructor(slotDir: string) {
    this.tmp = join(slotDir, 'tmp');
    this.home = join(slotDir, 'home');
    this.etc = join(slotDir, 'etc');
  }

  static async make(slotDir: string): Promise<PrivateFolders> {
    const made = new PrivateFolders(slotDir);
    for (const folder of [made.tmp, made.home]) await mkdir(folder);
    made.setModes();
    return made;
  }

  /** Their entries for a view. */
  mounts({ home, net }: Confined): readonly Mount[] {
    if (!existsSync(this.etc)) {
      mkdirSync(this.etc);
      copyEtc(this.etc);
    }
    this.homeIs = home;
    const tmp = ['/tmp', '/var/tmp'].map((path): Mount => ({ kind: 'write', path, from: this.tmp }));
    const shared = [...etcMounts(this.etc, net), ...tmp];
    return home === undefined ? shared : [...shared, { kind: 'write', path: home, from: this.home }];
  }

  async empty(): Promise<void> {
    for (const folder of [this.tmp, this.home]) await emptyFolder(folder);
    this.setModes();
  }

  private setModes(): void {
    chmodSync(this.tmp, 0o1777);
    chmodSync(this.home, 0o700);
    if (this.homeIs !== undefined) likeFolder(this.homeIs, this.home);
  }
}
