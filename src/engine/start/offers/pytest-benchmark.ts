import { basename } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import type { Metric } from '../../../records.ts';
import { importsTarget } from './imports.ts';
import { asksFor } from './python-packages.ts';
import { pickOne, readingOf } from './reading.ts';
import { pytest, pythonOf } from './runners/pytest.ts';
import { line } from './runners/words.ts';
import { distance, runFolder, type Surroundings } from './surroundings.ts';

const MOST = 3;
const MOST_READ = 60;
const MEAN: Metric = { name: 'mean', direction: 'lower', unit: 's' };
const NAME = /^(?:test|bench(?:mark)?s?)(?:_.*)?\.py$|_(?:test|bench(?:mark)?s?)\.py$/;
/** A test that is given pytest-benchmark's fixture. */
const TIMED = /^[ \t]*(?:async )?def (test\w*)\s*\(([^)]{0,1000})\)/gm;
const FIXTURE = /\bbenchmark\b/;
/** What makes more than one benchmark of a test, or the fixture another one. */
const MANY = /\bparametrize\b|\bpytest_generate_tests\b/;
const OWN_FIXTURE = /^[ \t]*(?:async )?def benchmark\s*\(/m;

/** Benchmarks of pytest-benchmark that import the target, then those that lie near it; where the project's .venv lacks it, none. */
export async function pytestBenchmarks(around: Surroundings): Promise<readonly ScorerOffer[]> {
  // pytest-codspeed has a fixture of the same name, and no such report.
  if (around.language === 'javascript' || ((await asksFor(around, 'pytest-codspeed')) && !(await asksFor(around, 'pytest-benchmark')))) return [];
  const importing: ScorerOffer[] = [];
  const others: ScorerOffer[] = [];
  const likely = around.found.filter((path) => NAME.test(basename(path))).sort((one, other) => distance(around, one) - distance(around, other));
  for (const path of likely.slice(0, MOST_READ)) {
    const text = (await around.files.read(path)) ?? '';
    const timed = timedTests(text);
    if (timed.length === 0) continue;
    const folder = await runFolder(around, path, (above) => pytest.configures(around, above));
    const python = await pythonOf(around, folder, ['pytest', 'pytest-benchmark']);
    if (python === undefined) continue;
    const imports = importsTarget(text, path, around.target, around.stem);
    const [only] = timed.length === 1 && !MANY.test(text) ? timed : [];
    (imports ? importing : others).push({
      scorer: line([python, '-m', 'pytest', '-q', '--benchmark-only', '--benchmark-json=ratchet-bench.json'], folder, [path], []),
      folder,
      why: only === undefined ? pickOne('pytest-benchmark', basename(path), MEAN) : readingOf('pytest-benchmark', only, MEAN),
      ...(only === undefined ? {} : { metric: MEAN }),
    });
  }
  return [...importing, ...others].slice(0, MOST);
}

/** The names of the tests that time something. */
function timedTests(text: string): readonly string[] {
  if (OWN_FIXTURE.test(text)) return [];
  return [...text.matchAll(TIMED)].flatMap(([, name = '', parameters = '']) => (FIXTURE.test(parameters) ? [name] : []));
}
