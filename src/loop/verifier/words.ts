import type { RunPlan } from '../../records.ts';
import { formatNumber } from '../format.ts';
import { verifierOf } from './care.ts';

/** How a run makes sure of what it keeps: "each: what looks better is run again, at most 20 runs; 95 %". */
export function checkingWords(plan: Pick<RunPlan, 'verifier'>): string {
  const { confirm, confidence, maxRepeats } = verifierOf(plan);
  const bounds = `at most ${maxRepeats} runs; ${formatNumber(100 * confidence, 4)} %`;
  switch (confirm) {
    case 'each':
      return `each: what looks better is run again, ${bounds}`;
    case 'night':
      return `night: what looks better is run again in the last quarter, ${bounds}`;
    case 'off':
      return 'off: whatever scores better in one run is kept';
  }
}

/** The noise as a person gave it; undefined where nobody did. */
export function givenNoiseWords({ verifier, metric }: Pick<RunPlan, 'verifier' | 'metric'>, seededInside: boolean): string | undefined {
  if (verifier?.noise === undefined) return undefined;
  return `±${formatNumber(verifier.noise, 5)}${metric.unit === undefined ? '' : ` ${metric.unit}`} from ${seededInside ? 'seed to seed' : 'run to run'}, as you said`;
}

/** Whether only a person can tell how much of a gain is the luck of a seed: the target seeds itself, and nobody told. */
export function asksForNoise(plan: Pick<RunPlan, 'verifier'>, seededInside: boolean): boolean {
  const { confirm, noise } = verifierOf(plan);
  return seededInside && confirm !== 'off' && noise === undefined;
}
