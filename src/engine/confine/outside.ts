import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '../../wire/root.ts';
import { blockedIn, type Blocked } from '../../loop/blocked.ts';
import { scorerEnvironment } from '../execute/environment.ts';
import type { Measuring } from '../run/context.ts';
import { moduleFolders, holdsModule } from './module-folders.ts';
import { isSystem } from './system.ts';
import { installedWith } from './toolchains.ts';

const TOLD = { target: '', result: '', seed: 0, slot: 0 };

/** Each shell sets these anew. */
const OF_SHELLS: ReadonlySet<string> = new Set(['SHLVL', 'PWD', 'OLDPWD', '_']);

/** What a confined command was kept from, as its output tells. Nothing where it ran with the person's rights. */
export function blockedOf(output: string, { confinement, workspace, slot, env }: Pick<Measuring, 'confinement' | 'workspace' | 'slot' | 'env'>, isStart = false): Blocked {
  if (confinement === undefined) return { allow: [], hosts: [] };
  const { confined: { mounts, net, home, bubblewrap }, passes } = confinement;
  const own = [workspace.top, slot.inside(workspace.top), ...confinement.privately, ...confinement.caches];
  const shown = mounts.map(({ path }) => path);
  const isShown = (path: string): boolean => isSystem(path) || /^\/(?:proc|dev|sys)(?:\/|$)/.test(path) || [...own, ...shown].some((folder) => isWithin(folder, path));
  const passed = scorerEnvironment(env, TOLD, passes);
  return blockedIn(output, {
    hidden: (path) => (isShown(path) || !existsSync(path) ? undefined : (installedWith(path, { env, home, top: workspace.top }) ?? path)),
    hiddenModule: (name) => moduleFolders(env, home, workspace.top).find((folder) => !isShown(folder) && holdsModule(folder, name)),
    folderAt: (path) => {
      const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
      return existsSync(folder) && folder !== '/' && !own.some((each) => isWithin(each, folder)) ? folder : undefined;
    },
    ...(home === undefined ? {} : { home }),
    heldBack: Object.keys(scorerEnvironment(env, TOLD)).filter((name) => passed[name] === undefined && !OF_SHELLS.has(name)),
    offline: !net && bubblewrap.net,
    closedLinks: slot.links(confinement.confined).closed,
  }, isStart);
}
