import { normal, seeded, type NoiseKind } from './noises.ts';
import { PLAYERS } from './rules.ts';
import { line } from './table.ts';
import { World } from './world.ts';

/** A night in which a change alters the noise itself. */
interface Scenario {
  readonly name: string;
  /** In standard deviations of the start's run. */
  readonly effects: readonly number[];
  /** By how much each attempt multiplies its parent's noise. */
  readonly loudness: readonly number[];
  /** The attempt that should be kept. */
  readonly real?: number;
}

const NO_OPS = Array<number>(29).fill(0);

const SCENARIOS: readonly Scenario[] = [
  { name: 'the first attempt gains 30 σ and makes the noise 10 times as large; 29 no-ops follow', effects: [30, ...NO_OPS], loudness: [10], real: 0 },
  { name: 'the same, 100 times as large, a gain of 300 σ', effects: [300, ...NO_OPS], loudness: [100], real: 0 },
  { name: 'the same, twice as large, a gain of 6 σ', effects: [6, ...NO_OPS], loudness: [2], real: 0 },
  { name: '30 attempts that change nothing but their own noise, which is twice as large', effects: [0, ...NO_OPS], loudness: Array<number>(30).fill(2) },
  { name: 'the same, 3 times as large', effects: [0, ...NO_OPS], loudness: Array<number>(30).fill(3) },
  { name: 'the same, 10 times as large', effects: [0, ...NO_OPS], loudness: Array<number>(30).fill(10) },
  { name: 'one such attempt, 10 times as large; the last of 29 others gains 2 σ', effects: [...NO_OPS, 2], loudness: [10], real: 29 },
  { name: 'ten such attempts, 10 times as large; the last of 20 others gains 2 σ', effects: [...NO_OPS, 2], loudness: Array<number>(10).fill(10), real: 29 },
  { name: 'the first attempt gains 6 σ and makes the noise a tenth; the last of 29 others gains 2 of the new σ', effects: [6, ...NO_OPS.slice(1), 0.2], loudness: [0.1], real: 29 },
];

const GAUSSIAN: NoiseKind = { name: 'Gaussian', start: (random) => () => normal(random) };

/** What Ratchet makes of changes that alter the noise, as a table in Markdown. */
export function printedLouder(runs: number, seed: number): string {
  const rule = PLAYERS['Ratchet'];
  if (rule === undefined) throw new Error('nobody plays as Ratchet');
  const rows = SCENARIOS.map(({ name, effects, loudness, real }, index) => {
    let falsely = 0;
    let found = 0;
    let cost = 0;
    for (let run = 0; run < runs; run++) {
      const world = new World(GAUSSIAN, effects, seeded(seed + index * 1e7 + run * 7919), loudness);
      rule(world);
      if (world.kept.some((effect) => effect === 0)) falsely++;
      if (real !== undefined && world.kept.includes(effects[real] ?? 0)) found++;
      cost += world.runs / effects.length;
    }
    const share = (count: number): string => ((100 * count) / runs).toFixed(1);
    return line([name, share(falsely), real === undefined ? '' : share(found), (cost / runs).toFixed(2)]);
  });
  const head = ['noise that a change alters', 'a no-op is kept, % of runs', 'the gain is kept, %', 'runs an attempt'];
  return ['**Ratchet, where a change alters the noise**', '', line(head), line(head.map(() => '---')), ...rows, ''].join('\n');
}
