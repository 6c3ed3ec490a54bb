import { constants, existsSync } from 'node:fs';
import { chmod, chown, copyFile, cp, mkdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Command } from '../command.ts';
import type { Confined } from '../confine/bubblewrap.ts';
import type { Mount } from '../confine/mount.ts';
import { PrivateFolders } from '../confine/private.ts';
import { ownIds } from './own-ids.ts';
import { carrying, topmost } from './carried.ts';
import { afterEntering, enterConfined } from './enter.ts';
import { HumanError } from '../../errors.ts';
import { LinksOut } from './links-out.ts';
import { linkFolder, linkInCopy, shareFile } from './links.ts';
import type { Mapping } from './links.ts';
import { differences, isClosed, markOf, readManifest } from './manifest.ts';
import type { Manifest, Mark } from './manifest.ts';
import { findReaching, rebuildModules } from './modules.ts';
import { isStandIn, namesOneOf, parentsOf } from './names.ts';
import { isWithin } from '../../wire/root.ts';
import type { Slot } from './slot.ts';
import { copyTree, isRoot, likeFolder } from './snapshot.ts';
import { historyOf, standInGit } from './stand-in.ts';
import { inTop, shownBy } from './subject.ts';
import type { Subject } from './subject.ts';
import { emptyFolder, removeTree } from './tidy.ts';
import { unseenOf } from './unseen.ts';
import { readBelow } from './written.ts';

/**
 * A copy of the workspace in another folder. A second copy, which no scorer runs in, is what `place` restores from.
 * Limits: absolute paths that lead home (an editable install's) measure the person's file, so the canary must be
 * asked; and a scorer that writes through the links into ignored folders writes into the person's.
 */
