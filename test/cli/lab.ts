import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILD } from '../../src/build-id.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { findEngine } from '../../src/wire/engine.ts';
import type { EngineClient } from '../../src/wire/client.ts';
import { openRuntime, type Runtime } from '../../src/wire/runtime.ts';
import { assertNoSurvivors } from '../census.ts';

/** The built terminal client, as users start it. */
export const CLI = join(import.meta.dirname, '../../dist/cli.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A client that goes on. */
export interface Going {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when the output so far passes the test. */
  until(test: (stdout: string, stderr: string) => boolean): Promise<void>;
}

/** A workspace of its own with its own engine, for one test. */
export class Lab {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  private readonly base: string;
  private isUnconfined = false;

  private constructor(base: string, folder: string) {
    this.base = base;
    this.folder = folder;
    this.env = { ...process.env, RATCHET_RUNTIME_DIR: join(base, 'runtime'), XDG_CACHE_HOME: join(base, 'cache'), OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined };
  }

  static async open(files: Readonly<Record<string, string>>): Promise<Lab> {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-lab-')));
    const lab = new Lab(base, join(base, 'work'));
    await mkdir(join(base, 'runtime'), { mode: 0o700 });
    await mkdir(lab.folder);
    for (const [path, text] of Object.entries(files)) await lab.write(path, text);
    return lab;
  }

  /** Its scorers speak with the test by files and variables that no confined one would reach. */
  unconfined(): void {
    this.isUnconfined = true;
  }

  /** What is typed for it: a command that measures has the flag. */
  words(args: readonly string[]): readonly string[] {
    return this.isUnconfined && ['run', 'score', 'check'].includes(args[0] ?? '') ? [...args, '--sandbox', 'off'] : args;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  async read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  start(args: readonly string[], cwd = this.folder): Going {
    const child = spawn(process.execPath, [CLI, ...this.words(args)], { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    const until = async (test: (stdout: string, stderr: string) => boolean): Promise<void> => {
      const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
      const look = (): void => {
        if (test(stdout, stderr)) pass();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
      await Promise.race([passed, ended]);
      child.stdout.off('data', look);
      child.stderr.off('data', look);
      if (!test(stdout, stderr)) assert.fail(`The client ended before that.\n${stdout}\n${stderr}`);
    };
    assert.ok(child.pid);
    return { process: child, pid: child.pid, ended, until };
  }

  async ratchet(...args: readonly string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** Runs with --json; the events in their order. */
  async events(...args: readonly string[]): Promise<{ readonly code: number | null; readonly events: readonly LedgerEvent[]; readonly stderr: string }> {
    const { code, stdout, stderr } = await this.ratchet(...args, '--json');
    return { code, stderr, events: eventsOf(stdout) };
  }

  runtime(root = this.folder): Promise<Runtime> {
    return openRuntime(root, this.env, process.platform);
  }

  async engine(root = this.folder): Promise<EngineClient | undefined> {
    return findEngine(await this.runtime(root), BUILD, 'terminal');
  }

  /** Ends the engine and proves that no process of this test is left. */
  async close(): Promise<void> {
    // One that ends by itself in this moment hangs up on us: that nothing is left is shown below.
    const engine = await this.engine().catch(() => undefined);
    if (engine !== undefined) {
      process.kill(engine.engine.pid, 'SIGTERM');
      await engine.closed;
    }
    // Everything that this test started, scorers too, has the path of its cache folder in its environment.
    await assertNoSurvivors([this.base], 3000);
    await rm(this.base, { recursive: true, force: true });
  }
}

export function eventsOf(stdout: string): readonly LedgerEvent[] {
  return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerEvent);
}

/** The verdicts of a run in order of their attempts. */
export function verdictsOf(events: readonly LedgerEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'judged' ? [event.verdict] : []));
}

/** One hash over every file, link and folder below, ignored ones too, save Ratchet's own. */
export async function hashTree(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of (await readdir(folder, { withFileTypes: true, recursive: true })).sort((a, b) => join(a.parentPath, a.name).localeCompare(join(b.parentPath, b.name)))) {
    const path = join(entry.parentPath, entry.name);
    if (path === join(folder, '.ratchet') || path.startsWith(join(folder, '.ratchet/'))) continue;
    const { mode, mtimeMs } = await lstat(path);
    hash.update(`${path} ${mode} ${entry.isDirectory() ? '' : mtimeMs}\n`);
    if (entry.isFile()) hash.update(await readFile(path));
    if (entry.isSymbolicLink()) hash.update(await readlink(path));
  }
  return hash.digest('hex');
}

/** A reply with one search/replace block. */
export function reply(search: string, replace: string, hypothesis = 'It should help.'): string {
  return `${hypothesis}\n\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`;
}
