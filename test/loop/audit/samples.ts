import { STEP, type Sample, type Samples } from '../../../src/loop/audit/evidence.ts';
import type { Audit } from '../../../src/loop/audit/mutants.ts';
import type { Mutant } from '../../../src/loop/audit/mutant.ts';
import { checkReport, type CheckLine, type CheckReport, type ReportInput } from '../../../src/loop/audit/report.ts';
import type { LineId } from '../../../src/loop/audit/lines/line.ts';
import { SAMPLE_PLAN } from '../sample-plan.ts';

/** A run as it comes out of a check. */
export function sample(score: number | undefined, more: Partial<Sample> = {}): Sample {
  return {
    order: 0, outcome: score === undefined ? 'crashed' : 'scored', ...(score === undefined ? {} : { score }), durationMs: 1_000, seed: 1,
    why: score === undefined ? 'The scorer ended with exit code 1.' : 'read from the line', values: 1, signs: [], altered: [], ...more,
  };
}

/** The unchanged file's runs in order, with the seeds of a check; the broken one crashed. */
export function runs(scores: readonly (number | undefined)[], more: Samples = {}): Samples {
  const seeds = [1, 1, 2, 1, 3];
  const baselines = scores.map((score, index) => [`${STEP.baseline}${index + 1}`, sample(score, { order: 10 * index, seed: seeds[index] ?? 1 })] as const);
  return { ...Object.fromEntries(baselines), [`${STEP.canary}1`]: sample(undefined, { order: 1, signs: ['canary'] }), ...more };
}

export const F: Mutant = { id: 'emptied:f', region: 'f', line: 3, kind: 'emptied', description: 'its body emptied', start: 0, end: 1, by: '' };
export const F2: Mutant = { ...F, id: 'branch:f', kind: 'branch', description: 'a branch inverted in line 4' };
export const G: Mutant = { ...F, id: 'emptied:g', region: 'g', line: 40 };
export const AUDIT: Audit = {
  regions: [{ name: 'f', kind: 'function', from: 2, to: 9 }, { name: 'g', kind: 'function', from: 40, to: 71 }, { name: 'A', kind: 'constant', from: 1, to: 1 }],
  mutants: [F, G, F2],
};

/** A report on these runs. */
export function reportOn(samples: Samples, { plan, ...more }: Partial<ReportInput> = {}): CheckReport {
  return checkReport({
    plan: { ...SAMPLE_PLAN, ...plan }, audit: AUDIT, samples, seeds: [], repeated: 'said', strategy: 'Make it right for every case that the tests hold.', readChars: 4_000, scratch: 'A layer.', nowMs: 0, ...more,
  }, { command: 'true', spentMs: 1, budgetMs: 120_000, left: 0, stopped: false });
}

export function lineOn(id: LineId, samples: Samples, more: Partial<ReportInput> = {}): CheckLine {
  const line = reportOn(samples, more).lines.find((each) => each.id === id);
  if (line === undefined) throw new Error(`There is no line ${id}.`);
  return line;
}
