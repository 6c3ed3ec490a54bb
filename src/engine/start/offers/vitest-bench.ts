import { basename } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import type { Metric } from '../../../records.ts';
import { importsTarget } from './imports.ts';
import { pickOne, readingOf, timedIn } from './reading.ts';
import { configuresVitest } from './runners/vitest.ts';
import type { NamedScript } from './scripts.ts';
import { shellWord } from '../../../loop/shell-word.ts';
import { inFolder, localBinary, runFolder, type Surroundings } from './surroundings.ts';

const MOST = 3;
export const VITEST_MEAN: Metric = { name: 'mean', direction: 'lower', unit: 'ms' };

/** `vitest bench` of the benchmarks near the target, where vitest is installed; those that import the target first. */
export async function vitestBenches(around: Surroundings, scripts: readonly NamedScript[]): Promise<readonly ScorerOffer[]> {
  const importing: ScorerOffer[] = [];
  const others: ScorerOffer[] = [];
  for (const { path, kind } of scripts) {
    if (kind !== 'bench') continue;
    const text = await around.files.read(path);
    if (text === undefined || !/['"]vitest['"]/.test(text)) continue;
    const folder = await runFolder(around, path, (above) => configuresVitest(around, above));
    const vitest = await localBinary(around, folder, 'vitest');
    if (vitest === undefined) continue;
    const imports = importsTarget(text, path, around.target, around.stem);
    const timed = timedIn(text, /(?<![.\w])bench(?:\.only)?/);
    const [only] = timed ?? [];
    const isOne = timed?.length === 1 && only !== undefined;
    (imports ? importing : others).push({
      scorer: `${shellWord(vitest)} bench ${shellWord(inFolder(folder, path))} --run --outputJson ratchet-bench.json`,
      folder,
      why: isOne ? readingOf('vitest bench', only, VITEST_MEAN) : pickOne('vitest bench', basename(path), VITEST_MEAN),
      // The report gives `mean` alone only where one thing is timed.
      ...(isOne ? { metric: VITEST_MEAN } : {}),
    });
  }
  return [...importing, ...others].slice(0, MOST);
}
