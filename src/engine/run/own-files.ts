import { posix, relative } from 'node:path';
import type { Workspace } from '../scratch/slot.ts';
import { slashes } from '../start/scorer-choice.ts';
import { allWatchedFiles } from './watched.ts';

/**
 * Says that a command wrote over a script by which candidates are judged, on the unchanged file; undefined where it didn't.
 * `altered` is relative to the workspace's top; `name` is that of a command besides the scorer.
 */
export function ownFilesSentence(
  altered: readonly string[], name: string | undefined, plan: Parameters<typeof allWatchedFiles>[0], { root, top }: Pick<Workspace, 'root' | 'top'>, projectModules: ReadonlySet<string>,
): string | undefined {
  const own = allWatchedFiles(plan, { root, projectModules }).filter((file) => altered.includes(posix.join(slashes(relative(top, root)), file)));
  if (own.length === 0) return undefined;
  return `${name ?? 'The scorer'} writes over ${own.join(', ')} on the unchanged file already, which a command of this run names: a candidate that changes how it is judged can't be told from it. Let it write to other files.`;
}
