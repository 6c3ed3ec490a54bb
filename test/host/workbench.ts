/** Starts one editor: its server on loopback and a headless browser. The launcher and the journeys share it. */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { MARKER_VARIABLE, newMarker, processesOf, signalAll, waitUntilGone } from './processes.ts';
import type { ProcessSeen } from './processes.ts';
import { CHROMIUM } from './provision.ts';
import type { ProvisionedEditor } from './provision.ts';
import { lastLines } from './tool.ts';

const SERVER_FLAGS = [
  '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms',
  '--disable-telemetry',
];

const BROWSER_FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--no-first-run',
  '--disable-component-update', '--disable-sync',
  // The page may speak with this machine only.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];

const START_LIMIT_MS = 120_000;
const END_LIMIT_MS = 5_000;
/** For the helpers of a server that has ended, which notice it by themselves. */
const HELPERS_LIMIT_MS = 1_000;

/** A process that was started in a session of its own. */
interface Started {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Tests inside the extension host. */
export interface TestRun {
  /** Extensions from source: absolute folders. */
  readonly extensionDevelopmentPaths: readonly string[];
  /** Absolute path of the module whose `run` is called in the extension host. */
  readonly extensionTestsPath: string;
}

export interface WorkbenchOptions {
  readonly editor: ProvisionedEditor;
  /** Absolute; absent: an empty window. */
  readonly folder?: string;
  /** Holds settings, state and installed extensions (data-dir.ts). */
  readonly dataDir: string;
  /** On top of this process's environment, for the server and the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  readonly serverArgs?: readonly string[];
  /** Makes it a test run. */
  readonly tests?: TestRun;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
  /** Called before the page loads: to expose functions, to listen. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface Workbench {
  readonly page: Page;
  readonly port: number;
  /** Address of the page. */
  readonly url: string;
  readonly dataDir: string;
  /** What the server has printed so far. */
  readonly serverLog: () => string;
  /** Every living process of this editor: server, extension host, browser, and what an extension has started. */
  readonly processes: () => ProcessSeen[];
  /** Ends the browser and the server; may be called twice. Then ends what else is left, and gives a list of it. Throws if anything outlives that. */
  readonly close: () => Promise<readonly ProcessSeen[]>;
}

interface Server extends Started {
  readonly port: number;
  readonly log: () => string;
}

async function startServer(options: WorkbenchOptions, marker: string): Promise<Server> {
  const args = [options.editor.serverMain, ...SERVER_FLAGS, '--server-data-dir', options.dataDir, ...options.serverArgs ?? []];
  // Where it stands, the page takes extensions and tests from its address, but shows no notices: not for journeys.
  if (options.tests !== undefined) args.push('--enable-smoke-test-driver');
  // A killed editor leaves its sockets: here they go with the data folder. The name is short, as a socket's path may have 107 bytes.
  const sockets = path.join(options.dataDir, 'run');
  fs.mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const child = spawn(options.editor.node, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without a gallery nothing is looked up elsewhere.
    env: { ...process.env, EXTENSIONS_GALLERY: '{}', XDG_RUNTIME_DIR: sockets, ...options.env, [MARKER_VARIABLE]: marker },
  });
  let log = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`The editor's server ${why}. It printed:\n${lastLines(log, 30)}`));
    const timer = setTimeout(() => { child.kill('SIGKILL'); fail('did not start in time'); }, START_LIMIT_MS);
    const take = (text: string): void => {
      log += text;
      const listening = /Extension host agent listening on (\d+)/.exec(log)?.[1];
      if (listening === undefined) return;
      clearTimeout(timer);
      resolve(Number(listening));
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', () => { clearTimeout(timer); fail('ended by itself'); });
  });
  return {
    // A server that listens has a process id.
    pid: child.pid ?? 0,
    port,
    log: () => log,
    stop: async () => { child.kill('SIGTERM'); await ended; },
  };
}

interface Browser extends Started {
  readonly page: Page;
}

async function startBrowser(marker: string, profile: string): Promise<Browser> {
  const server = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: BROWSER_FLAGS,
    env: { ...process.env, [MARKER_VARIABLE]: marker, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
    timeout: START_LIMIT_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  return { pid: server.process().pid ?? 0, page: await context.newPage(), stop: () => server.close() };
}

/** The address of the page that opens the folder, and runs the tests if there are any. */
function addressOf(port: number, { folder, tests }: WorkbenchOptions): string {
  const query = new URLSearchParams(folder === undefined ? { ew: 'true' } : { folder });
  if (tests !== undefined) {
    const remote = (file: string): string => `vscode-remote://localhost:${port}${file}`;
    const payload = tests.extensionDevelopmentPaths.map((dir) => ['extensionDevelopmentPath', remote(dir)]);
    payload.push(['extensionTestsPath', remote(tests.extensionTestsPath)]);
    query.set('payload', JSON.stringify(payload));
  }
  return `http://localhost:${port}/?${query.toString()}`;
}

/** Starts the server, then the browser, and loads the page. Whatever fails, nothing is left running. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const marker = newMarker();
  const started: Started[] = [];
  const processes = (): ProcessSeen[] => processesOf(marker, started.map(({ pid }) => pid));
  const close = async (): Promise<readonly ProcessSeen[]> => {
    const polite = Promise.allSettled([...started].reverse().map(({ stop }) => stop()));
    await Promise.race([polite, waitUntilGone(processes, END_LIMIT_MS)]);
    const outlived = await waitUntilGone(processes, HELPERS_LIMIT_MS);
    signalAll(outlived, 'SIGKILL');
    const left = await waitUntilGone(processes, END_LIMIT_MS);
    if (left.length > 0) throw new Error(`These processes of the editor could not be ended: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
    return outlived;
  };

  const whenAborted = (): void => { void close().catch(() => undefined); };
  options.signal?.addEventListener('abort', whenAborted, { once: true });
  try {
    const server = await startServer(options, marker);
    started.push(server);
    options.signal?.throwIfAborted();
    const browser = await startBrowser(marker, path.join(options.dataDir, 'browser'));
    started.push(browser);
    options.signal?.throwIfAborted();
    await options.prepare?.(browser.page);
    const url = addressOf(server.port, options);
    await browser.page.goto(url, { timeout: START_LIMIT_MS, waitUntil: 'domcontentloaded' });
    return { page: browser.page, port: server.port, url, dataDir: options.dataDir, serverLog: server.log, processes, close };
  } catch (error) {
    // Also where an abort has closed already: a process may have been on its way then.
    await close();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', whenAborted);
  }
}
