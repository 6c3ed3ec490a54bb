/**
 * Brings the real runners whose reports are read: from npm by the lockfile beside this file, Debian's packages of pytest and
 * hyperfine, and ruff where pip has it. All but Debian's go into the tests' cache, and are installed once.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { cacheRoot, removeAbandonedBuilds } from '../host/provision.ts';
import { runTool } from '../host/tool.ts';

const RUFF = 'ruff==0.16.9';
const DEBIAN_PYTHON = '/usr/bin/python3';
const HAS_PYTEST = ['-c', 'import pytest, pytest_benchmark'];

/** A folder with node_modules of the runners. */
export function npmRunners(): Promise<string> {
  const files = ['package.json', 'package-lock.json'].map((name) => path.join(import.meta.dirname, name));
  const key = createHash('sha256').update(files.map((file) => fs.readFileSync(file, 'utf8')).join('\0')).digest('hex').slice(0, 8);
  return once(`runners-${key}`, async (folder) => {
    for (const file of files) fs.copyFileSync(file, path.join(folder, path.basename(file)));
    await runTool('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  });
}

/** A Python with pytest and pytest-benchmark: Debian's, else the one on the PATH. Undefined where neither has them. */
export async function pythonWithPytest(): Promise<string | undefined> {
  if (!(await works(DEBIAN_PYTHON, HAS_PYTEST))) await fromDebian('python3-pytest', 'python3-pytest-benchmark');
  for (const python of [DEBIAN_PYTHON, 'python3']) if (await works(python, HAS_PYTEST)) return python;
  return undefined;
}

export async function hyperfine(): Promise<string | undefined> {
  if (!(await works('hyperfine', ['--version']))) await fromDebian('hyperfine');
  return (await works('hyperfine', ['--version'])) ? 'hyperfine' : undefined;
}

/** Debian has no ruff, so only a machine whose pip finds it has one. */
export async function ruff(): Promise<string | undefined> {
  if (await works('ruff', ['--version'])) return 'ruff';
  try {
    const folder = await once(RUFF.replace('==', '-'), async (into) => { await runTool('python3', ['-m', 'pip', 'install', '--quiet', '--retries', '0', '--no-deps', '--target', into, RUFF]); });
    return path.join(folder, 'bin', 'ruff');
  } catch {
    return undefined;
  }
}

/** Skips a test whose runner can't be brought here, and says so. */
export function skipped(context: Mocha.Context, why: string): void {
  console.log(`      (${why})`);
  context.skip();
}

/** A folder of the cache; it appears there only when it is whole. */
async function once(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(cacheRoot(), name);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cacheRoot(), { recursive: true });
  removeAbandonedBuilds(cacheRoot());
  const building = `${folder}.building-${process.pid}`;
  try {
    fs.mkdirSync(building, { recursive: true });
    await fill(building);
    if (!fs.existsSync(folder)) fs.renameSync(building, folder);
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
  return folder;
}

async function works(command: string, args: readonly string[]): Promise<boolean> {
  return runTool(command, args).then(() => true, () => false);
}

/** Nothing where it can't be done: the tests that need it say so. */
async function fromDebian(...packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  await runTool('apt-get', [...wait, 'update'], { env })
    .then(() => runTool('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], { env }))
    .catch(() => undefined);
}
