import { isWithin } from '../../wire/root.ts';

/** Folders that hold other people's things, or sockets: shown in parts at most. */
const WHOLE = new Set(['/', '/dev', '/etc', '/home', '/media', '/mnt', '/proc', '/root', '/run', '/srv', '/sys', '/tmp', '/var', '/var/run', '/var/lib']);

/** Of a home folder: keys, sessions, mail, and the editor's own. */
const SECRET = new Set([
  '.aws', '.azure', '.claude', '.codex', '.config', '.docker', '.gnupg', '.kube', '.mozilla', '.netrc', '.npmrc', '.password-store', '.pki', '.pypirc', '.ssh', '.thunderbird', '.git-credentials',
]);

/**
 * Whether a path (absolute, real) may be shown because something merely leads to it: a link, a folder of the PATH. Not
 * where it holds the home folder, or lies where a person's keys are. What a person names by `allow` needs no such leave.
 */
export function mayBeShown(path: string, home: string | undefined): boolean {
  if (WHOLE.has(path) || isWithin('/proc', path) || isWithin('/run', path) || isWithin('/dev', path) || isWithin('/etc', path)) return false;
  if (home === undefined) return true;
  if (isWithin(path, home)) return false;
  const [first = ''] = isWithin(home, path) ? path.slice(home.length + 1).split('/') : [];
  return !SECRET.has(first);
}
