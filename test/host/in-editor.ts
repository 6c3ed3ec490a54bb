/** Runs a module in a real editor's extension host: the suites (run.ts), and what a benchmark measures there. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { EDITOR_PINS } from './pins.ts';
import type { EditorLabel } from './pins.ts';
import { provision } from './provision.ts';
import { RESULT_VARIABLE } from './result.ts';

const HERE = import.meta.dirname;
const OUT = path.resolve(HERE, '..', '..', '.test-out', 'host');

/** Bundles the source of a module that exports `run`, with imports seen from `folder`, and gives the bundle's path. */
export async function bundleForHost(name: string, contents: string, folder: string): Promise<string> {
  const outfile = path.join(OUT, `${name}.cjs`);
  await esbuild.build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return outfile;
}

/** An executable that behaves like desktop VS Code for @vscode/test-electron. */
function writeExecutable(label: EditorLabel): string {
  const file = path.join(OUT, `code-${label}`);
  const quoted = [process.execPath, path.join(HERE, 'launcher.ts'), label].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  fs.mkdirSync(OUT, { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return file;
}

export interface HostRun {
  readonly label: EditorLabel;
  /** Downloads desktop VS Code instead of taking the editor from npm. */
  readonly desktop: boolean;
  /** Folder of the extension. */
  readonly extension: string;
  /** Path of the bundle. */
  readonly module: string;
}

/** What a module has handed over, if it came to that, and why the editor ended badly, if it did. */
export interface HostResult {
  readonly result?: unknown;
  readonly failure?: Error;
}

/** Opens the editor with an empty folder and the extension, calls the module's `run` and waits for the editor's end. */
export async function runInEditor({ label, desktop, extension, module }: HostRun): Promise<HostResult> {
  const { version } = EDITOR_PINS[label];
  const temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ratchet-host-')));
  const folder = path.join(temp, 'workspace');
  const file = path.join(temp, 'result.json');
  fs.mkdirSync(folder);
  try {
    if (!desktop) await provision(label);
    const failure = await runTests({
      ...(desktop ? { version } : { vscodeExecutablePath: writeExecutable(label) }),
      extensionDevelopmentPath: extension,
      extensionTestsPath: module,
      launchArgs: [folder],
      extensionTestsEnv: { RATCHET_TEST_VSCODE_VERSION: version, [RESULT_VARIABLE]: file },
    }).then(() => undefined, (error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    return {
      ...(fs.existsSync(file) ? { result: JSON.parse(fs.readFileSync(file, 'utf8')) as unknown } : {}),
      ...(failure === undefined ? {} : { failure }),
    };
  } finally {
    fs.rmSync(temp, { recursive: true, force: true });
  }
}
