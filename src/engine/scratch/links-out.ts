import { existsSync, readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Confined } from '../confine/bubblewrap.ts';
import { editablePlaces } from '../confine/editable.ts';
import { isEnvironment } from '../confine/environment-of.ts';
import { leaveFor, type Leave } from '../confine/linked.ts';
import type { Mount } from '../confine/mount.ts';
import { mayBeShown } from '../confine/reserved.ts';
import type { Listing } from './files.ts';
import { baseName, isNeverSeen } from './names.ts';
import { isSystem } from '../confine/system.ts';
import { isWithin } from '../../wire/root.ts';

/** What links open and what they don't, for a person to know. Real paths. */
export interface LinksTold {
  readonly opened: readonly string[];
  /** Other projects, and what holds this one. */
  readonly closed: readonly string[];
}

/** Where a link leads, as it says and in truth. */
interface End {
  readonly path: string;
  readonly real: string;
  readonly leave: Leave;
}

/** Looked for as much in folders that links lead to; a folder of data can hold millions. */
const MOST_ENTRIES = 2000;

/** Where the workspace's own links, and its environments, lead out of it: a confined run may follow those. */
export class LinksOut {
  private readonly top: string;
  private readonly empty: string;
  /** And whether they are links of packages. */
  private readonly found = new Map<string, boolean>();
  private readonly hidden = new Map<string, readonly Mount[]>();
  private known: readonly End[] | undefined;

  /** `top`: a real path. `empty`: an empty folder. */
  constructor(top: string, empty: string) {
    this.top = top;
    this.empty = empty;
  }

  /** Takes note of a link at `path` (relative to the top), and gives its text back. */
  see(path: string, to: string, isPackage = false): string {
    const target = resolve(dirname(join(this.top, path)), to);
    if (!isWithin(this.top, target)) this.found.set(target, isPackage || this.found.get(target) === true);
    return to;
  }

  /** Takes note of the links among a folder's packages: `npm link` and workspaces make them. */
  seePackages(folder: string): void {
    for (const entry of entriesOf(join(this.top, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) this.see(path, readlinkSync(join(this.top, path)), existsSync(join(this.top, path, 'package.json')));
      else if (entry.isDirectory() && entry.name.startsWith('@')) this.seePackages(path);
    }
  }

  /** Takes note of what the workspace's Python environments name as their own: editable installations. */
  seeEnvironments({ live, files }: Pick<Listing, 'live' | 'files'>): void {
    // What is copied may have come with the project.
    const copied = files.filter((path) => baseName(path) === 'pyvenv.cfg').map((path) => dirname(path));
    for (const [folders, isPackage] of [[live, true], [copied, false]] as const)
      for (const folder of folders) for (const path of editablePlaces(join(this.top, folder))) this.see(folder, path, isPackage);
  }

  /** What is shown of it: nothing that a link alone should open, such as a person's keys. */
  shown({ home, mounts }: Confined): readonly Mount[] {
    const given = mounts.map(({ path }) => path);
    return this.ends(home).filter(({ leave }) => leave === 'open' || leave === 'tools').flatMap(({ path, real, leave }) => {
      const folders = [...new Set([path, real].map(withNeighbours))].filter((each) => !isSystem(each) && !isWithin(this.top, each) && mayBeShown(each, home));
      const hidden = leave === 'tools' ? [] : this.hiddenIn(real).filter((mount) => !given.some((folder) => isWithin(folder, mount.path)) && existsSync(mount.path));
      return [...folders.map((each): Mount => ({ kind: 'read', path: each })), ...hidden];
    });
  }

  told({ home, mounts }: Confined): LinksTold {
    const given = mounts.map(({ path }) => path);
    const of = (wanted: Leave): readonly string[] => [...new Set(this.ends(home).filter(({ leave, real }) => leave === wanted && !given.some((folder) => isWithin(folder, real))).map(({ real }) => real))].sort();
    return { opened: of('open'), closed: of('closed') };
  }

  /** Looked up once, for it is asked with each run. */
  private ends(home: string | undefined): readonly End[] {
    this.known ??= [...this.found].flatMap(([path, isPackage]) => {
      const real = realOf(path);
      return real === undefined || isSystem(real) || isWithin(this.top, real) ? [] : [{ path, real, leave: leaveFor({ real, isPackage }, home, this.top) }];
    });
    return this.known;
  }

  /** Secrets and git's folders in what a link opens, with nothing over them. */
  private hiddenIn(folder: string): readonly Mount[] {
    const known = this.hidden.get(folder) ?? hiddenBelow(folder).map(({ path, isFolder }): Mount => ({ kind: 'read', path, from: isFolder ? this.empty : '/dev/null' }));
    this.hidden.set(folder, known);
    return known;
  }
}

function hiddenBelow(top: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  const found: { path: string; isFolder: boolean }[] = [];
  const folders = [top];
  let left = MOST_ENTRIES;
  for (let folder = folders.shift(); folder !== undefined && left > 0; folder = folders.shift())
    for (const entry of entriesOf(folder)) {
      left--;
      const path = join(folder, entry.name);
      if (isNeverSeen(entry.name) && !isEnvironment(path)) {
        const real = realOf(path);
        if (real !== undefined && isWithin(top, real)) found.push({ path: real, isFolder: statSync(real).isDirectory() });
      } else if (entry.isDirectory() && entry.name !== 'node_modules' && !isEnvironment(path)) {
        folders.push(path);
      }
    }
  return found;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A package among others finds what it needs beside it. */
function withNeighbours(path: string): string {
  const [, modules] = /^(.*?\/node_modules)(?:\/|$)/.exec(path) ?? [];
  return modules ?? path;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
