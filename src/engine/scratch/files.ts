import type { Stats } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HumanError } from '../../errors.ts';
import { report } from './git.ts';
import { mountsBelow } from './mounts.ts';
import { isUnnameable } from './unseen.ts';
import { baseName, isCache, isHeavy, isNeverSeen, isOutput, parentsOf } from './names.ts';

/**
 * What a scorer sees of a workspace: copied once a run, or seen live. Paths relative to `top`, `/`-separated, sorted.
 * Not listed, so never seen: `.ratchet`, `.env*`, `.git` (a stand-in is made), caches, ignored build outputs.
 */
export interface Listing {
  /** Files and links that are copied. */
  readonly files: readonly string[];
  /** Empty folders of ignored places. */
  readonly folders: readonly string[];
  /** Ignored files too large to copy. */
  readonly large: readonly string[];
  /** The top-most folders called node_modules: seen live. */
  readonly modules: readonly string[];
  /** Other folders seen live: environments, large ignored folders, file systems mounted below `top`. */
  readonly live: readonly string[];
  /** Folders with a `.git`; '' is `top`. */
  readonly repos: readonly string[];
  /** What can't be named: the bytes of its name are no UTF-8. As it is shown on screens. */
  readonly unnamed: readonly string[];
}

/** An ignored file above this is seen live. */
const LARGE_BYTES = 32 * 2 ** 20;
/** An ignored folder within both is copied: cheaper than a mount for each attempt, and out of reach of the scorer's writes. */
const LIGHT: Budget = { files: 1000, bytes: LARGE_BYTES };
/** Beyond this the folder is hardly a project: someone's home, perhaps. */
const MAX_FILES = 200_000;

interface Budget {
  files: number;
  bytes: number;
}

interface Draft {
  readonly files: Set<string>;
  readonly folders: Set<string>;
  readonly large: Set<string>;
  readonly modules: Set<string>;
  readonly live: Set<string>;
  readonly repos: Set<string>;
  readonly unnamed: Set<string>;
}

/** Where the walk is and what it must not miss. */
interface Walk {
  readonly top: string;
  readonly target: string;
  readonly signal: AbortSignal;
}

/**
 * Lists a workspace. `top` is a real path; `target` is relative to it and always among the files, unless it lies in
 * node_modules. Reads only.
 */
export async function listFiles(top: string, target: string, signal: AbortSignal): Promise<Listing> {
  const walk: Walk = { top, target, signal };
  const draft = newDraft();
  if (await exists(join(top, '.git'))) await visitRepo(walk, '', draft);
  else await visitPlain(walk, '', { files: MAX_FILES, bytes: Infinity }, draft, true);
  if (draft.files.size >= MAX_FILES) {
    throw new HumanError('bad-target', `${top} holds more than ${MAX_FILES} files: open the folder of the project itself, or run git init there and ignore what is not code.`);
  }
  if (!isUnder(draft.modules, target)) draft.files.add(target);
  for (const point of await mountsBelow(top)) await visitMount(walk, point, draft);
  return finish(draft);
}

function newDraft(): Draft {
  return { files: new Set(), folders: new Set(), large: new Set(), modules: new Set(), live: new Set(), repos: new Set(), unnamed: new Set() };
}

function finish(draft: Draft): Listing {
  // What lies below a folder that is seen live, or below a file or link (a folder that git still remembers), isn't copied.
  const files = [...draft.files].filter((path) => !parentsOf(path).some((at) => draft.files.has(at) || draft.live.has(at) || draft.modules.has(at)));
  return {
    files: files.sort(),
    folders: [...draft.folders].sort(),
    large: [...draft.large].sort(),
    modules: [...draft.modules].sort(),
    live: [...draft.live].sort(),
    repos: [...draft.repos].sort(),
    unnamed: [...draft.unnamed].sort(),
  };
}

async function visitRepo(walk: Walk, repo: string, draft: Draft): Promise<void> {
  walk.signal.throwIfAborted();
  const found = await report(join(walk.top, repo));
  if (found === undefined) return visitPlain(walk, repo, { files: MAX_FILES, bytes: Infinity }, draft, true);
  draft.repos.add(repo);
  const inTop = (path: string): string => (repo === '' ? path : `${repo}/${path}`);
  const addFile = async (path: string): Promise<void> => {
    if (isUnnameable(path) && (await statOf(join(walk.top, path))) === undefined) draft.unnamed.add(path);
    else draft.files.add(path);
  };
  for (const path of found.tracked) if (!parts(path).some(isNeverSeen)) await addFile(inTop(path));
  for (const path of found.untracked) if (!parts(path).some((part) => isNeverSeen(part) || isCache(part))) await addFile(inTop(path));
  for (const path of found.repos) {
    if (await exists(join(walk.top, inTop(path), '.git'))) await visitRepo(walk, inTop(path), draft);
    else draft.folders.add(inTop(path));
  }
  for (const path of found.ignored) {
    if (parts(path).slice(0, -1).some(isNeverSeen)) continue;
    await visitEntry(walk, inTop(path), { files: LIGHT.files, bytes: LIGHT.bytes }, draft, (name) => isOutput(name));
  }
}

