import { existsSync } from 'node:fs';
import { chmod, chown, link, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Command } from '../command.ts';
import type { Confined } from '../confine/bubblewrap.ts';
import type { Mount } from '../confine/mount.ts';
import { PrivateFolders } from '../confine/private.ts';
import { afterEntering, enterSlot } from './enter.ts';
import type { Reach } from './enter.ts';
import { escapeMount } from './mounts.ts';
import { carrying, findCarried, holdsFiles, moveCarried } from './carried.ts';
import { isInCache, isStandIn, parentsOf } from './names.ts';
import { LinksOut } from './links-out.ts';
import type { Slot } from './slot.ts';
import { copyTree, isRoot, likeFolder } from './snapshot.ts';
import { historyOf, standInGit } from './stand-in.ts';
import { inTop, shownBy } from './subject.ts';
import type { Subject } from './subject.ts';
import { thinModules } from './thin.ts';
import { emptyFolder, isCode, removeTree } from './tidy.ts';
import { unseenOf } from './unseen.ts';
import { readBelow } from './written.ts';
import { isWithin } from '../../wire/root.ts';

/** At most this many names from folders that are seen live: tools fill caches in node_modules by the thousand. */
const MAX_LIVE_CHANGES = 100;

/** One overlay: below `path` of the workspace, what is written goes to `upper` (absolute). */
interface Layer {
  /** Relative to the top; '' is the snapshot's. Of a layer elsewhere absolute. */
  readonly path: string;
  readonly upper: string;
  readonly work: string;
  /** What is carried from the start file's run: a lower layer over the others. */
  readonly kept: string;
}

/** The tables of mounts: what every run is shown, and what is held out with it. */
const SHOWN = 'mounts';
const WHOLE = 'mounts-whole';

/**
 * An overlay over the workspace at its own path, in namespaces made for each command. Folders that are seen live have
 * an overlay of their own on top. Limits of overlays: renaming a folder of a lower layer fails with EXDEV, changing a
 * file of a foreign owner with EOVERFLOW.
 */
