import type { ScorerOffer } from '../../protocol.ts';
import { hyperfineScripts } from './offers/hyperfine.ts';
import { linters } from './offers/lint.ts';
import { packageScripts } from './offers/package-scripts.ts';
import { printedBenches } from './offers/printed-benches.ts';
import { pytestBenchmarks } from './offers/pytest-benchmark.ts';
import { benchScripts, namedScripts, scoreScripts } from './offers/scripts.ts';
import { lookAround } from './offers/surroundings.ts';
import { testRunners, testsThatImport } from './offers/tests.ts';
import { vitestBenches } from './offers/vitest-bench.ts';

/** A person picks from them: not more than are read at a glance. */
const MOST = 6;

/**
 * Scorers that lie around a target (both paths absolute), best first: score scripts, benchmarks whose reports are read,
 * benchmarks that print numbers, scripts of package.json, tests that import the target, all tests, and last a linter. Only
 * what the score's readers can read is offered, and the first of each kind before the second of any. Runs nothing, reads a bounded
 * part of the root, and never rejects for what it finds there.
 */
export async function findOffers(root: string, target: string): Promise<readonly ScorerOffer[]> {
  const around = await lookAround(root, target);
  if (around === undefined) return [];
  const scripts = namedScripts(around);
  const [score, printed, bench] = await Promise.all([scoreScripts(around, scripts), printedBenches(around, scripts), benchScripts(around, scripts)]);
  // All others are command lines of sh: their endings are told apart in a way that cmd doesn't know.
  if (process.platform === 'win32') return fewOf([score, printed, bench]);
  const [vitest, pytest, hyperfine, ...others] = await Promise.all([
    vitestBenches(around, scripts), pytestBenchmarks(around), hyperfineScripts(around, scripts), packageScripts(around, [...score, ...bench]), testsThatImport(around), testRunners(around), linters(around),
  ]);
  return fewOf([score, [...vitest, ...pytest], printed, hyperfine, bench, ...others]);
}

/** The first of each kind, then the second of each, until there are enough; in the order of the kinds. */
function fewOf(kinds: readonly (readonly ScorerOffer[])[]): readonly ScorerOffer[] {
  const once = kinds.flatMap((offers, kind) => offers.map((offer, rank) => ({ offer, kind, rank }))).filter(isFirst);
  const chosen = once.toSorted((one, other) => one.rank - other.rank).slice(0, MOST);
  return chosen.sort((one, other) => one.kind - other.kind).map(({ offer }) => offer);
}

interface Ranked {
  readonly offer: ScorerOffer;
}

function isFirst({ offer }: Ranked, index: number, all: readonly Ranked[]): boolean {
  return index === all.findIndex(({ offer: other }) => other.folder === offer.folder && other.scorer === offer.scorer);
}
