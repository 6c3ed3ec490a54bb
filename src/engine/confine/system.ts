import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Link, Mount } from './mount.ts';

/** Folders of programs and libraries. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/gnu/store', '/snap'];

/** What the system lends to every confined process. */
export function systemMounts(gpu: boolean): readonly (Mount | Link)[] {
  const devices = acceleratorDevices();
  return [
    ...SYSTEM.flatMap(asItIs),
    // How many processors there are, and how many of them this process may use.
    ...['/sys/devices/system', ...(existsSync('/sys/fs/cgroup/cgroup.controllers') ? ['/sys/fs/cgroup'] : [])].map(read),
    ...(gpu || devices.length > 0 ? ['/sys/bus', '/sys/class', '/sys/dev', '/sys/devices', '/sys/module'] : []).map(read),
    ...(gpu ? ['/sys', '/tmp/nvidia-mps', '/usr/lib/wsl'] : []).filter((path) => existsSync(path)).map(read),
    ...devices.map((path): Mount => ({ kind: 'device', path })),
  ];
}

/** Whether a path lies where every confined process can read. */
export function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Graphics processors and their like; compute drivers open several devices each. */
function acceleratorDevices(): readonly string[] {
  const named = readdirSync('/dev').filter((name) => /^(?:nvidia.*|dri|kfd|dxg|accel\d*)$/.test(name));
  return named.map((name) => join('/dev', name));
}

function asItIs(path: string): readonly (Mount | Link)[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return [found.isSymbolicLink() ? { kind: 'link', path, to: readlinkSync(path) } : read(path)];
}

function read(path: string): Mount {
  return { kind: 'read', path };
}