export async function createCopy(subject: Subject, how: string, slotDir: string, signal: AbortSignal): Promise<Slot> {
  const pristine = join(slotDir, 's');
  const copy = join(slotDir, 'c', basename(subject.top) || 'workspace');
  const bytecode = join(slotDir, 'pycache');
  const mapping = { top: subject.top, copy };
  await mkdir(pristine, { recursive: true, mode: 0o700 });
  await mkdir(copy, { recursive: true });
  const nothing = join(slotDir, 'e');
  await mkdir(nothing);
  const linked = new LinksOut(subject.top, nothing);
  const objects: string[] = [];
  const unreadable = await fill(subject, mapping, pristine, linked, objects, signal);
  const own = await ownNames(subject, copy);
  const start = new Map(await readManifest(copy));
  const heldOut = join(slotDir, 'h');
  await copyTree({ from: subject.top, into: heldOut, files: subject.heldOut.files, folders: subject.heldOut.folders, relink: (path, to) => linkInCopy(mapping, path, to) }, signal);
  // The folder is `s`: a disk that finds it as `S` ignores case.
  const isOwn = namesOneOf(own, existsSync(join(slotDir, 'S')));
  const beside = (path: string): boolean => !isOwn(path);
  const folders = await PrivateFolders.make(slotDir);
  let isConfined = false;
  const elsewhere = subject.privately.map((path, index) => ({ path, copied: join(slotDir, `p${index}`) }));
  // What the copy leads to is seen where it lies, and nothing else of the person's tree.
  const ledTo = [...subject.listing.live, ...subject.listing.modules, ...subject.listing.large].map((path) => join(subject.top, path)).concat(objects);
  const ownMounts = (confined: Confined): readonly Mount[] => [
    ...folders.mounts(confined), ...[...ledTo, ...subject.caches].map((path): Mount => ({ kind: 'read', path })), ...linked.shown(confined), { kind: 'write', path: copy },
    ...elsewhere.map(({ path, copied }): Mount => ({ kind: 'write', path, from: copied })),
  ];
  const kept = new Set<string>();
  /** Of what the snapshot had: it was something else before. */
  const overwritten = new Set<string>();
  let hasKept = false;
  let keeps = false;
  const carried = carrying(subject.carried, own, (path) => start.has(path));
  const inside = (path: string): string => {
    const name = inTop(subject, path);
    return name === undefined ? path : join(copy, name);
  };

  return {
    kind: 'copy',
    how,
    ...unseenOf(subject.unseen, unreadable),
    target: join(copy, subject.target),
    shown: shownBy(subject, [{ folder: pristine, files: subject.listing.files }, { folder: heldOut, files: subject.heldOut.files }], [...subject.listing.live, ...subject.listing.modules, ...subject.heldOut.live]),
    links: (confined) => linked.told(confined),
    inside,
    place: async (text, withHeldOut = false) => {
      await emptyFolder(bytecode);
      await folders.empty();
      for (const { path, copied } of elsewhere) {
        await removeTree(copied);
        await cp(path, copied, { recursive: true, mode: constants.COPYFILE_FICLONE, preserveTimestamps: true, verbatimSymlinks: true });
      }
      const now = await readManifest(copy);
      // The target itself is written anew in any case.
      const changed = differences(start, now).filter(beside);
      // A folder that got other permissions keeps what it holds: only those are set back.
      const stays = (path: string): boolean => now.get(path)?.kind === 'folder' && start.get(path)?.kind === 'folder';
      for (const path of changed) if (!stays(path)) await removeTree(join(copy, path));
      for (const path of changed) await restore({ top: subject.top, copy }, pristine, path, start);
      for (const name of own) await placeOne(subject, join(copy, name), text);
      if (withHeldOut) await showHeldOut(subject, mapping, heldOut);
    },
    enter: (command: Command, confined?: Confined) => {
      isConfined = confined !== undefined;
      // Python's caches beside a linked environment's modules would be the person's.
      if (confined === undefined) return { ...command, env: { PYTHONPYCACHEPREFIX: bytecode, ...command.env } };
      return enterConfined({ confined, own: ownMounts(confined), filter: folders.filter }, ownIds(), command);
    },
    ownStderr: (stderr) => (isConfined ? afterEntering(stderr) : stderr),
    changed: async () => {
      const now = await readManifest(copy);
      const isFolder = (path: string): boolean => (now.get(path) ?? start.get(path))?.kind === 'folder';
      return differences(start, now).filter((path) => beside(path) && !isFolder(path));
    },
    showed: (path) => start.has(path) && !isStandIn(path) && !kept.has(path),
    written: async (path) => {
      if (!isWithin(copy, path)) return readBelow(dirname(path), path);
      const now = markOf(path);
      const before = start.get(relative(copy, path).split(sep).join('/'));
      return now?.mark === before?.mark ? undefined : readBelow(copy, path);
    },
    keepCaches: async () => {
      if (hasKept) return [];
      hasKept = true;
      const now = await readManifest(copy);
      const changed = differences(start, now).filter((path) => beside(path) && [path, ...parentsOf(path)].some(carried.has));
      // With the folders that were made for them.
      const written = [...new Set([...changed.flatMap(parentsOf).filter((path) => !start.has(path)), ...changed])].sort();
      const there = written.filter((path) => now.has(path));
      const isFolder = (path: string): boolean => now.get(path)?.kind === 'folder';
      await removeAll(pristine, written.filter((path) => !isFolder(path)));
      await copyTree({ from: copy, into: pristine, files: there.filter((path) => !isFolder(path)), folders: there.filter(isFolder) }, TO_ITS_END);
      for (const path of written) {
        const mark = now.get(path);
        // What the snapshot had keeps being watched.
        (start.has(path) ? overwritten : kept).add(path);
        if (mark === undefined) start.delete(path);
        else start.set(path, mark);
      }
      const files = there.filter((path) => !isFolder(path));
      const elsewhereKept = await folders.keepCaches();
      keeps = files.length > 0 || elsewhereKept.length > 0;
      return [...topmost(files, carried), ...elsewhereKept];
    },
    dropCaches: async () => {
      hasKept = false;
      if (!keeps) return false;
      keeps = false;
      for (const path of kept) start.delete(path);
      await removeAll(pristine, [...kept, ...overwritten]);
      // As the person has it now: the snapshot's own is gone.
      await copyTree({ from: subject.top, into: pristine, files: [...overwritten], folders: [], relink: (path, to) => linkInCopy(mapping, path, to) }, TO_ITS_END);
      for (const path of overwritten) start.set(path, { kind: 'file', mark: '' });
      kept.clear();
      overwritten.clear();
      await folders.dropCaches();
      return true;
    },
    // What was measured stands; what can't be removed now is swept by a later engine.
    dispose: () => removeTree(slotDir).catch(() => undefined),
  };
}

async function removeAll(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeTree(join(folder, path));
}

