import { basename, dirname, extname } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import { defaultMetric, reportOf } from '../../../loop/score.ts';
import { importsTarget } from './imports.ts';
import { jest } from './runners/jest.ts';
import { mocha } from './runners/mocha.ts';
import { nodeTest } from './runners/node-test.ts';
import { pytest } from './runners/pytest.ts';
import type { Runner } from './runners/runner.ts';
import { vitest } from './runners/vitest.ts';
import { distance, runFolder, type Surroundings } from './surroundings.ts';

const JAVASCRIPT = [vitest, jest, mocha, nodeTest] as const;
/** What a test file imports, by which its runner is known; runners without a report that is read have none. */
const IMPORTED: readonly (readonly [RegExp, Runner | undefined])[] = [
  [/['"]vitest['"]/, vitest], [/['"]@jest\/globals['"]/, jest], [/['"]mocha['"]/, mocha], [/['"]node:test['"]/, nodeTest],
  [/['"](?:bun:test|@playwright\/test|ava|tap|tape|uvu|cypress)['"]/, undefined],
];
/** Enough to find the tests of one file; a bound for repositories with thousands. */
const MOST_READ = 150;
const MOST_FILES = 8;

/** Tests that import the target, one offer for each runner and folder. */
export async function testsThatImport(around: Surroundings): Promise<readonly ScorerOffer[]> {
  const groups = new Map<string, { readonly runner: Runner; readonly folder: string; readonly files: string[] }>();
  for (const { path, text } of await testTexts(around)) {
    if (!importsTarget(text, path, around.target, around.stem)) continue;
    const runner = await runnerOf(around, path, text);
    if (runner === undefined) continue;
    const folder = await runFolder(around, path, (above) => runner.configures(around, above));
    const key = JSON.stringify([runner.name, folder]);
    const group = groups.get(key) ?? { runner, folder, files: [] };
    groups.set(key, group);
    if (group.files.length < MOST_FILES) group.files.push(path);
  }
  const offers = await Promise.all([...groups.values()].map(({ runner, folder, files }) => offer(around, runner, folder, whyThese(files), files)));
  return offers.flat();
}

/** All tests of each runner that the project has. */
export async function testRunners(around: Surroundings): Promise<readonly ScorerOffer[]> {
  const offers: ScorerOffer[] = [];
  for (const runner of [...JAVASCRIPT, pytest]) {
    const ofItsKind = testFiles(around).find((path) => (runner === pytest) === (extname(path) === '.py'));
    const why = ofItsKind === undefined ? undefined : (await runner.evidence(around)) ?? (runner === pytest ? `${basename(ofItsKind)} is a test for pytest` : undefined);
    if (ofItsKind === undefined || why === undefined) continue;
    offers.push(...(await offer(around, runner, await runFolder(around, ofItsKind, (above) => runner.configures(around, above)), why)));
  }
  return offers;
}

/** None where the runner isn't installed, or writes no report that is read. */
async function offer(around: Surroundings, runner: Runner, folder: string, why: string, files?: readonly string[]): Promise<readonly ScorerOffer[]> {
  const scorer = await runner.command(around, folder, files);
  const metric = defaultMetric('score');
  if (scorer === undefined || metric === undefined || reportOf(scorer) === undefined) return [];
  return [{ scorer, folder, why, metric: { ...metric, unit: '%' } }];
}

function whyThese(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => basename(file));
  if (others.length === 0) return `${first} imports the file`;
  return `${first} and ${others.length === 1 ? 'another test' : `${others.length} other tests`} import the file`;
}

async function runnerOf(around: Surroundings, path: string, text: string): Promise<Runner | undefined> {
  if (extname(path) === '.py') return pytest;
  const imported = IMPORTED.find(([name]) => name.test(text));
  if (imported !== undefined) return imported[1];
  // What such a test calls is given to it: by jest and mocha always, by vitest where a setting says so.
  for (const runner of [jest, mocha, vitest]) if ((await runner.evidence(around)) !== undefined) return runner;
  return undefined;
}

/** Texts of test files, the most likely first: by name, then the nearest. */
async function testTexts(around: Surroundings): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const ranked = testFiles(around).map((path) => ({ path, rank: (basename(path).includes(around.stem) ? 0 : 100) + distance(around, path) }));
  const likely = ranked.sort((one, other) => one.rank - other.rank).slice(0, MOST_READ);
  const texts = await Promise.all(likely.map(async ({ path }) => ({ path, text: (await around.files.read(path)) ?? '' })));
  return texts.filter(({ path, text }) => extname(path) === '.py' || /\b(?:it|test|describe|suite)\b(?:\.\w+)*\s*\(/.test(text));
}

function testFiles(around: Surroundings): readonly string[] {
  return around.found.filter((path) => {
    const name = basename(path);
    if (extname(path) === '.py') return around.language !== 'javascript' && /^test_|_test\.py$/.test(name);
    if (around.language === 'python' || !/\.[cm]?[jt]sx?$/.test(name) || /\.(?:d\.[cm]?ts|bench\.\w+|benchmark\.\w+)$/.test(name)) return false;
    return /\.(?:test|spec)\.\w+$/.test(name) || /^(?:tests?|__tests__|spec)$/.test(basename(dirname(path)));
  });
}
