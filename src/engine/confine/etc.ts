import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Mount } from './mount.ts';
import { isSystem } from './system.ts';

/** Of /etc what programs look up to run at all; the rest may hold keys, and root could read them. */
const NEEDED = [
  'chromium', 'chromium.d', 'debian_version', 'group', 'host.conf', 'hostname', 'hosts', 'inputrc', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'locale.alias',
  'locale.conf', 'localtime', 'magic', 'mime.types', 'nsswitch.conf', 'os-release', 'passwd', 'pki/tls/openssl.cnf', 'protocols', 'resolv.conf', 'services',
  'shells', 'ssl/openssl.cnf', 'static', 'terminfo', 'timezone', 'vulkan', 'OpenCL', 'glvnd',
];
/** Folders of many files, which are shown as they are: those of interpreters too (java-21-openjdk, R). */
const WHOLE = /^(?:alternatives|fonts|java.*|R|php|julia)$/;

/** Certificates of authorities, which are public: libraries fail without them before they speak to anybody. Too many to copy. */
const CERTIFICATES = ['ca-certificates', 'crypto-policies', 'pki/ca-trust', 'pki/tls/certs', 'ssl/certs'];

/** Writes the part of /etc that a confined process sees into a folder: one mount for each entry would cost more time with every run. */
export function copyEtc(into: string): void {
  const pythons = readdirSync('/etc').filter((name) => /^python[\d.]+$/.test(name));
  for (const name of [...NEEDED, ...pythons]) copyInto(join('/etc', name), join(into, name));
  for (const name of [...wholeFolders(), ...CERTIFICATES]) if (existsSync(join('/etc', name))) mkdirSync(join(into, name), { recursive: true });
}

/** The entries of a view for it. */
export function etcMounts(from: string): readonly Mount[] {
  const shown = [...wholeFolders(), ...CERTIFICATES].filter((name) => existsSync(join('/etc', name)));
  return [{ kind: 'read', path: '/etc', from }, ...shown.map((name): Mount => ({ kind: 'read', path: join('/etc', name) }))];
}

function wholeFolders(): readonly string[] {
  return readdirSync('/etc', { withFileTypes: true }).filter((entry) => entry.isDirectory() && WHOLE.test(entry.name)).map(({ name }) => name);
}

/** What can't be read is left out. A link that leads to where a confined process can't follow is what it leads to. */
function copyInto(path: string, copy: string): void {
  try {
    const to = linkOf(path);
    mkdirSync(dirname(copy), { recursive: true });
    if (to !== undefined && isSystem(resolve(dirname(path), to))) symlinkSync(to, copy);
    else if (!statSync(path).isDirectory()) copyFileSync(path, copy);
    else for (const name of readdirSync(path)) copyInto(join(path, name), join(copy, name));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