async function fill(subject: Subject, mapping: Mapping, pristine: string, linked: LinksOut, objects: string[], signal: AbortSignal): Promise<readonly string[]> {
  const { top, listing } = subject;
  const { copy } = mapping;
  const relink = (path: string, to: string): string => linkInCopy(mapping, path, linked.see(path, to));
  const chosen = { files: listing.files, folders: [...listing.folders, ...listing.repos.filter((repo) => repo !== '')] };
  const unreadable = await copyTree({ from: top, into: pristine, ...chosen, relink }, signal);
  for (const repo of listing.repos) objects.push(...await standInGit(join(top, repo), join(pristine, repo), signal, historyOf(subject, (folder) => folder)));
  const made = [...await readManifest(pristine)];
  const isFolder = (mark: Mark): boolean => mark.kind === 'folder' || isClosed(mark);
  const files = made.filter(([, mark]) => !isFolder(mark)).map(([path]) => path);
  const folders = made.filter(([, mark]) => isFolder(mark)).map(([path]) => path);
  await copyTree({ from: pristine, into: copy, files, folders }, signal);
  for (const path of listing.large) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await shareFile(join(top, path), join(copy, path));
  }
  const reaching = await findReaching(top, listing.modules, subject.names);
  for (const folder of listing.modules) linked.seePackages(folder);
  linked.seeEnvironments(listing);
  for (const folder of listing.modules) await rebuildModules(mapping, folder, reaching, signal);
  for (const folder of listing.live) await addLive(mapping, folder, listing.live);
  likeFolder(top, copy);
  return unreadable;
}

/** Adds what is held out. As nothing of it is part of the start, the next `place` removes it. */
async function showHeldOut({ top, heldOut: { files, folders, large, live } }: Subject, mapping: Mapping, from: string): Promise<void> {
  await copyTree({ from, into: mapping.copy, files, folders }, TO_ITS_END);
  for (const path of large) {
    await mkdir(dirname(join(mapping.copy, path)), { recursive: true });
    await shareFile(join(top, path), join(mapping.copy, path));
  }
  for (const folder of live) await addLive(mapping, folder, live);
}

/** One link, unless a folder above it is one already. */
async function addLive({ top, copy }: Mapping, folder: string, live: readonly string[]): Promise<void> {
  if (parentsOf(folder).some((parent) => live.includes(parent) || parent.split('/').includes('node_modules'))) return;
  await mkdir(dirname(join(copy, folder)), { recursive: true });
  await linkFolder(join(top, folder), join(copy, folder));
}

/** The target's names that are the copy's own: nothing may ever be written through a link into the person's tree. */
async function ownNames({ top, names, target }: Subject, copy: string): Promise<readonly string[]> {
  const realCopy = await realpath(copy);
  const own: string[] = [];
  for (const name of names) {
    const folder = await realpath(join(copy, dirname(name))).catch(() => undefined);
    if (folder !== undefined && isWithin(realCopy, folder)) own.push(name);
  }
  if (!own.includes(target)) throw new HumanError('bad-target', `${join(top, target)} lies in a folder that a copy only links to: choose a file outside it.`);
  return own;
}

/** One file is put back whole: a time limit would only tell how long the machine slept. */
const TO_ITS_END = new AbortController().signal;

/** Puts one entry back as it was at the start, and notes its new mark. */
async function restore({ top, copy }: Mapping, pristine: string, path: string, start: Map<string, Mark>): Promise<void> {
  const mark: Mark | undefined = (start as Manifest).get(path);
  if (mark === undefined) return;
  const to = join(copy, path);
  await mkdir(dirname(to), { recursive: true });
  if (mark.kind === 'folder') {
    await mkdir(to, { recursive: true });
    await chmod(to, Number(mark.mark) & 0o7777);
  } else if (isClosed(mark)) {
    await mkdir(to);
    likeFolder(join(pristine, path), to);
    // Its mark stays: it says no more than that.
    return;
  } else if (mark.kind === 'link') {
    await symlink(mark.mark, to);
  } else if (markOf(join(pristine, path)) !== undefined) {
    await copyTree({ from: pristine, into: copy, files: [path], folders: [] }, TO_ITS_END);
  } else {
    await copyFile(join(top, path), to, constants.COPYFILE_FICLONE);
  }
  const now = markOf(to);
  if (now !== undefined) start.set(path, now);
}

async function placeOne({ stats }: Subject, file: string, text: string): Promise<void> {
  const folder = dirname(file);
  // The person's folder may be read-only, and the copy looks like it.
  const { mode } = await stat(folder);
  if ((mode & 0o200) === 0) await chmod(folder, (mode | 0o200) & 0o7777);
  await removeTree(file);
  await writeFile(file, text);
  if (isRoot()) await chown(file, stats.uid, stats.gid);
  await chmod(file, stats.mode & 0o7777);
  if ((mode & 0o200) === 0) await chmod(folder, mode & 0o7777);
}