export async function createOverlay(subject: Subject, reach: Reach, how: string, slotDir: string, signal: AbortSignal): Promise<Slot> {
  const { top, listing, heldOut, target } = subject;
  const snapshot = join(slotDir, 's');
  const files = [...listing.files];
  const live = [...listing.live];
  for (const folder of listing.modules) {
    const thin = await thinModules(top, folder);
    if (thin === undefined) live.push(folder);
    else files.push(...thin);
  }
  live.sort();
  await mkdir(join(slotDir, 'o'), { recursive: true, mode: 0o700 });
  await mkdir(snapshot);
  const nothing = join(slotDir, 'e');
  await mkdir(nothing);
  const linked = new LinksOut(top, nothing);
  const unreadable = await copyTree({ from: top, into: snapshot, files, folders: [...listing.folders, ...listing.modules, ...live], relink: (path, to) => linked.see(path, to) }, signal);
  for (const folder of listing.modules) linked.seePackages(folder);
  linked.seeEnvironments(listing);
  for (const path of listing.large) await seeLarge(top, snapshot, path, signal);
  /** Folders of objects as they lie, and what shows each of them, read-only. */
  const objects = new Map<string, string>();
  const history = historyOf(subject, (folder) => {
    const seenAt = objects.get(folder) ?? join(slotDir, `q${objects.size}`);
    objects.set(folder, seenAt);
    return seenAt;
  });
  for (const repo of listing.repos) await standInGit(join(top, repo), join(snapshot, repo), signal, history);
  likeFolder(top, snapshot);
  const beneath = join(slotDir, 'h');
  await mkdir(beneath);
  await copyTree({ from: top, into: beneath, files: heldOut.files, folders: [...heldOut.folders, ...heldOut.live] }, signal);
  for (const path of heldOut.large) await seeLarge(top, beneath, path, signal);
  likeFolder(top, beneath);
  const elsewhere = await makeElsewhere([...subject.privately, ...subject.caches], slotDir);
  const layers = await makeLayers(subject, slotDir, { live, elsewhere, objects: [...objects.keys()] }, reach);
  const folders = await PrivateFolders.make(slotDir);
  // Parents of all else: the workspace may lie in the home folder, and that in /tmp.
  const ownMounts = (confined: Confined): readonly Mount[] => [
    ...folders.mounts(confined), ...linked.shown(confined), ...[...objects.values()].map((path): Mount => ({ kind: 'read', path })), ...[top, ...elsewhere.map(({ path }) => path)].map((path): Mount => ({ kind: 'write', path })),
  ];
  let table = SHOWN;
  let hasKept = false;
  let keeps = false;
  const carried = carrying(subject.carried, subject.names, (path) => existsSync(join(snapshot, path)) || live.some((folder) => path.startsWith(`${folder}/`)));
  const targetPath = join(top, target);

  return {
    kind: 'overlay',
    how,
    ...unseenOf(subject.unseen, unreadable),
    target: targetPath,
    shown: shownBy(subject, [{ folder: snapshot, files }, { folder: beneath, files: heldOut.files }], [...live, ...heldOut.live]),
    links: (confined) => linked.told(confined),
    inside: (path) => path,
    place: async (text, withHeldOut = false) => {
      table = withHeldOut ? WHOLE : SHOWN;
      await folders.empty();
      for (const layer of [...layers, ...elsewhere]) {
        await emptyFolder(layer.upper);
        await emptyFolder(layer.work);
      }
      for (const name of subject.names) await placeOne(subject, layerOf(layers, name), name, text);
      // Last: the person's folders may be read-only.
      for (const name of subject.names) likeParents(top, layerOf(layers, name), name);
      for (const layer of layers) likeFolder(join(top, layer.path), layer.upper);
      for (const layer of elsewhere) likeFolder(layer.path, layer.upper);
    },
    enter: (command: Command, confined?: Confined) => enterSlot(reach, slotDir, process.pid, command, table, confined === undefined ? undefined : { confined, own: ownMounts(confined), filter: folders.filter }),
    ownStderr: afterEntering,
    changed: async () => {
      const beside = (path: string): boolean => !subject.names.includes(path);
      const found: string[] = [];
      const foundLive: string[] = [];
      for (const layer of layers) {
        if (layer.path === '') await listWritten(layer.upper, '', Infinity, found);
        else await listWritten(layer.upper, layer.path, MAX_LIVE_CHANGES, foundLive);
      }
      return [...found, ...foundLive].filter(beside).sort();
    },
    showed: (path) => {
      if (isStandIn(path)) return false;
      const layer = layerOf(layers, path);
      // A folder that is seen live holds its caches too; the snapshot has none but those that git tracks.
      if (layer.path !== '' && isInCache(path)) return false;
      return existsSync(layer.path === '' ? join(snapshot, path) : join(top, path));
    },
    written: async (path) => {
      const name = inTop(subject, path);
      if (name === undefined) return readBelow(dirname(path), path);
      const layer = layerOf(layers, name);
      return readBelow(layer.upper, join(layer.upper, inLayer(layer, name)));
    },
    keepCaches: async () => {
      if (hasKept) return [];
      hasKept = true;
      const names: string[] = [];
      for (const layer of layers) {
        // A deleted file of the person's is a device there, and is carried as deleted.
        const found = findCarried(layer.upper, layer.path, carried).filter((path) => holdsFiles(join(layer.upper, path)));
        await moveCarried(layer.upper, layer.kept, found);
        names.push(...found.map((path) => (layer.path === '' ? path : `${layer.path}/${path}`)));
      }
      for (const layer of elsewhere.filter(({ path }) => subject.caches.includes(path))) {
        const found = findCarried(layer.upper, '', { has: () => true }).filter((path) => holdsFiles(join(layer.upper, path)));
        await moveCarried(layer.upper, layer.kept, found);
        if (found.length > 0) names.push(layer.path);
      }
      names.push(...await folders.keepCaches());
      keeps = names.length > 0;
      return names;
    },
    dropCaches: async () => {
      hasKept = false;
      if (!keeps) return false;
      keeps = false;
      for (const layer of [...layers, ...elsewhere]) await emptyFolder(layer.kept);
      await folders.dropCaches();
      return true;
    },
    // What was measured stands; what can't be removed now is swept by a later engine.
    dispose: () => removeTree(slotDir).catch(() => undefined),
  };
}

/**
 * Makes the folders of each layer and the tables of mounts, all relative to the slot: names can hold any sign. What is held
 * out lies in a lower layer, and in live folders, of its own: without them it is absent.
 */
