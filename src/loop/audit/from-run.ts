import type { Measured } from '../../records.ts';
import { oneLine } from '../one-line.ts';
import { signsIn, STEP, type Sample, type Samples } from './evidence.ts';

const MAX_WHY_CHARS = 300;
const MAX_ALTERED = 5;
const MOST_OTHERS = 8;

/** One run of the scorer as a check keeps it. `printed`: its output; `order`: how many runs came before. */
export function sampleOf(run: Pick<Measured, 'outcome' | 'score' | 'durationMs' | 'seed' | 'why' | 'values' | 'cases' | 'metrics' | 'altered'>, { order, printed, metric }: { readonly order: number; readonly printed: string; readonly metric: string }): Sample {
  const claimed = run.metrics?.[`${metric}_rme`];
  return {
    order,
    outcome: run.outcome,
    ...(run.score === undefined ? {} : { score: run.score }),
    durationMs: run.durationMs,
    seed: run.seed,
    why: oneLine(run.why, MAX_WHY_CHARS),
    values: run.values,
    ...(run.cases === undefined || run.cases.length === 0 ? {} : { cases: run.cases.length }),
    ...(claimed === undefined ? {} : { claimed }),
    signs: signsIn(printed),
    altered: (run.altered ?? []).slice(0, MAX_ALTERED),
  };
}

/** The runs of a run's start that a check would have made as well, by the ids of its steps. */
export function stepsOfRun(start: readonly Measured[], seed: number): ReadonlyMap<string, Measured> {
  const others = start.filter((run) => run.role === 'parent' && run.outcome === 'scored' && run.seed !== seed);
  const found: readonly (readonly [string, Measured | undefined])[] = [
    [`${STEP.baseline}1`, start.find(({ role }) => role === 'candidate')],
    [`${STEP.canary}1`, start.find(({ role }) => role === 'canary')],
    // A check takes other seeds in its third and fifth place too; more of them tell more of the noise.
    ...others.slice(0, MOST_OTHERS).map((run, index) => [`${STEP.baseline}${index === 0 ? 3 : 4 + index}`, run] as const),
  ];
  return new Map(found.flatMap(([id, run]) => (run === undefined ? [] : [[id, run] as const])));
}

/** The same as samples. `printedOf`: the output of one of these runs. */
export async function samplesOfRun(steps: ReadonlyMap<string, Measured>, metric: string, printedOf: (run: Measured) => Promise<string>): Promise<Samples> {
  const samples: Record<string, Sample> = {};
  const inOrder = [...steps].sort(([, a], [, b]) => a.seq - b.seq);
  for (const [order, [id, run]] of inOrder.entries()) samples[id] = sampleOf(run, { order, printed: await printedOf(run), metric });
  return samples;
}
