import { existsSync, lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { isNeverSeen } from '../scratch/names.ts';
import { isCacheOf } from './caches.ts';
import { environmentOf } from './environment-of.ts';
import { mayBeShown } from './reserved.ts';
import { isKept } from './toolchains.ts';

/** Where a link of the project ends, a real path, and whether it is one of packages: then that may be a project of its own. */
export interface LinkEnd {
  readonly real: string;
  readonly isPackage: boolean;
}

/**
 * Whether a confined run is shown what merely a link leads to: a cloned project brings its own. `tools`: what would be shown
 * anyway, or is no secret; `closed`: another project, which a person may well mean; `secret`: what no link should open.
 */
export type Leave = 'open' | 'tools' | 'closed' | 'secret';

export function leaveFor({ real, isPackage }: LinkEnd, home: string | undefined, top: string): Leave {
  if (!mayBeShown(real, home) || holdsSockets(real, SOCKET_DEPTH)) return 'secret';
  // Packages are installed below a dot-folder by tools that share them between projects.
  if (real.split('/').includes('node_modules') || environmentOf(real) !== undefined || isKept(real, home) || isCacheOf(real, home)) return 'tools';
  if (real.split('/').some(isNeverSeen)) return 'secret';
  const homes = [...(home === undefined ? [] : [home]), ...homesOfOthers()];
  // Settings, sessions and keys of all kinds: too many to be named.
  if (homes.some((each) => isWithin(real, each) || (isWithin(each, real) && real.startsWith(`${each}/.`)))) return 'secret';
  if (isWithin(real, top)) return 'closed';
  const isInHome = homes.some((each) => isWithin(each, real));
  return isInHome && !isPackage && [real, ...foldersIn(real)].some((folder) => existsSync(join(folder, '.git'))) ? 'closed' : 'open';
}

/** A socket is a way out through a folder that can only be read: of the engine itself, of an agent, of a screen. */
function holdsSockets(path: string, depth: number): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) return true;
  return depth > 0 && entriesIn(path).some((entry) => entry.isSocket() || (entry.isDirectory() && holdsSockets(join(path, entry.name), depth - 1)));
}

/** The engine's lie one below the folder of all roots. */
const SOCKET_DEPTH = 2;

/** Of people, and of root. */
function homesOfOthers(): readonly string[] {
  try {
    const entries = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
    return entries.filter(([, , uid, , , folder = '']) => (uid === '0' || Number(uid) >= 1000) && dirname(folder) !== folder && folder !== '' && !isSystemUser(folder)).map(([, , , , , folder = '']) => folder);
  } catch {
    return [];
  }
}

/** Accounts of no person have a home that isn't there, or belongs to all. */
function isSystemUser(folder: string): boolean {
  return /^\/(?:nonexistent|var|run|usr|dev|proc|tmp|srv|opt|bin|sbin)(?:\/|$)/.test(folder);
}

function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder).filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

const MOST_ENTRIES = 1000;
