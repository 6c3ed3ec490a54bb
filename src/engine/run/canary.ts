import { languageOf } from '../../loop/syntax.ts';
import { mean } from '../../loop/verifier/spread.ts';
import type { Measurement } from './measure.ts';

const MARK = 'ratchet canary: this file was broken on purpose';

/** Texts of which at least one must change the scorer's outcome. Code throws when it is loaded; other files are emptied, then garbage. */
export function canaryTexts(path: string): readonly string[] {
  switch (languageOf(path)) {
    case 'python':
      return [`raise RuntimeError("${MARK}")\n`];
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return [`throw new Error("${MARK}");\n`];
    case undefined:
      return ['', `\u0001\u0002 ${MARK} )]}>"'\n`];
  }
}

/**
 * Whether the scorer noticed. Its outcome is another one, or it printed the canary's words, or its values on the canary
 * stand clearly apart from those on the real file: timings differ from run to run even where the file is never loaded.
 * 'unsure' asks for another pair of runs.
 */
export function canarySeen(real: readonly Measurement[], broken: readonly Measurement[]): boolean | 'unsure' {
  const [first] = real;
  if (first === undefined) return 'unsure';
  if (broken.some((run) => run.outcome !== first.outcome)) return true;
  if (broken.some((run) => `${run.output.stdout}${run.output.stderr}`.includes(MARK))) return true;
  const before = scores(real);
  const after = scores(broken);
  const same = Math.min(...before) === Math.max(...after) && Math.max(...before) === Math.min(...after);
  if (same) return false;
  // Better counts as well as worse: an empty file is small, and has no lint findings.
  const gap = Math.max(Math.min(...after) - Math.max(...before), Math.min(...before) - Math.max(...after));
  // One cold start can take twice as long as the next run: one pair alone proves nothing.
  if (real.length > 1 && gap > 0.5 * Math.abs(mean(before))) return true;
  if (real.length < PAIRS) return 'unsure';
  // A scorer that varies and didn't load the file would vary on the canary as well.
  const [value] = after;
  if (value !== undefined && after.length === broken.length && after.every((each) => each === value) && !before.includes(value) && new Set(before).size === before.length) return true;
  const spread = Math.max(...before) - Math.min(...before) + Math.max(...after) - Math.min(...after);
  return gap > spread;
}

/** Runs of each kind after which `canarySeen` decides. */
const PAIRS = 3;

function scores(runs: readonly Measurement[]): readonly number[] {
  return runs.flatMap((run) => run.reading.score ?? []);
}
