import { seeded, type NoiseKind, type Random } from './noises.ts';
import { World, type Rule } from './world.ts';

/** What the rule does to one noise; percentages, and runs an attempt. */
export interface Cell {
  /** (a) 30 no-ops: runs in which anything is kept. */
  readonly anyOfNoOps: number;
  /** How many of the 30 are kept on the average. */
  readonly noOpsKept: number;
  /** How many of the 30 are left to a person on the average. */
  readonly noOpsWaiting: number;
  /** (d) the same: runs of the scorer an attempt, the parent's counted, the baseline's not. */
  readonly cost: number;
  /** (c) one gain of 2 σ among 29 no-ops: how often it is kept. */
  readonly twoSigma: number;
  /** (e) 30 losses of 1 σ: runs in which anything is kept. */
  readonly anyOfLosses: number;
  /** (b) 200 attempts, 20 gain 1 σ, 40 lose 1 σ: mean share of false keeps, share of the gains that is kept, runs an attempt. */
  readonly falseShare: number;
  readonly oneSigma: number;
  readonly longCost: number;
}

/** Plays every scenario `runs` times (the long one too) with seeds of its own. */
export function cellOf(rule: Rule, kind: NoiseKind, runs: number, seed: number): Cell {
  const noOps = many(rule, kind, runs, seed, () => Array<number>(30).fill(0));
  const good = many(rule, kind, runs, seed + 1e8, (random) => shuffled([2, ...Array<number>(29).fill(0)], random));
  const losses = many(rule, kind, runs, seed + 2e8, () => Array<number>(30).fill(-1));
  const long = many(rule, kind, runs, seed + 3e8, (random) => shuffled([...Array<number>(20).fill(1), ...Array<number>(40).fill(-1), ...Array<number>(140).fill(0)], random));
  const real = (world: World): number => world.kept.filter((effect) => effect > 0).length;
  return {
    anyOfNoOps: 100 * average(noOps, (world) => Math.min(1, world.kept.length)),
    noOpsKept: average(noOps, (world) => world.kept.length),
    noOpsWaiting: average(noOps, (world) => world.waiting),
    cost: average(noOps, (world) => world.runs / 30),
    twoSigma: 100 * average(good, real),
    anyOfLosses: 100 * average(losses, (world) => Math.min(1, world.kept.length)),
    falseShare: 100 * average(long, (world) => (world.kept.length === 0 ? 0 : 1 - real(world) / world.kept.length)),
    oneSigma: 100 * average(long, (world) => real(world) / 20),
    longCost: average(long, (world) => world.runs / 200),
  };
}

function many(rule: Rule, kind: NoiseKind, runs: number, seed: number, effects: (random: Random) => readonly number[]): readonly World[] {
  return Array.from({ length: runs }, (_, i) => {
    const random = seeded(seed + i * 7919);
    const world = new World(kind, effects(random), random);
    rule(world);
    return world;
  });
}

function average(worlds: readonly World[], value: (world: World) => number): number {
  return worlds.reduce((sum, world) => sum + value(world), 0) / worlds.length;
}

function shuffled(values: readonly number[], random: Random): readonly number[] {
  const all = [...values];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] ?? 0, all[i] ?? 0];
  }
  return all;
}
