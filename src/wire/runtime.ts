import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { HumanError, machineError } from '../errors.ts';

/** Less than the shortest limit of a socket's path (macOS: 104 with its end). */
const MAX_SOCKET_BYTES = 100;

/** Where one root's engine is met. Never in the workspace: a workspace may be shared, synced or read by others. */
export interface Runtime {
  readonly folder: string;
  /** Path of the local socket, under 100 bytes; on Windows the name of a pipe. */
  readonly socket: string;
  readonly token: string;
  readonly lock: string;
  readonly log: string;
  /** Commands that a person confirmed once. */
  readonly confirmed: string;
}

/** The per-user runtime folder of a root, made where it is missing, and refused where somebody else owns it. */
export async function openRuntime(root: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<Runtime> {
  const user = userInfo();
  const own = env['RATCHET_RUNTIME_DIR'];
  const id = createHash('sha256').update(root).digest('hex').slice(0, 16);
  // XDG_RUNTIME_DIR ends with the login; a run outlives it, and so must its socket. TMPDIR differs from terminal to editor.
  const home = join(stateFolder(env), 'run');
  const short = join('/tmp', `ratchet-run-${user.uid}`);
  const base = own ?? (platform === 'win32' || Buffer.byteLength(join(home, id, 's')) < MAX_SOCKET_BYTES ? home : short);
  const folder = join(base, id);
  // One after the other: nothing is made behind a link.
  for (const path of [base, folder]) {
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOTDIR') throw notOurs(path);
      throw machineError(error) ?? error;
    });
    if (platform !== 'win32') await makePrivate(path, user.uid);
  }
  return {
    folder,
    socket: platform === 'win32' ? `\\\\.\\pipe\\ratchet-${user.username}-${id}` : join(folder, 's'),
    token: join(folder, 'token'),
    lock: join(folder, 'lock'),
    log: join(folder, 'engine.log'),
    confirmed: join(folder, 'confirmed.json'),
  };
}

/** The user's folder for data that can't lie in its root: of projects in folders that can't be written. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  return join(env['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'ratchet');
}

/**
 * Makes a folder that is there the user's alone. One that others could only look into is mended; one that is a link,
 * somebody else's, or was open to what others write is refused: what lies in it may be theirs.
 */
async function makePrivate(path: string, uid: number): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => {
    throw notOurs(path);
  });
  try {
    const found = await folder.stat();
    if (found.uid !== uid || (found.mode & 0o022) !== 0) throw notOurs(path);
    if ((found.mode & 0o777) !== 0o700) await folder.chmod(0o700);
  } finally {
    await folder.close();
  }
}

function notOurs(path: string): HumanError {
  return new HumanError('no-engine', `${path} must be a folder of yours that nobody else can write to, and no link. Remove it, and start again.`);
}
