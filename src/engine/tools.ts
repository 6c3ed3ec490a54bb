import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { foldersUp } from './folders.ts';

/** A program that was found, and the words for the start page: why this one. */
export interface Tool {
  readonly path: string;
  readonly why: string;
}

/** A Python, and whether it is only there for want of one of the project's own. */
export interface PythonTool extends Tool {
  readonly isFallback?: true;
}

/** Where a project's tools are looked for: absolute folders, the nearest and the highest. */
export interface ToolPlace {
  readonly root: string;
  readonly folder: string;
}

/** A Node, and what its environment must hold for it to be one. */
export interface NodeTool extends Tool {
  readonly env: Readonly<Record<string, string>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first Node that reads TypeScript by itself; of the line 23 it is 23.6. */
const READS_TYPES = '22.18';

/**
 * The Python of a project: the active virtual environment or conda environment, else the nearest `.venv` from `folder`
 * up to the root, else `python3` on the PATH. Conda's base counts after `.venv`: it is active by habit, not by choice.
 * Runs nothing. Where there is none the path is the bare name, which then fails to start with a clear sentence.
 */
export async function findPython(
  place: ToolPlace, env: Environment, platform: NodeJS.Platform = process.platform,
): Promise<PythonTool> {
  const paths = platform === 'win32' ? win32 : posix;
  const ofVenv = (folder: string): string => (platform === 'win32' ? paths.join(folder, 'Scripts', 'python.exe') : paths.join(folder, 'bin', 'python'));
  const ofConda = (folder: string): string => (platform === 'win32' ? paths.join(folder, 'python.exe') : paths.join(folder, 'bin', 'python'));
  const { VIRTUAL_ENV: venv, CONDA_PREFIX: conda } = env;
  const isBase = env.CONDA_DEFAULT_ENV === 'base';

  const tries: Tool[] = [];
  if (venv) tries.push({ path: ofVenv(venv), why: `the active virtual environment ${venv}` });
  if (conda && !isBase) tries.push({ path: ofConda(conda), why: `the active conda environment ${conda}` });
  for (const folder of foldersUp(place.folder, place.root, paths)) tries.push({ path: ofVenv(paths.join(folder, '.venv')), why: `the project's .venv in ${folder}` });
  if (conda && isBase) tries.push({ path: ofConda(conda), why: `conda's base environment ${conda}` });
  for (const each of tries) if (await isProgram(each.path, platform)) return each;

  const name = platform === 'win32' ? 'python' : 'python3';
  const found = await onPath(name, env, platform);
  if (found !== undefined) return { path: found, why: `${name} on the PATH`, isFallback: true };
  return { isFallback: true, path: name, why: 'no Python was found: there is no active environment, no .venv and none on the PATH' };
}

/** The Node that this process is. */
export interface OwnNode {
  readonly path: string;
  readonly version: string;
  /** Electron is a Node only while ELECTRON_RUN_AS_NODE is set. */
  readonly isElectron: boolean;
}

/**
 * `node` on the PATH, if it runs and, where the scorer is TypeScript, is 22.18 or newer; else this process's own.
 * Runs `node --version` and nothing else.
 */
export async function findNode(env: Environment, needsTypes: boolean, own: OwnNode = ownNode(), platform: NodeJS.Platform = process.platform): Promise<NodeTool> {
  const engine = { path: own.path, env: own.isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
  const found = await onPath('node', env, platform);
  if (found === undefined) return { ...engine, why: `Ratchet's own Node ${own.version}: there is no node on the PATH` };
  const version = await versionOf(found, env);
  if (version === undefined) return { ...engine, why: `Ratchet's own Node ${own.version}: ${found} does not run` };
  if (!needsTypes || readsTypes(version)) return { path: found, env: {}, why: `node ${version} on the PATH` };
  if (readsTypes(own.version)) return { ...engine, why: `Ratchet's own Node ${own.version}: node on the PATH is ${version}, and TypeScript needs ${READS_TYPES} or newer` };
  return { path: found, env: {}, why: `node ${version} on the PATH, which cannot read TypeScript: that needs Node ${READS_TYPES} or newer` };
}

function ownNode(): OwnNode {
  return { path: process.execPath, version: process.versions.node, isElectron: process.versions.electron !== undefined };
}

function readsTypes(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

/** "22.18.0"; undefined where the program doesn't run, or says something else. */
function versionOf(node: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(node, ['--version'], { env, timeout: 10_000, killSignal: 'SIGKILL' }, (error, stdout) => {
      resolve(error === null ? /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] : undefined);
    });
  });
}

/** The program of this name on the PATH. */
export async function onPath(name: string, env: Environment, platform: NodeJS.Platform): Promise<string | undefined> {
  const windows = platform === 'win32';
  const paths = windows ? win32 : posix;
  const key = Object.keys(env).find((each) => (windows ? each.toUpperCase() === 'PATH' : each === 'PATH'));
  const folders = (key === undefined ? '' : env[key] ?? '').split(paths.delimiter);
  for (const folder of folders) {
    // The store's stand-in opens a shop window instead of running.
    if (!paths.isAbsolute(folder) || (windows && /[\\/]WindowsApps$/i.test(folder))) continue;
    const path = paths.join(folder, windows ? `${name}.exe` : name);
    if (await isProgram(path, platform)) return path;
  }
  return undefined;
}

async function isProgram(path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    await access(path, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
