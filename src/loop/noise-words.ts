import type { Metric } from '../records.ts';
import { firstRun } from './first-run.ts';
import { formatNumber } from './format.ts';
import type { RunState } from './ledger.ts';
import { deviation } from './verifier/spread.ts';

/**
 * How much one run of the scorer on the start file varies by itself, as a person reads it: "noise ±0.42", "noise ±6 %"; "the same in every
 * run" where nothing varied. Beside it what the runner itself claims, where it does. Undefined while one run is all that
 * is known.
 */
export function noiseWords(state: RunState): string | undefined {
  const { known, plan } = state;
  if (known === undefined || known.baselineRuns + known.judged < 2) return undefined;
  if (known.grain === undefined) return known.baselineRuns < 2 ? undefined : `the same in ${known.baselineRuns} runs`;
  const sd = deviation(known.start ?? known.spread);
  const ours = known.scale.logarithmic ? percent(sd) : `±${formatNumber(sd, 2)}${unitOf(plan.metric)}`;
  const claimed = firstRun(state)?.metrics?.[`${plan.metric.name}_rme`];
  return claimed === undefined || !known.scale.logarithmic ? `noise ${ours}` : `noise ${ours} (the runner says ±${formatNumber(claimed, 2)} %)`;
}

function percent(sd: number): string {
  return `±${formatNumber(100 * Math.expm1(sd), 2)} %`;
}

function unitOf({ unit }: Metric): string {
  return unit === undefined ? '' : ` ${unit}`;
}
