import { existsSync } from 'node:fs';
import { runTool } from './host/tool.ts';

/** Brings Debian's bubblewrap where it is missing and this may be done. Why not, where it isn't there then. */
export async function bringBubblewrap(): Promise<string | undefined> {
  const isThere = (): boolean => existsSync('/usr/bin/bwrap');
  if (process.platform !== 'linux') return 'bubblewrap is for Linux alone';
  if (isThere()) return undefined;
  if (process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const wait = ['-o', 'DPkg::Lock::Timeout=300'];
    await runTool('apt-get', [...wait, 'update'], { env })
      .then(() => runTool('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'bubblewrap'], { env }))
      .catch(() => undefined);
  }
  return isThere() ? undefined : 'bubblewrap is not installed: apt-get install bubblewrap';
}

/** Of mocha: before any of its tests. */
export async function mochaGlobalSetup(): Promise<void> {
  await bringBubblewrap();
}
