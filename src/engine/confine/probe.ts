import { constants, existsSync } from 'node:fs';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Command } from '../command.ts';
import { enterConfined, enterSlot } from '../scratch/enter.ts';
import { newSlotFolder } from '../scratch/place.ts';
import { runQuietly, type ScratchProbe } from '../scratch/probe.ts';
import { ownIds } from '../scratch/own-ids.ts';
import { removeTree } from '../scratch/tidy.ts';
import type { Bubblewrap, Confined } from './bubblewrap.ts';
import { writeFilter } from './filter-file.ts';
import { systemMounts } from './system.ts';

/** What confinement can start here, found by starting it. `how`: a sentence on what was reached, or why nothing, with its mend. */
export type ConfinementProbe =
  | { readonly kind: 'bubblewrap'; readonly bubblewrap: Bubblewrap; readonly how: string }
  | { readonly kind: 'none'; readonly how: string };

/** Finds out how far a scorer can be confined here, in slots of the kind that was found. Takes some 20 ms on Linux; once for an engine's life is enough. */
export async function probeConfinement(scratch: ScratchProbe, top: string, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<ConfinementProbe> {
  if (process.platform !== 'linux') return none(process.platform === 'darwin' ? 'this version can confine on Linux alone' : 'this system has nothing for it', 'run it in a container or a virtual machine');
  const program = await systemProgram('bwrap');
  const sh = await systemProgram('sh');
  if (program === undefined || sh === undefined) return none('bubblewrap is not installed', await installation());
  const folder = await newSlotFolder(top, env);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'mounts'), '');
    const filter = join(folder, 'filter');
    const filters = await writeFilter(filter) ? [true, false] : [false];
    let refusal = 'unknown';
    for (const seccomp of filters) for (const { how, ...step } of STEPS) {
      const bubblewrap = { program, sh, ...step, seccomp };
      const failure = await tryOnce(bubblewrap, scratch, { folder, filter }, signal);
      if (failure === undefined) return { kind: 'bubblewrap', bubblewrap, how: seccomp ? how : `${how}; ${UNFILTERED}` };
      refusal = failure;
    }
    return none(`this system refuses it (${refusal})`, mendOf());
  } finally {
    await removeTree(folder);
  }
}

const CLOSED = 'no network, no home folder, nothing else outside of the project and its tools';
const HALF_CLOSED = 'no home folder, nothing else outside of the project and its tools, but your network: this system refuses a private one';
const OTHERS = 'this system refuses an own list of processes, so a run can see the others';
const UNFILTERED = 'this system takes no filter of system calls, so a run reaches the kernel\'s keyring';
const STEPS: readonly (Pick<Bubblewrap, 'proc' | 'net'> & { readonly how: string })[] = [
  { proc: true, net: true, how: `by bubblewrap: ${CLOSED}` },
  { proc: false, net: true, how: `by bubblewrap: ${CLOSED}; ${OTHERS}` },
  { proc: true, net: false, how: `by bubblewrap, in part: ${HALF_CLOSED}` },
  { proc: false, net: false, how: `by bubblewrap, in part: ${HALF_CLOSED}; ${OTHERS}` },
];

/** A confined command in small: undefined where it ran, else why not. */
async function tryOnce(bubblewrap: Bubblewrap, scratch: ScratchProbe, { folder, filter }: { readonly folder: string; readonly filter: string }, signal: AbortSignal): Promise<string | undefined> {
  const confined: Confined = { bubblewrap, mounts: systemMounts(false), net: false, ipc: false };
  const look: Command = { file: bubblewrap.sh, args: ['-c', 'echo confined'], cwd: '/', env: {} };
  const confining = { confined, own: [], filter };
  const command = scratch.kind === 'overlay' ? enterSlot(scratch.reach, folder, process.pid, look, 'mounts', confining) : enterConfined(confining, ownIds(), look);
  const { stdout, failure } = await runQuietly(command, signal);
  return failure ?? (stdout.trim() === 'confined' ? undefined : 'it said nothing');
}

function none(reason: string, mend: string): ConfinementProbe {
  return { kind: 'none', how: `none, because ${reason}: the scorer runs with your rights. To confine it: ${mend}` };
}

/** What stands in the way on systems that are known for it, and the one line that mends it. */
function mendOf(): string {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return 'start this container with --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined, or take the container itself for the wall';
  if (existsSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns')) return 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';
  if (existsSync('/proc/sys/kernel/unprivileged_userns_clone')) return 'sudo sysctl -w kernel.unprivileged_userns_clone=1';
  return 'sudo sysctl -w user.max_user_namespaces=15000';
}

const INSTALLERS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\b(?:suse|opensuse)\b/, 'sudo zypper install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
];

async function installation(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const kin = /^ID=(.*)$/m.exec(release)?.[1] ?? '';
  const like = /^ID_LIKE=(.*)$/m.exec(release)?.[1] ?? '';
  return INSTALLERS.find(([names]) => names.test(`${kin} ${like}`))?.[1] ?? 'install the package bubblewrap';
}

/** The system's folders alone: a folder on PATH may belong to a project. */
async function systemProgram(name: string): Promise<string | undefined> {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each) && each.startsWith('/nix/'))]) {
    const path = join(folder, name);
    if (await access(path, constants.X_OK).then(() => true, () => false)) return path;
  }
  return undefined;
}
