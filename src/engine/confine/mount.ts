/** One entry of what a confined process sees, at its absolute `path`; `from`: where it really lies, if elsewhere. */
export interface Mount {
  readonly kind: 'read' | 'write' | 'device';
  readonly path: string;
  readonly from?: string;
}

/** A link of the system's own layout: /bin is usr/bin on most. */
export interface Link {
  readonly kind: 'link';
  readonly path: string;
  readonly to: string;
}

/** Parents come before what lies in them, and of two entries for one path the later counts. */
export function inOrder(mounts: readonly (Mount | Link)[]): readonly (Mount | Link)[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
