import { readdirSync, readlinkSync, realpathSync, type Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { editablePlaces } from '../confine/editable.ts';
import { mayBeShown } from '../confine/reserved.ts';
import type { Listing } from './files.ts';
import { baseName } from './names.ts';
import { isSystem } from '../confine/system.ts';
import { isWithin } from '../../wire/root.ts';

/** Where the workspace's own links, and its environments, lead out of it: a confined run may follow those. */
export class LinksOut {
  private readonly top: string;
  private readonly found = new Set<string>();

  /** `top`: a real path. */
  constructor(top: string) {
    this.top = top;
  }

  /** Takes note of a link at `path` (relative to the top), and gives its text back. */
  see(path: string, to: string): string {
    const target = resolve(dirname(join(this.top, path)), to);
    if (!isWithin(this.top, target)) this.found.add(target);
    return to;
  }

  /** Takes note of the links among a folder's packages: `npm link` makes them. */
  seePackages(folder: string): void {
    for (const entry of entriesOf(join(this.top, folder))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) this.see(path, readlinkSync(join(this.top, path)));
      else if (entry.isDirectory() && entry.name.startsWith('@')) this.seePackages(path);
    }
  }

  /** Takes note of what the workspace's Python environments name as their own: editable installations. */
  seeEnvironments({ live, files }: Pick<Listing, 'live' | 'files'>): void {
    const copied = files.filter((path) => baseName(path) === 'pyvenv.cfg').map((path) => dirname(path));
    for (const folder of [...live, ...copied]) for (const path of editablePlaces(join(this.top, folder))) this.see(folder, path);
  }

  /** What may be shown of it: nothing that a link alone should open, such as a person's keys. */
  shown(home: string | undefined): readonly string[] {
    return [...this.found].flatMap((path) => {
      try {
        const real = realpathSync(path);
        return [...new Set([path, real].map(withNeighbours))].filter((each) => !isSystem(each) && !isWithin(this.top, each) && mayBeShown(each, home) && mayBeShown(real, home));
      } catch {
        return [];
      }
    });
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
