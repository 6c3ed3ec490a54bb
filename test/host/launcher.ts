/**
 * Stands in for desktop VS Code where that cannot be downloaded: takes the flags that @vscode/test-electron gives it,
 * runs the tests in a real extension host, prints what they print, and exits with their code.
 * `node test/host/launcher.ts newest|oldest --extensionDevelopmentPath=… --extensionTestsPath=… [folder]`
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { newDataDir } from './data-dir.ts';
import { hostLine } from './host-log.ts';
import type { EditorLabel } from './pins.ts';
import { provision } from './provision.ts';
import { startWorkbench } from './workbench.ts';
import type { TestRun, Workbench } from './workbench.ts';

/** A test run that says nothing for so long is ended. */
const SILENCE_LIMIT_MS = 120_000;

interface Request {
  readonly label: EditorLabel;
  readonly tests: TestRun;
  readonly folder: string | undefined;
}

function parse(argv: readonly string[]): Request {
  // The flags that are only for the desktop are accepted and ignored.
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: { extensionDevelopmentPath: { type: 'string', multiple: true }, extensionTestsPath: { type: 'string' } },
  });
  const [label, folder] = positionals;
  if (label !== 'newest' && label !== 'oldest') throw new Error('Name the editor first: newest or oldest.');
  if (typeof values.extensionTestsPath !== 'string') throw new Error('Give the tests to run: --extensionTestsPath=FILE.');
  return {
    label,
    tests: {
      extensionDevelopmentPaths: (values.extensionDevelopmentPath ?? []).map((dir) => path.resolve(String(dir))),
      extensionTestsPath: path.resolve(values.extensionTestsPath),
    },
    folder: folder === undefined ? undefined : path.resolve(folder),
  };
}

/** Calls `stop` when this process is told to end, or when what started it has died. */
function onEnd(stop: (why: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(`The run was ended by ${signal}.`));
  const stdin = fs.fstatSync(0);
  if (stdin.isFIFO() || stdin.isSocket()) process.stdin.resume().once('end', () => stop('The run was ended because its parent is gone.'));
}

async function main(): Promise<number> {
  const request = parse(process.argv.slice(2));
  const editor = await provision(request.label);
  const dataDir = newDataDir();
  const stopping = new AbortController();
  let starting: Promise<Workbench> | undefined;
  try {
    return await new Promise<number>((resolve, reject) => {
      const stop = (why: string): void => {
        console.error(why);
        stopping.abort();
        resolve(1);
      };
      onEnd(stop);
      const silence = setTimeout(() => stop(`The tests said nothing for ${SILENCE_LIMIT_MS / 1000} s, so they were ended.`), SILENCE_LIMIT_MS);
      starting = startWorkbench({
        editor,
        dataDir,
        ...(request.folder === undefined ? {} : { folder: request.folder }),
        tests: request.tests,
        signal: stopping.signal,
        prepare: async (page) => {
          await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
            const line = hostLine(type, args);
            if (line === undefined) return;
            silence.refresh();
            console.log(line);
          });
          await page.exposeFunction('codeAutomationExit', (exitCode: number) => { resolve(exitCode); });
          page.once('crash', () => stop('The browser page crashed.'));
        },
      });
      starting.catch(reject);
    });
  } finally {
    // A start that failed has cleaned up behind itself.
    const workbench = await starting?.catch(() => undefined);
    await workbench?.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

process.exit(await main());
