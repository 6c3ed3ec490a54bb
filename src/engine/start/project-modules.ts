import { readdir } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';

/** Names under which a Python target could import other files of its project: modules and packages beside it. */
export async function projectModulesOf(target: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(dirname(target), { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => {
    if (entry.isDirectory()) return [entry.name];
    return extname(entry.name) === '.py' && entry.name !== basename(target) ? [basename(entry.name, '.py')] : [];
  });
  return new Set(names);
}
