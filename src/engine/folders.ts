import * as ours from 'node:path';
import type { posix } from 'node:path';

/** `from` and the folders above it, nearest first, up to and with `to`; `to` alone where `from` isn't below it. */
export function foldersUp(from: string, to: string, paths: typeof posix = ours): readonly string[] {
  const way = paths.relative(to, from);
  if (way === '' || way.split(paths.sep)[0] === '..' || paths.isAbsolute(way)) return [to];
  const steps = way.split(paths.sep);
  return steps.map((_, index) => paths.join(to, ...steps.slice(0, steps.length - index))).concat(to);
}
