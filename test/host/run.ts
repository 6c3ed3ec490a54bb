/**
 * Runs the suites of test/host/suites in a real editor's extension host, and ends with a line "N passed, N failed".
 * `node test/host/run.ts [--oldest | --only-oldest] [--desktop] [--extension DIR] [words of suite names …]`
 * Without a flag it is the newest editor; with `--oldest` the oldest comes after it. Without `--desktop` the editor comes from
 * npm (Linux); with it, desktop VS Code is downloaded.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleForHost, runInEditor } from './in-editor.ts';
import type { HostRun } from './in-editor.ts';
import type { SuiteCounts } from './in-host.ts';
import { EDITOR_PINS } from './pins.ts';
import type { EditorLabel } from './pins.ts';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '..', '..');

/** Bundles the suites whose file name has one of the words (all, without words) into one module, and gives its path. */
function bundleSuites(words: readonly string[]): Promise<string> {
  const wanted = (name: string): boolean => name.endsWith('.test.ts') && (words.length === 0 || words.some((word) => name.includes(word)));
  const suites = fs.readdirSync(path.join(HERE, 'suites')).filter(wanted).sort();
  if (suites.length === 0) throw new Error('No suite of test/host/suites has such a name.');
  const loads = suites.map((name) => `() => import('./suites/${name}')`).join(', ');
  return bundleForHost('suites', `import { runSuites } from './in-host.ts';\nexport const run = () => runSuites([${loads}]);\n`, HERE);
}

/** A run that ends without counts, or badly though no test failed, counts as one failure. */
async function runSuitesIn(run: HostRun): Promise<SuiteCounts> {
  const { version } = EDITOR_PINS[run.label];
  console.log(`VS Code ${version} (${run.label})`);
  const { result, failure } = await runInEditor(run);
  const counts = result as SuiteCounts | undefined;
  if (counts === undefined) {
    console.error(`The tests in VS Code ${version} did not run to their end. ${failure?.message ?? ''}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  return failure !== undefined && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { oldest: { type: 'boolean' }, 'only-oldest': { type: 'boolean' }, desktop: { type: 'boolean' }, extension: { type: 'string', default: ROOT } },
});
const module = await bundleSuites(positionals);
const labels: readonly EditorLabel[] = values['only-oldest'] ? ['oldest'] : values.oldest ? ['newest', 'oldest'] : ['newest'];
const total = { passed: 0, failed: 0, skipped: 0 };
for (const label of labels) {
  const counts = await runSuitesIn({ label, desktop: values.desktop ?? false, extension: path.resolve(values.extension), module });
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
