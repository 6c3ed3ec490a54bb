import { basename, extname } from 'node:path';
import type { ScorerOffer } from '../../../protocol.ts';
import { defaultMetric, reportOf } from '../../../loop/score.ts';
import { importsTarget } from './imports.ts';
import { importedRunner } from './runners/imported.ts';
import { jest } from './runners/jest.ts';
import { mocha } from './runners/mocha.ts';
import { nodeTest } from './runners/node-test.ts';
import { pytest } from './runners/pytest.ts';
import type { Runner } from './runners/runner.ts';
import { ava, tap, tape } from './runners/tap.ts';
import { vitest } from './runners/vitest.ts';
import { runFolder, type Surroundings } from './surroundings.ts';
import { testFiles, testTexts } from './test-files.ts';

const JAVASCRIPT = [vitest, jest, mocha, ava, tap, tape, nodeTest] as const;
const MOST_FILES = 8;
/** Names that `node --test` finds by itself. */
const FOUND_BY_NODE = /[/\\]test(?:[/\\]|-[^/\\]+$)|[/\\._-]test\.[cm]?[jt]s$/;

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
    const why = ofItsKind === undefined ? undefined : (await runner.evidence(around)) ?? (await inTests(around, runner));
    if (ofItsKind === undefined || why === undefined) continue;
    offers.push(...(await offer(around, runner, await runFolder(around, ofItsKind, (above) => runner.configures(around, above)), why)));
  }
  return offers;
}

/** What a test says about its runner. */
async function inTests(around: Surroundings, runner: Runner): Promise<string | undefined> {
  for (const { path, text } of await testTexts(around)) {
    if (importedRunner(path, text)?.runner !== runner || (runner === nodeTest && !FOUND_BY_NODE.test(path))) continue;
    return `${basename(path)} is a test for ${runner.name}`;
  }
  return undefined;
}

/** None where the runner isn't installed, or writes no report that is read. */
async function offer(around: Surroundings, runner: Runner, folder: string, why: string, files?: readonly string[]): Promise<readonly ScorerOffer[]> {
  const scorer = await runner.command(around, folder, files);
  const metric = defaultMetric('score');
  if (scorer === undefined || metric === undefined || reportOf(scorer) === undefined) return [];
  return [{ scorer, folder, why: `${why}; I read \`score\`, the share of tests that pass, in %, higher is better`, metric: { ...metric, unit: '%' } }];
}

function whyThese(files: readonly string[]): string {
  const [first = '', ...others] = files.map((file) => basename(file));
  if (others.length === 0) return `${first} imports the file`;
  return `${first} and ${others.length === 1 ? 'another test' : `${others.length} other tests`} import the file`;
}

async function runnerOf(around: Surroundings, path: string, text: string): Promise<Runner | undefined> {
  const imported = importedRunner(path, text);
  if (imported !== undefined) return imported.runner;
  // What such a test calls is given to it: by jest and mocha always, by vitest where a setting says so.
  for (const runner of [jest, mocha, vitest]) if ((await runner.evidence(around)) !== undefined) return runner;
  return undefined;
}
