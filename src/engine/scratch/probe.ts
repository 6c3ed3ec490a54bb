import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Command } from '../command.ts';
import { afterEntering, causeOf, enterSlot } from './enter.ts';
import type { Reach, Tools } from './enter.ts';
import { escapeMount } from './mounts.ts';
import { newSlotFolder } from './place.ts';
import { isRoot } from './snapshot.ts';
import { removeTree } from './tidy.ts';

/** What can start here, found by starting it. `how` is one sentence for the start page. */
export type ScratchProbe =
  | { readonly kind: 'overlay'; readonly reach: Reach; readonly how: string }
  | { readonly kind: 'copy'; readonly how: string };

/** Long enough for a busy machine; a chain of five small programs takes milliseconds. */
const TRIAL_MS = 20_000;

/** Finds out what slots can be here for a workspace with this top. Takes some 30 ms on Linux; once for an engine's life is enough. */
export async function probeScratch(top: string, env: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<ScratchProbe> {
  const folder = await newSlotFolder(top, env);
  try {
    return await probe(folder, signal);
  } finally {
    await removeTree(folder);
  }
}

/** Tries the steps from all to least inside `dir`, which lies where the slots will lie. */
async function probe(dir: string, signal: AbortSignal): Promise<ScratchProbe> {
  if (process.platform !== 'linux') return copyBecause('this system has no overlay file system');
  const tools = await findTools();
  if (tools === undefined) return copyBecause('the program unshare is not installed');
  let refusal = 'unknown';
  for (const step of steps(tools)) {
    const failure = await tryOnce(step.reach, join(dir, 'probe'), signal);
    if (failure === undefined) return { kind: 'overlay', reach: step.reach, how: step.how };
    refusal = failure;
  }
  return copyBecause(`this system refuses private layers (${refusal})`);
}

/** What a copy means, with the reason for it. */
export function copyBecause(reason: string): { readonly kind: 'copy'; readonly how: string } {
  return { kind: 'copy', how: `A copy of your files in another folder, because ${reason}; ignored folders are shared with yours, so a scorer that writes into them changes them.` };
}

function steps(tools: Tools): readonly { readonly reach: Reach; readonly how: string }[] {
  const layer = 'A private layer over your folder, at its own path: what a run writes stays apart from it';
  const noProc = 'this system refuses an own list of processes, so a run can see the others';
  if (isRoot()) {
    return [
      { reach: { tools, root: true, proc: true }, how: `${layer}.` },
      { reach: { tools, root: true, proc: false }, how: `${layer}; ${noProc}.` },
    ];
  }
  const ids = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  return [
    { reach: { tools, root: false, proc: true, ids }, how: `${layer}.` },
    { reach: { tools, root: false, proc: false, ids }, how: `${layer}; ${noProc}.` },
    { reach: { tools, root: false, proc: false }, how: `${layer}; ${noProc} and takes itself for root.` },
  ];
}

/** A slot in small: undefined when the candidate was seen at the path of the original, else why not. */
async function tryOnce(reach: Reach, dir: string, signal: AbortSignal): Promise<string | undefined> {
  await removeTree(dir);
  const workspace = join(dir, 'workspace');
  for (const folder of ['workspace', 's', 'u0', 'w0', 'o']) await mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
  await writeFile(join(workspace, 'target'), 'original');
  await writeFile(join(dir, 's', 'target'), 'snapshot');
  await writeFile(join(dir, 'u0', 'target'), 'candidate');
  const proc = reach.proc ? 'ratchet-proc /proc proc defaults 0 0\n' : '';
  await writeFile(join(dir, 'mounts'), `ratchet ${escapeMount(workspace)} overlay lowerdir=s,upperdir=u0,workdir=w0,userxattr,volatile 0 0\n${proc}`);
  const look = { file: reach.tools.sh, args: ['-c', 'read -r text < target; echo "$text"; echo written > target'], cwd: workspace, env: {} };
  const answer = await runQuietly(enterSlot(reach, dir, process.pid, look), signal);
  await removeTree(dir);
  return answer.failure ?? (answer.stdout.trim() === 'candidate' ? undefined : 'the layer was not seen');
}

/** Runs a command to its end and tells why it failed: the last line that it wrote on stderr. */
export function runQuietly(command: Command, signal: AbortSignal): Promise<{ readonly stdout: string; readonly failure?: string }> {
  return new Promise((resolve, reject) => {
    const options = { cwd: command.cwd, env: command.env, signal, timeout: TRIAL_MS, killSignal: 'SIGKILL' as const };
    execFile(command.file, command.args, options, (error, stdout, stderr) => {
      if (signal.aborted) reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
      else if (error === null) resolve({ stdout });
      else resolve({ stdout, failure: causeOf(afterEntering(stderr) ?? stderr) ?? error.message });
    });
  });
}

async function findTools(): Promise<Tools | undefined> {
  const [sh, unshare, mount, rm, setpriv] = await Promise.all(['sh', 'unshare', 'mount', 'rm', 'setpriv'].map(findTool));
  if (sh === undefined || unshare === undefined || mount === undefined || rm === undefined) return undefined;
  return { sh, unshare, mount, rm, ...(setpriv === undefined ? {} : { setpriv }) };
}

/** The system's folders come first: a folder on PATH may belong to a project. */
async function findTool(name: string): Promise<string | undefined> {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', ...(process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)];
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return undefined;
}
