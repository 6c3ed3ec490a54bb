import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a control group can limit for us. */
export type Controller = 'memory' | 'pids';

/** A folder in which a group of our own can be made, if the system lets us. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  readonly folder: string;
  readonly controllers: readonly Controller[];
  /** Version 2: groups that a process of ours leaves when it moves there, with limits that were meant for it. */
  readonly left: readonly string[];
}

/**
 * Where a control group below the engine's own can be. Version 1: in its own group, one tree for each controller. Version 2: a
 * group that holds processes has no groups with controllers below it, so it is the nearest one above that hands them on.
 * `proc` is where the system tells of the engine: /proc/self, but in tests.
 */
export function cgroupPlaces(wanted: readonly Controller[], proc = '/proc/self'): readonly CgroupPlace[] {
  let mounts: readonly Mount[];
  let own: ReadonlyMap<string, string>;
  try {
    mounts = readMounts(readFileSync(join(proc, 'mountinfo'), 'utf8'));
    own = readOwn(readFileSync(join(proc, 'cgroup'), 'utf8'));
  } catch {
    return [];
  }
  const first = mounts.flatMap((mount) => {
    if (mount.type !== 'cgroup') return [];
    const controllers = wanted.filter((each) => mount.options.includes(each));
    const folder = controllers[0] === undefined ? undefined : below(mount, own.get(controllers[0]));
    return folder === undefined ? [] : [{ version: 1, folder, controllers, left: [] } as const];
  });
  const rest = wanted.filter((each) => !first.some(({ controllers }) => controllers.includes(each)));
  const unified = mounts.find(({ type }) => type === 'cgroup2');
  const second = rest.length === 0 || unified === undefined ? undefined : nearest(unified, below(unified, own.get('')), rest);
  return [...first, ...(second === undefined ? [] : [second])];
}

function nearest(mount: Mount, own: string | undefined, wanted: readonly Controller[]): CgroupPlace | undefined {
  const left: string[] = [];
  for (let folder = own; folder !== undefined; folder = folder === mount.point ? undefined : dirname(folder)) {
    const handedOn = words(folder, 'cgroup.subtree_control');
    const controllers = wanted.filter((each) => handedOn.includes(each));
    if (controllers.length > 0) return { version: 2, folder, controllers, left };
    left.push(folder);
  }
  return undefined;
}

function words(folder: string, file: string): readonly string[] {
  try {
    return readFileSync(join(folder, file), 'utf8').trim().split(/\s+/);
  } catch {
    return [];
  }
}

interface Mount {
  /** The group that is seen at `point`. */
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** Of /proc/PID/mountinfo (proc(5)) the control groups. */
function readMounts(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = before.split(' ');
    const [type = '', , options = ''] = after.split(' ');
    return type.startsWith('cgroup') ? [{ root: plain(root), point: plain(point), type, options: options.split(',') }] : [];
  });
}

/** Spaces in paths are written as octal numbers there. */
const plain = (path: string): string => path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));

/** The engine's own groups, by controller; version 2 stands under ''. */
function readOwn(text: string): ReadonlyMap<string, string> {
  return new Map(text.split('\n').flatMap((line) => {
    const [, controllers, ...path] = line.split(':');
    return controllers === undefined ? [] : controllers.split(',').map((each) => [each, path.join(':')] as const);
  }));
}

/** A container may see its own group as the top. */
function below({ root, point }: Mount, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const inside = relative(root, path);
  const folder = inside.startsWith('..') ? point : join(point, inside);
  return existsSync(folder) ? folder : undefined;
}
