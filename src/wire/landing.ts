import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { HumanReason } from '../errors.ts';
import { isWithin } from './root.ts';

/** Folders in which a file is a tool's own, or runs by lying there: a hook. No text of a run is written below them. */
const TOOLS = new Set(['.git', '.hg', '.svn', '.jj', '.ratchet']);

/** Where a run's text may be written, or in one sentence why nowhere. */
export type Landing =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: HumanReason; readonly why: string };

/**
 * The real path of a run's target (`target` is relative to the absolute `root`). A ledger may have come with the
 * project, so what it names is looked at anew, links followed: it must be a plain file inside the root, and no tool's.
 */
export async function landingOf(root: string, target: string): Promise<Landing> {
  const path = await realpath(join(root, target)).catch(() => undefined);
  if (path === undefined) return { ok: false, reason: 'bad-target', why: `${target} is gone. Bring it back and accept again.` };
  const top = await realpath(root);
  if (!isWithin(top, path)) return { ok: false, reason: 'untrusted', why: `${target} lies outside of ${root}, so nothing was written.` };
  const tool = toolFolderOf(relative(top, path));
  if (tool !== undefined) return { ok: false, reason: 'untrusted', why: `${target} lies in a ${tool} folder, so nothing was written.` };
  if (!(await stat(path)).isFile()) return { ok: false, reason: 'bad-target', why: `${target} is no longer a plain file, so nothing was written.` };
  return { ok: true, path };
}

/** The part of a path that is a tool's folder; undefined where there is none. */
export function toolFolderOf(path: string): string | undefined {
  return path.split(sep).find((name) => TOOLS.has(name.toLowerCase()));
}
