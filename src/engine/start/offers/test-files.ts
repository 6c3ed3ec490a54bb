import { basename, dirname, extname } from 'node:path';
import { distance, type Surroundings } from './surroundings.ts';

/** A file of tests. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** Enough to find the tests of one file; a bound for repositories with thousands. */
const MOST_READ = 150;

/** Files that are named, or lie, like tests in the target's language. */
export function testFiles(around: Surroundings): readonly string[] {
  return around.found.filter((path) => {
    const name = basename(path);
    if (extname(path) === '.py') return around.language !== 'javascript' && /^test_|_test\.py$/.test(name);
    if (around.language === 'python' || !/\.[cm]?[jt]sx?$/.test(name) || /\.(?:d\.[cm]?ts|bench\.\w+|benchmark\.\w+)$/.test(name)) return false;
    return /(?:^|\.)(?:test|spec)\.\w+$/.test(name) || /^(?:tests?|__tests__|spec)$/.test(basename(dirname(path)));
  });
}

/** Those that hold tests, the most likely first: by name, then the nearest. */
export async function testTexts(around: Surroundings): Promise<readonly TestFile[]> {
  const ranked = testFiles(around).map((path) => ({ path, rank: (basename(path).includes(around.stem) ? 0 : 100) + distance(around, path) }));
  const likely = ranked.sort((one, other) => one.rank - other.rank).slice(0, MOST_READ);
  const texts = await Promise.all(likely.map(async ({ path }) => ({ path, text: (await around.files.read(path)) ?? '' })));
  return texts.filter(({ path, text }) => extname(path) === '.py' || /\b(?:it|test|describe|suite)\b(?:\.\w+)*\s*\(|['"]tap['"]/.test(text));
}
