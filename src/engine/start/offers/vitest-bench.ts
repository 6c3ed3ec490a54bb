import { basename } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import { importsTarget } from './imports.ts';
import { configuresVitest } from './runners/vitest.ts';
import type { NamedScript } from './scripts.ts';
import { shellWord } from './shell.ts';
import { inFolder, localBinary, runFolder, type Surroundings } from './surroundings.ts';

const MOST = 3;

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
    const timed = timedIn(text);
    (imports ? importing : others).push({
      scorer: `${shellWord(vitest)} bench ${shellWord(inFolder(folder, path))} --run --outputJson ratchet-bench.json`,
      folder,
      why: `${basename(path)} ${imports ? 'times the file' : 'is a vitest benchmark'}${timed === 1 ? '' : ': pick one of its times after Try once'}`,
      // The report gives `mean` alone only where one thing is timed.
      ...(timed === 1 ? { metric: { name: 'mean', direction: 'lower', unit: 'ms' } } : {}),
    });
  }
  return [...importing, ...others].slice(0, MOST);
}

/** How many things a benchmark times, as far as its text says: one in a loop may be many. */
function timedIn(text: string): number | undefined {
  if (/\bfor\s*\(|\.forEach\(|\.map\(|\bbench\.each\b/.test(text)) return undefined;
  return text.match(/(?<![.\w])bench(?:\.only)?\s*\(/g)?.length;
}
