import { basename, dirname, extname } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import type { Metric } from '../../../records.ts';
import { pickOne, readingOf, timedIn } from './reading.ts';
import type { NamedScript } from './scripts.ts';
import { shellWord } from '../../../loop/shell-word.ts';
import { distance, inFolder, inModules, runFolder, type Surroundings } from './surroundings.ts';

const MOST = 3;
const MOST_READ = 60;
const BENCH_FOLDER = /^(?:bench(?:es|mark|marks)?|perf)$/;
const MEAN: Metric = { name: 'mean', direction: 'lower', unit: 'ns' };
/** Libraries whose printed tables are read: how a script shows that it prints one, and names what it times. */
const LIBRARIES = [
  { name: 'tinybench', prints: /\bconsole\.(?:table|log)\b[^]*\.table\(/, call: /\.add/ },
  { name: 'mitata', prints: /\brun\s*\(/, call: /(?<![.\w])bench/ },
] as const;

/** Benchmarks of tinybench and mitata near the target, where the library is installed. */
export async function printedBenches(around: Surroundings, scripts: readonly NamedScript[]): Promise<readonly ScorerOffer[]> {
  const offers: ScorerOffer[] = [];
  for (const path of benchFiles(around, scripts)) {
    if (offers.length === MOST || !/^\.[cm]?[jt]s$/.test(extname(path))) continue;
    const text = (await around.files.read(path)) ?? '';
    const library = LIBRARIES.find(({ name, prints }) => new RegExp(`['"]${name}['"]`).test(text) && prints.test(text));
    if (library === undefined) continue;
    const folder = await runFolder(around, path, () => Promise.resolve(false));
    if ((await inModules(around, folder, `${library.name}/package.json`)) === undefined) continue;
    const timed = timedIn(text, library.call);
    const [only] = timed ?? [];
    const isOne = timed?.length === 1 && only !== undefined;
    offers.push({
      scorer: `node ${shellWord(inFolder(folder, path))}`,
      folder,
      why: isOne ? readingOf(library.name, only, MEAN) : pickOne(library.name, basename(path), MEAN),
      // Only where one thing is timed does `mean` stand alone.
      ...(isOne ? { metric: MEAN } : {}),
    });
  }
  return offers;
}

/** Benchmarks by their name, then whatever lies in a folder of benchmarks, the nearest first. */
function benchFiles(around: Surroundings, scripts: readonly NamedScript[]): readonly string[] {
  const named = scripts.flatMap(({ path, kind }) => (kind === 'bench' ? [path] : []));
  const inFolders = around.found.filter((path) => BENCH_FOLDER.test(basename(dirname(path))) && around.upward.includes(dirname(dirname(path))) && !scripts.some((script) => script.path === path));
  return [...named, ...inFolders.sort((one, other) => distance(around, one) - distance(around, other)).slice(0, MOST_READ)];
}