async function makeLayers(subject: Subject, slotDir: string, { live, elsewhere, objects }: { readonly live: readonly string[]; readonly elsewhere: readonly Layer[]; readonly objects: readonly string[] }, reach: Reach): Promise<readonly Layer[]> {
  const { top, heldOut } = subject;
  const shown = [
    ...elsewhere.map(({ path }, index) => `ratchetp${index} ${escapeMount(path)} overlay lowerdir=pk${index}:p${index},upperdir=pu${index},workdir=wp${index},userxattr,volatile 0 0`),
    `${escapeMount(top)} ${escapeMount(join(slotDir, 'o'))} none rbind 0 0`,
    // Without an upper layer nothing can be written: git renews the times even of objects that are borrowed. One lower layer alone is refused.
    ...objects.map((_, index) => `ratchetq${index} ${escapeMount(join(slotDir, `q${index}`))} overlay lowerdir=g${index}:e,userxattr 0 0`),
  ];
  for (const [index, folder] of objects.entries()) {
    await mkdir(join(slotDir, `q${index}`));
    await symlink(isWithin(top, folder) ? join('o', relative(top, folder)) : folder, join(slotDir, `g${index}`));
  }
  const layers: Layer[] = [];
  const whole = [...shown];
  for (const [index, path] of ['', ...live, ...heldOut.live].entries()) {
    const layer = await makeLayer(slotDir, path, '', index);
    // The workspace's own folders are reached through `o`, where they stay visible once the first overlay covers them.
    if (index > 0) await symlink(join('o', path), join(slotDir, `l${index}`));
    // volatile: without it the kernel syncs the whole disk each time a slot is left.
    const line = (lower: string): string => `ratchet${index} ${escapeMount(join(top, path))} overlay lowerdir=k${index}:${lower},upperdir=u${index},workdir=w${index},userxattr,volatile 0 0`;
    if (index <= live.length) shown.push(line(index === 0 ? 's' : `l${index}`));
    whole.push(line(index === 0 ? 's:h' : `l${index}`));
    layers.push(layer);
  }
  // A source of its own: mount skips what it takes for mounted already.
  const proc = reach.proc ? ['ratchet-proc /proc proc defaults 0 0'] : [];
  for (const [name, lines] of [[SHOWN, shown], [WHOLE, whole]] as const) await writeFile(join(slotDir, name), `${[...lines, ...proc].join('\n')}\n`);
  return layers;
}

async function makeLayer(slotDir: string, path: string, kind: '' | 'p', index: number): Promise<Layer> {
  const layer: Layer = { path, upper: join(slotDir, `${kind}u${index}`), work: join(slotDir, `w${kind}${index}`), kept: join(slotDir, `${kind}k${index}`) };
  for (const folder of [layer.upper, layer.work, layer.kept]) await mkdir(folder);
  return layer;
}

/** Layers over folders outside of the workspace; their `path` is absolute. */
async function makeElsewhere(folders: readonly string[], slotDir: string): Promise<readonly Layer[]> {
  const layers: Layer[] = [];
  for (const [index, path] of folders.entries()) {
    const layer = await makeLayer(slotDir, path, 'p', index);
    await symlink(path, join(slotDir, `p${index}`));
    layers.push(layer);
  }
  return layers;
}

/** A large ignored file is a hard link in the lower layer, which is never written; on another disk it is a copy. */
async function seeLarge(top: string, snapshot: string, path: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(join(snapshot, path)), { recursive: true });
  try {
    await link(join(top, path), join(snapshot, path));
  } catch (error) {
    if (!isCode(error, 'EXDEV', 'EPERM', 'EMLINK', 'EACCES')) throw error;
    await copyTree({ from: top, into: snapshot, files: [path], folders: [] }, signal);
  }
}

/** The layer that a path is written through: the deepest that holds it. */
function layerOf(layers: readonly Layer[], path: string): Layer {
  const holding = layers.filter((layer) => layer.path === '' || path.startsWith(`${layer.path}/`));
  return holding.reduce((deepest, layer) => (layer.path.length > deepest.path.length ? layer : deepest));
}

function inLayer(layer: Layer, path: string): string {
  return layer.path === '' ? path : path.slice(layer.path.length + 1);
}

async function placeOne({ stats }: Subject, layer: Layer, name: string, text: string): Promise<void> {
  const file = join(layer.upper, inLayer(layer, name));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  if (isRoot()) await chown(file, stats.uid, stats.gid);
  await chmod(file, stats.mode & 0o7777);
}

/** The parents in the upper layer look as they do below it: a merged folder shows the upper one's mode and owner. */
function likeParents(top: string, layer: Layer, name: string): void {
  for (const parent of parentsOf(inLayer(layer, name))) likeFolder(join(top, layer.path, parent), join(layer.upper, parent));
}

/**
 * Everything in an upper layer was written or, as a character device, deleted. A folder that was deleted and made anew
 * shows its new files alone; one that the scorer closed shows itself.
 */
async function listWritten(folder: string, path: string, most: number, found: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) found.push(path);
  for (const entry of entries ?? []) {
    if (found.length >= most) return;
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) await listWritten(join(folder, entry.name), inner, most, found);
    else found.push(inner);
  }
}
