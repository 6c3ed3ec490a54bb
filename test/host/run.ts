/**
 * Runs the suites of test/host/suites in a real editor's extension host, and ends with a line "N passed, N failed".
 * `node test/host/run.ts [--oldest] [--desktop] [--extension DIR] [words of suite names …]`
 * Without `--desktop` the editor comes from npm (Linux); with it, desktop VS Code is downloaded.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { RESULTS_VARIABLE } from './in-host.ts';
import type { SuiteCounts } from './in-host.ts';
import { EDITOR_PINS } from './pins.ts';
import type { EditorLabel } from './pins.ts';
import { provision } from './provision.ts';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '..', '..');
const OUT = path.join(ROOT, '.test-out', 'host');

/** Bundles the suites whose file name has one of the words (all, without words) into one module with a `run`, and gives its path. */
async function bundleSuites(words: readonly string[]): Promise<string> {
  const wanted = (name: string): boolean => name.endsWith('.test.ts') && (words.length === 0 || words.some((word) => name.includes(word)));
  const suites = fs.readdirSync(path.join(HERE, 'suites')).filter(wanted).sort();
  if (suites.length === 0) throw new Error('No suite of test/host/suites has such a name.');
  const loads = suites.map((name) => `() => import('./suites/${name}')`).join(', ');
  const outfile = path.join(OUT, 'index.cjs');
  await esbuild.build({
    stdin: { contents: `import { runSuites } from './in-host.ts';\nexport const run = () => runSuites([${loads}]);\n`, resolveDir: HERE, loader: 'ts' },
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
  fs.writeFileSync(file, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return file;
}

interface HostRun {
  readonly label: EditorLabel;
  readonly desktop: boolean;
  readonly extension: string;
  readonly tests: string;
}

/** A run that ends without counts, or badly though no test failed, counts as one failure. */
async function runInEditor({ label, desktop, extension, tests }: HostRun): Promise<SuiteCounts> {
  const { version } = EDITOR_PINS[label];
  const temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ratchet-host-')));
  const folder = path.join(temp, 'workspace');
  const results = path.join(temp, 'results.json');
  fs.mkdirSync(folder);
  console.log(`VS Code ${version} (${label})`);
  try {
    if (!desktop) await provision(label);
    const failure = await runTests({
      ...(desktop ? { version } : { vscodeExecutablePath: writeExecutable(label) }),
      extensionDevelopmentPath: extension,
      extensionTestsPath: tests,
      launchArgs: [folder],
      extensionTestsEnv: { RATCHET_TEST_VSCODE_VERSION: version, [RESULTS_VARIABLE]: results },
    }).then(() => undefined, (error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    if (!fs.existsSync(results)) {
      console.error(`The tests in VS Code ${version} did not run to their end. ${failure?.message ?? ''}`);
      return { passed: 0, failed: 1, skipped: 0 };
    }
    const counts = JSON.parse(fs.readFileSync(results, 'utf8')) as SuiteCounts;
    return failure !== undefined && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    fs.rmSync(temp, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { oldest: { type: 'boolean' }, desktop: { type: 'boolean' }, extension: { type: 'string', default: ROOT } },
});
fs.mkdirSync(OUT, { recursive: true });
const tests = await bundleSuites(positionals);
const labels: readonly EditorLabel[] = values.oldest ? ['newest', 'oldest'] : ['newest'];
const total = { passed: 0, failed: 0, skipped: 0 };
for (const label of labels) {
  const counts = await runInEditor({ label, desktop: values.desktop ?? false, extension: path.resolve(values.extension), tests });
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
