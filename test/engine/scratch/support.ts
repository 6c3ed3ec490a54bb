import { createHash, randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import type { Execution } from '../../../src/engine/execute.ts';
import { createSlot, probeScratch } from '../../../src/engine/scratch/create.ts';
import type { ScratchProbe } from '../../../src/engine/scratch/create.ts';
import { rootOf, topOf } from '../../../src/wire/root.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import { removeTree } from '../../../src/engine/scratch/tidy.ts';
import { assertNoSurvivors } from '../../census.ts';

/** A text is a file's content; `link` makes a symbolic link. */
export type Tree = Readonly<Record<string, string | { readonly link: string }>>;

export const NEVER = new AbortController().signal;
export const KINDS = ['overlay', 'copy'] as const;

/** A temporary folder for one test, with what the test makes in it. */
export class Bench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-scratch-')));
  readonly mark = randomUUID();
  private readonly slots: Slot[] = [];

  /** Makes a tree below the temporary folder and gives its absolute path. */
  tree(name: string, tree: Tree): string {
    const top = join(this.folder, name);
    for (const [path, content] of Object.entries(tree)) {
      const file = join(top, path);
      mkdirSync(dirname(file), { recursive: true });
      if (typeof content === 'string') writeFileSync(file, content);
      else symlinkSync(content.link, file);
    }
    return top;
  }

  get slotFolder(): string {
    return join(this.folder, `slot-${String(this.slots.length)}`);
  }

  /** A slot for a target, of the wished kind. */
  async slot(target: string, kind: Slot['kind'], signal = NEVER): Promise<Slot> {
    const root = await rootOf(target);
    const top = await topOf(root);
    const slot = await createSlot({ root, top, target }, await this.probe(top, kind), this.slotFolder, signal);
    return this.keep(slot);
  }

  /** Disposes of a slot with the bench. */
  keep(slot: Slot): Slot {
    this.slots.push(slot);
    return slot;
  }

  async probe(top: string, kind: Slot['kind']): Promise<ScratchProbe> {
    return kind === 'copy' ? { kind: 'copy', how: 'A copy.' } : probeScratch(top, this.environment(), NEVER);
  }

  environment(): Record<string, string> {
    return { PATH: `${dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin`, HOME: this.folder, LANG: 'C.UTF-8' };
  }

  /** Runs a command in a slot; `cwd` is a path of the person's tree. */
  run(slot: Slot, cwd: string, file: string, ...args: readonly string[]): Promise<Execution> {
    const command = slot.enter({ file, args, cwd: slot.inside(cwd), env: this.environment() });
    return execute(command, { timeoutMs: 15_000, signal: NEVER, mark: this.mark });
  }

  sh(slot: Slot, cwd: string, script: string): Promise<Execution> {
    return this.run(slot, cwd, 'sh', '-c', script);
  }

  async dispose(): Promise<void> {
    await assertNoSurvivors([`RATCHET_MARK=${this.mark}`]);
    for (const slot of this.slots) await slot.dispose();
    await removeTree(this.folder);
  }
}

/** Hands each test of a suite a bench of its own; skips the suite where this system has no slots of the kind. */
export function useBench(kind: Slot['kind'], hand: (bench: Bench) => void): void {
  let bench: Bench;
  before(async function () {
    const trial = new Bench();
    const { kind: reached } = await trial.probe(trial.folder, kind);
    await trial.dispose();
    if (reached !== kind) this.skip();
  });
  beforeEach(() => {
    bench = new Bench();
    hand(bench);
  });
  afterEach(() => bench.dispose());
}

/** Content, mode and times of everything below a folder, ignored folders and git's own included. */
export function fingerprint(top: string): string {
  const hash = createHash('sha256');
  const walk = (path: string): void => {
    const stats = lstatSync(path);
    hash.update(`${path} ${String(stats.mode)} ${String(stats.mtimeMs)} ${String(stats.uid)}\n`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isDirectory()) for (const name of readdirSync(path).sort()) walk(join(path, name));
    else hash.update(readFileSync(path));
  };
  walk(top);
  return hash.digest('hex');
}

/** Makes a git repository with one commit of everything that isn't ignored. */
export function commitAll(top: string): void {
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: top, env, stdio: 'pipe' });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
}

