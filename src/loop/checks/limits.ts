import type { LimitPlan, Measured, RunPlan } from '../../records.ts';
import { formatNumber } from '../format.ts';
import { mean } from '../verifier/spread.ts';

/** The number of the target's lines, where the scorer prints nothing under that name. */
export const LINES = 'lines';

/** A train.py may use a tenth more memory than the start file, where nobody says otherwise. */
const TRAIN_MEMORY: LimitPlan = { metric: 'peak_vram_mb', bound: 'growth', value: 0.1 };

/** "+5%", "-10 %", "<= 300", ">= 10", "at most 300", "at least 10"; undefined for anything else. */
export function readLimit(metric: string, text: string): LimitPlan | undefined {
  const [, sign, share] = /^([+-]) ?(\d+(?:\.\d+)?) ?%$/.exec(text.trim()) ?? [];
  if (share !== undefined) return { metric, bound: sign === '+' ? 'growth' : 'fall', value: Number(share) / 100 };
  const [, word = '', value] = /^(<=|>=|≤|≥|at most|at least) ?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(text.trim()) ?? [];
  if (value === undefined || !Number.isFinite(Number(value))) return undefined;
  return { metric, bound: /^(?:<=|≤|at most)$/i.test(word) ? 'at-most' : 'at-least', value: Number(value) };
}

/** A limit as screens say it: "peak_vram_mb +5 %". */
export function limitWords({ metric, bound, value }: LimitPlan): string {
  switch (bound) {
    case 'growth':
      return `${metric} +${formatNumber(100 * value, 4)} %`;
    case 'fall':
      return `${metric} -${formatNumber(100 * value, 4)} %`;
    case 'at-most':
      return `${metric} <= ${formatNumber(value, 7)}`;
    case 'at-least':
      return `${metric} >= ${formatNumber(value, 7)}`;
  }
}

/** The names of limited metrics that the unchanged file's run doesn't give. */
export function unknownLimits({ limits = [] }: Pick<RunPlan, 'limits'>, baseline: Measured | undefined): readonly string[] {
  return limits.filter(({ metric }) => baseline?.metrics?.[metric] === undefined).map(({ metric }) => metric);
}

/**
 * The first limit that a candidate breaks, in one sentence. The mean over its runs counts, against the mean over those of
 * the start file. `settled`: no further run will come; until then only a metric that never varied breaks a limit.
 */
export function brokenLimit(plan: Pick<RunPlan, 'limits' | 'trainPy'>, runs: readonly Measured[], start: readonly Measured[], settled: boolean): string | undefined {
  for (const limit of limitsOf(plan, start)) {
    const values = valuesOf(limit.metric, runs);
    const usual = valuesOf(limit.metric, start);
    if (values.length === 0) {
      if (plan.limits?.includes(limit) === true) return `It no longer gives \`${limit.metric}\`, which has a limit.`;
      continue;
    }
    if (!settled && (usual.length < 2 || usual.some((value) => value !== usual[0]))) continue;
    const sentence = breach(limit, mean(values), usual.length === 0 ? undefined : mean(usual));
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

function limitsOf({ limits = [], trainPy }: Pick<RunPlan, 'limits' | 'trainPy'>, start: readonly Measured[]): readonly LimitPlan[] {
  const isOwn = limits.some(({ metric }) => metric === TRAIN_MEMORY.metric);
  const usual = valuesOf(TRAIN_MEMORY.metric, start);
  return trainPy && !isOwn && usual.length > 0 && mean(usual) > 0 ? [...limits, TRAIN_MEMORY] : limits;
}

function breach({ metric, bound, value: limit }: LimitPlan, value: number, usual: number | undefined): string | undefined {
  const show = (shown: number): string => formatNumber(shown, 6);
  switch (bound) {
    case 'at-most':
      return value > limit ? `\`${metric}\` is ${show(value)}; at most ${show(limit)} is allowed.` : undefined;
    case 'at-least':
      return value < limit ? `\`${metric}\` is ${show(value)}; at least ${show(limit)} is asked for.` : undefined;
    case 'growth':
      if (usual === undefined || value <= usual + limit * Math.abs(usual) + DUST * Math.abs(usual)) return undefined;
      return `\`${metric}\` is ${show(value)}; the start file has ${show(usual)}, and ${show(100 * limit)} % more is allowed.`;
    case 'fall':
      if (usual === undefined || value >= usual - limit * Math.abs(usual) - DUST * Math.abs(usual)) return undefined;
      return `\`${metric}\` is ${show(value)}; the start file has ${show(usual)}, and ${show(100 * limit)} % less is allowed.`;
  }
}

/** Rounding of a mean is no growth. */
const DUST = 1e-12;

function valuesOf(metric: string, runs: readonly Measured[]): readonly number[] {
  return runs.flatMap((run) => run.metrics?.[metric] ?? []);
}
