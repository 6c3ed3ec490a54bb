import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCache } from './names.ts';

/**
 * The files of a node_modules (relative to `top`) that holds nothing but links and scripts, as pnpm makes one for each
 * package; undefined when it holds more. In a workspace of fifty packages copying them saves fifty mounts an attempt.
 */
export async function thinModules(top: string, folder: string): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  for (const entry of await readdir(join(top, folder), { withFileTypes: true }).catch(() => [])) {
    const path = `${folder}/${entry.name}`;
    if (isCache(entry.name)) continue;
    if (entry.isSymbolicLink()) {
      found.push(path);
    } else if (entry.isDirectory() && (entry.name === '.bin' || entry.name.startsWith('@'))) {
      const inner = await readdir(join(top, path), { withFileTypes: true }).catch(() => []);
      if (inner.some((each) => !each.isSymbolicLink() && !(entry.name === '.bin' && each.isFile()))) return undefined;
      found.push(...inner.map((each) => `${path}/${each.name}`));
    } else {
      return undefined;
    }
  }
  return found;
}