/** A pnpm workspace, made by hand: the target is packages/math/index.js, the scorer lies in another package. */
export function pnpmWorkspace(bench: Bench, name = 'pnpm'): string {
  const top = bench.tree(name, {
    '.gitignore': 'node_modules\n',
    'package.json': '{"private":true}',
    'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
    'packages/math/package.json': '{"name":"@ws/math","version":"1.0.0","main":"index.js"}',
    'packages/math/index.js': 'module.exports = () => 1;\n',
    'packages/score/package.json': '{"name":"score","dependencies":{"@ws/math":"workspace:*","helper":"1"}}',
    'packages/score/score.js': [
      `const direct = require('@ws/math');`,
      `const { through } = require('helper');`,
      `require('fs').writeFileSync('report.tmp', 'x');`,
      `require('fs').mkdirSync('node_modules/.vite-temp', { recursive: true });`,
      `require('fs').writeFileSync('node_modules/.vite-temp/a.mjs', 'x');`,
      `console.log('score: ' + direct() + ' ' + through());`,
    ].join('\n'),
    'packages/score/node_modules/@ws/math': { link: '../../../math' },
    'packages/score/node_modules/helper': { link: '../../../node_modules/.pnpm/helper@1.0.0_math/node_modules/helper' },
    // A package that leads back to the workspace, as one with a peer dependency does.
    'node_modules/.pnpm/helper@1.0.0_math/node_modules/helper/package.json': '{"name":"helper","version":"1.0.0","peerDependencies":{"@ws/math":"*"}}',
    'node_modules/.pnpm/helper@1.0.0_math/node_modules/helper/index.js': `exports.through = require('@ws/math');\n`,
    'node_modules/.pnpm/helper@1.0.0_math/node_modules/@ws/math': { link: '../../../../../packages/math' },
    'node_modules/.pnpm/lock.yaml': 'lockfileVersion: 9\n',
    'node_modules/.modules.yaml': 'layoutVersion: 5\n',
  });
  commitAll(top);
  return top;
}

/** An npm workspace, made by hand: the target is packages/math/index.js, the scorer lies in the root. */
export function npmWorkspace(bench: Bench, name = 'npm'): string {
  const top = bench.tree(name, {
    '.gitignore': 'node_modules/\n',
    'package.json': '{"private":true,"workspaces":["packages/*"]}',
    'packages/math/package.json': '{"name":"math","version":"1.0.0","main":"index.js"}',
    'packages/math/index.js': 'module.exports = () => 1;\n',
    'score.js': [
      `require('fs').mkdirSync('node_modules/.cache/tool', { recursive: true });`,
      `require('fs').writeFileSync('node_modules/.cache/tool/a', 'x');`,
      `console.log('score: ' + require('math')() + ' ' + require('first').through());`,
    ].join('\n'),
    'node_modules/math': { link: '../packages/math' },
    // first needs second, and only second needs the workspace's package.
    'node_modules/first/package.json': '{"name":"first","version":"1.0.0","dependencies":{"second":"1"}}',
    'node_modules/first/index.js': `exports.through = require('second').through;\n`,
    'node_modules/second/package.json': '{"name":"second","version":"1.0.0","peerDependencies":{"math":"*"}}',
    'node_modules/second/index.js': `exports.through = require('math');\n`,
    'node_modules/apart/package.json': '{"name":"apart","version":"1.0.0"}',
    'node_modules/apart/index.js': 'exports.apart = true;\n',
    'node_modules/.bin/first': { link: '../first/index.js' },
    'node_modules/.package-lock.json': '{}',
  });
  chmodSync(join(top, 'score.js'), 0o755);
  commitAll(top);
  return top;
}

/** The system's Python, where there is one. */
export function systemPython(): string | undefined {
  return ['/usr/bin/python3', '/usr/local/bin/python3', '/opt/homebrew/bin/python3'].find((path) => existsSync(path));
}

/** A Python package that is installed as editable in its .venv: a path file names its folder, as setuptools writes it. */
export function pythonWorkspace(bench: Bench, python: string, name = 'python'): string {
  const top = bench.tree(name, {
    '.gitignore': '.venv/\n__pycache__/\n',
    'pyproject.toml': '[project]\nname = "math"\nversion = "1"\n',
    'src/ratchet_math/__init__.py': 'def value():\n    return 1\n',
    'bench/score.py': 'import ratchet_math\nprint("score:", ratchet_math.value(), ratchet_math.value())\n',
  });
  execFileSync(python, ['-m', 'venv', '--without-pip', join(top, '.venv')], { stdio: 'pipe' });
  const lib = readdirSync(join(top, '.venv', 'lib'))[0] ?? '';
  writeFileSync(join(top, '.venv', 'lib', lib, 'site-packages', '__editable__.math-1.pth'), `${join(top, 'src')}\n`);
  commitAll(top);
  return top;
}
