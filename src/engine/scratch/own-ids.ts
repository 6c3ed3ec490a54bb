import type { Ids } from '../confine/bubblewrap.ts';
import { isRoot } from './snapshot.ts';

/** The ids of a process that is confined without a slot's layers: those of the person; root needs none. */
export function ownIds(): Ids | undefined {
  return isRoot() ? undefined : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
