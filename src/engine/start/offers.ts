import type { ScorerOffer } from '../../protocol.ts';
import { packageScripts } from './offers/package-scripts.ts';
import { printedBenches } from './offers/printed-benches.ts';
import { benchScripts, namedScripts, scoreScripts } from './offers/scripts.ts';
import { lookAround } from './offers/surroundings.ts';
import { testRunners, testsThatImport } from './offers/tests.ts';
import { vitestBenches } from './offers/vitest-bench.ts';

const MOST = 12;

/**
 * Scorers that lie around a target (both paths absolute), best first: score scripts, benchmarks of vitest, tinybench
 * and mitata, benchmarks that print numbers, scripts of package.json, tests that import the target, all tests. Only what the score's readers can
 * read is offered. Runs nothing, reads a bounded part of the root, and never rejects for what it finds there.
 */
export async function findOffers(root: string, target: string): Promise<readonly ScorerOffer[]> {
  const around = await lookAround(root, target);
  if (around === undefined) return [];
  const scripts = namedScripts(around);
  const [score, printed, bench] = await Promise.all([scoreScripts(around, scripts), printedBenches(around, scripts), benchScripts(around, scripts)]);
  // All others are command lines of sh: their endings are told apart in a way that cmd doesn't know.
  const ofSh = process.platform === 'win32' ? [] : [vitestBenches(around, scripts), packageScripts(around, [...score, ...bench]), testsThatImport(around), testRunners(around)];
  const [vitest = [], ...others] = await Promise.all(ofSh);
  return [...score, ...vitest, ...printed, ...bench, ...others.flat()].filter(isFirst).slice(0, MOST);
}

function isFirst(offer: ScorerOffer, index: number, offers: readonly ScorerOffer[]): boolean {
  return index === offers.findIndex((other) => other.folder === offer.folder && other.scorer === offer.scorer);
}
