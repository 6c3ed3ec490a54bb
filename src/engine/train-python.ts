import { readFile } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { foldersUp } from './folders.ts';
import { onPath, type Environment, type PythonTool, type ToolPlace } from './tools.ts';

/** What runs a train.py: program and options, to which the file's path is added. */
export interface TrainPython {
  readonly argv: readonly string[];
  readonly why: string;
}

/**
 * The project's own Python, or `uv run` where only that works: no environment of the project is there yet, and uv is on
 * the PATH and would make one, from the file's inline metadata (PEP 723) or from the project's uv.lock or [tool.uv].
 */
export async function findTrainPython(
  text: string, python: PythonTool, place: ToolPlace, env: Environment, platform: NodeJS.Platform = process.platform,
): Promise<TrainPython> {
  const own = { argv: [python.path], why: python.why };
  if (python.isFallback !== true) return own;
  const reason = await uvReason(text, place, platform === 'win32' ? win32 : posix);
  const uv = reason === undefined ? undefined : await onPath('uv', env, platform);
  return uv === undefined ? own : { argv: [uv, 'run'], why: `uv run: ${reason}, and there is no .venv` };
}

async function uvReason(text: string, place: ToolPlace, paths: typeof posix): Promise<string | undefined> {
  if (/^# \/\/\/ script\s*$/m.test(text)) return 'the file names its own packages';
  for (const folder of foldersUp(place.folder, place.root, paths)) {
    if ((await readFile(paths.join(folder, 'uv.lock')).catch(() => undefined)) !== undefined) return `${folder} has a uv.lock`;
    const project = await readFile(paths.join(folder, 'pyproject.toml'), 'utf8').catch(() => '');
    if (/^\[tool\.uv[.\]]/m.test(project)) return `${paths.join(folder, 'pyproject.toml')} is uv's`;
  }
  return undefined;
}
