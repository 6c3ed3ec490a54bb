import { inOrder, type Link, type Mount } from './mount.ts';

/** How far bubblewrap can go on this system. */
export interface Bubblewrap {
  /** The program, absolute. */
  readonly program: string;
  /** A shell of the system, absolute. */
  readonly sh: string;
  /** A /proc of its own processes; else the outer one is seen, read-only. */
  readonly proc: boolean;
  /** A network of its own, with nothing but its loopback; else all of the network is open. */
  readonly net: boolean;
  /** A filter of system calls, for the keyring; else it is the person's. */
  readonly seccomp: boolean;
}

/** The filter's descriptor, opened by whoever starts bubblewrap, which closes it. A single digit: shells know no others. */
export const FILTER_DESCRIPTOR = 9;

/** What one confined command may see and do. */
export interface Confined {
  readonly bubblewrap: Bubblewrap;
  readonly mounts: readonly (Mount | Link)[];
  /** The person's network. */
  readonly net: boolean;
  /** The person's shared memory, which some drivers want. */
  readonly ipc: boolean;
  /** The home folder, in whose place is a private one; absent where the person has none of their own. */
  readonly home?: string;
}

/** The ids that a confined process has, where it is in a user namespace. */
export interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** What root may still do: give files owners and modes, as installers do. Nothing that reaches the kernel or a device. */
const ROOT_KEEPS = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_KILL', 'CAP_SETGID', 'CAP_SETUID'];

/** Root owns these files, so no missing capability keeps it from writing them. */
const KERNEL = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/scsi'];

/**
 * The beginning of a command line that confines what follows it. `own`: the slot's entries, over all others. `ids`: a
 * user namespace with these; absent for root, who has none.
 */
export function bubblewrapWords({ bubblewrap, mounts, net, ipc }: Confined, own: readonly (Mount | Link)[], ids: Ids | undefined): readonly string[] {
  return [
    bubblewrap.program,
    ...(bubblewrap.seccomp ? ['--seccomp', String(FILTER_DESCRIPTOR)] : []),
    '--die-with-parent', '--unshare-pid', '--unshare-uts',
    ...(ipc ? [] : ['--unshare-ipc']),
    ...(net || !bubblewrap.net ? [] : ['--unshare-net']),
    ...(ids === undefined ? [] : ['--unshare-user', '--uid', String(ids.uid), '--gid', String(ids.gid)]),
    '--cap-drop', 'ALL', ...(ids === undefined ? ROOT_KEEPS.flatMap((cap) => ['--cap-add', cap]) : []),
    ...(bubblewrap.proc ? ['--proc', '/proc'] : ['--ro-bind', '/proc', '/proc']),
    ...(ids === undefined ? KERNEL.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    // Programs that change their user share memory as well.
    '--dev', '/dev', '--perms', '1777', '--tmpfs', '/dev/shm', ...['/run', '/var', '/sys'].flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...inOrder([...mounts, ...own]).flatMap(words),
    '--',
  ];
}

/** What vanished meanwhile is left out, as it would be for an unconfined process. */
function words(mount: Mount | Link): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind-try', mount.from ?? mount.path, mount.path];
    case 'write':
      return ['--bind', mount.from ?? mount.path, mount.path];
    case 'device':
      return ['--dev-bind-try', mount.path, mount.path];
    case 'link':
      return ['--symlink', mount.to, mount.path];
  }
}