/** One ignored entry, or one entry of a folder that no git knows. */
async function visitEntry(walk: Walk, path: string, budget: Budget, draft: Draft, isLeftOut: (name: string) => boolean): Promise<void> {
  const stats = await statOf(join(walk.top, path));
  const name = baseName(path);
  if (stats === undefined && isUnnameable(path) && !isNeverSeen(name) && !isCache(name) && !isLeftOut(name)) draft.unnamed.add(path);
  if (stats === undefined) return;
  if (stats.isDirectory()) {
    if (await isEnvironment(join(walk.top, path))) draft.live.add(path);
    else if (!isNeverSeen(name) && !isCache(name) && !isLeftOut(name)) await visitFolder(walk, path, budget, draft);
  } else if (!isNeverSeen(name) && !isCache(name) && !isLeftOut(name)) {
    visitFile(path, stats, budget, draft);
  }
}

function visitFile(path: string, stats: Stats, budget: Budget, draft: Draft): void {
  if (!stats.isFile() && !stats.isSymbolicLink()) return;
  if (stats.size > LARGE_BYTES) {
    draft.large.add(path);
    return;
  }
  budget.files -= 1;
  budget.bytes -= stats.size;
  draft.files.add(path);
}

/** An ignored folder: node_modules, light enough to copy, holding the target, or seen live. */
async function visitFolder(walk: Walk, path: string, budget: Budget, draft: Draft): Promise<void> {
  if (baseName(path) === 'node_modules') {
    draft.modules.add(path);
    return;
  }
  const holdsTarget = walk.target.startsWith(`${path}/`);
  const own = newDraft();
  const left = holdsTarget ? { files: MAX_FILES, bytes: Infinity } : { ...budget };
  await visitPlain(walk, path, left, own, false);
  if (left.files <= 0 || left.bytes <= 0) draft.live.add(path);
  else merge(draft, own);
}

/** A folder without git. `heavyByName`: nothing says what is ignored, so some names are taken for it. */
async function visitPlain(walk: Walk, folder: string, budget: Budget, draft: Draft, heavyByName: boolean): Promise<void> {
  walk.signal.throwIfAborted();
  const entries = await readdir(join(walk.top, folder), { withFileTypes: true }).catch(() => []);
  if (entries.length === 0 && folder !== '') draft.folders.add(folder);
  for (const entry of entries) {
    if (budget.files <= 0 || budget.bytes <= 0) return;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory() || isUnnameable(entry.name)) {
      await visitEntry(walk, path, budget, draft, () => false);
    } else if (isCache(entry.name) || (isNeverSeen(entry.name) && !entry.name.startsWith('.env'))) {
      continue;
    } else if (entry.name === 'node_modules') {
      draft.modules.add(path);
    } else if (await isEnvironment(join(walk.top, path))) {
      draft.live.add(path);
    } else if (entry.name.startsWith('.env')) {
      continue;
    } else if (await exists(join(walk.top, path, '.git'))) {
      await visitRepo(walk, path, draft);
    } else if (heavyByName && isHeavy(entry.name)) {
      await visitFolder(walk, path, { files: LIGHT.files, bytes: LIGHT.bytes }, draft);
    } else {
      await visitPlain(walk, path, budget, draft, heavyByName);
    }
  }
}

/** Another file system below the top can't be seen through a copy or a layer of its parent. */
async function visitMount(walk: Walk, path: string, draft: Draft): Promise<void> {
  if (parts(path).some((part) => isNeverSeen(part) || isCache(part)) || isOutput(baseName(path))) return;
  const stats = await statOf(join(walk.top, path));
  if (stats?.isDirectory() === true && !draft.modules.has(path) && !walk.target.startsWith(`${path}/`)) draft.live.add(path);
}

function merge(into: Draft, from: Draft): void {
  for (const key of ['files', 'folders', 'large', 'modules', 'live', 'repos', 'unnamed'] as const) for (const path of from[key]) into[key].add(path);
}

/** A Python or conda environment: never copied, because its scripts and links name absolute paths. */
async function isEnvironment(folder: string): Promise<boolean> {
  return (await exists(join(folder, 'pyvenv.cfg'))) || (await exists(join(folder, 'conda-meta')));
}

function isUnder(folders: ReadonlySet<string>, path: string): boolean {
  return parentsOf(path).some((parent) => folders.has(parent));
}

function parts(path: string): string[] {
  return path.split('/');
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
