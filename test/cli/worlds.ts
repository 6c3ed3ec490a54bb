import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { census } from '../census.ts';
import { CLI, type Ended, type Lab } from './lab.ts';

const NOBODY = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];

/**
 * Runs a shell script in private mounts, where it may make small or full disks; `$0 $1` is the client. Undefined where
 * this system refuses such mounts.
 */
export function inOwnMounts(lab: Lab, script: string): Ended | undefined {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) return undefined;
  const { status, stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, process.execPath, CLI], { cwd: lab.folder, env: lab.env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

/**
 * Gives a lab to a person without rights for as long as `work` takes, for whom permissions hold. False where nobody of
 * this system can run the client.
 */
export async function withoutRights(lab: Lab, work: (ratchet: (...args: readonly string[]) => Ended) => Promise<void>): Promise<boolean> {
  const isRoot = process.getuid?.() === 0;
  const [file, before] = isRoot ? ['setpriv', [...NOBODY, process.execPath]] as const : [process.execPath, []] as const;
  const base = dirname(lab.folder);
  const run = (...args: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync(file, [...before, CLI, ...args], { cwd: lab.folder, env: { ...lab.env, HOME: base }, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const own = (who: string): void => {
    if (isRoot) spawnSync('chown', ['-R', who, base]);
  };
  own('65534:65534');
  try {
    if (run('--version').code !== 0) return false;
    await work(run);
    return true;
  } finally {
    for (const { pid, command } of census(base)) if (command.includes(' engine --root ')) process.kill(pid, 'SIGTERM');
    await chmod(lab.folder, 0o755);
    own(`${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`);
  }
}
