import type { Noise, NoiseKind, Random } from './noises.ts';

/** One simulated night: a parent, and one candidate after the other with a known true effect in standard deviations of one run. */
export class World {
  /** Runs of the scorer, the baseline's apart. */
  runs = 0;
  baselineRuns = 0;
  /** Effects of what was kept. */
  readonly kept: number[] = [];
  /** Attempts that look better and were left for a person to decide. */
  waiting = 0;
  readonly effects: readonly number[];
  private readonly noise: Noise;
  private readonly step: number | undefined;
  private readonly phase: number;
  private champion = 0;
  /** Of a noise that is fixed: what each text draws, by its attempt; the start is -1. */
  private readonly draws: Map<number, number> | undefined;
  private text = -1;
  /** By how much each attempt multiplies the noise of its parent; where it says nothing, not at all. */
  private readonly loudness: readonly number[];
  private volume = 1;

  constructor(kind: NoiseKind, effects: readonly number[], random: Random, loudness: readonly number[] = []) {
    this.effects = effects;
    this.loudness = loudness;
    this.noise = kind.start(random);
    this.step = kind.step;
    this.draws = kind.fixed === true ? new Map() : undefined;
    // Where the true value lies between two steps.
    this.phase = (kind.step ?? 0) * random();
  }

  /** A run of the unchanged start that isn't counted. */
  baseline(): number {
    this.baselineRuns++;
    return this.scored(0, -1, 1);
  }

  parent(): number {
    this.runs++;
    return this.scored(this.champion, this.text, this.volume);
  }

  candidate(attempt: number): number {
    this.runs++;
    return this.scored(this.champion + (this.effects[attempt] ?? 0), attempt, this.volume * (this.loudness[attempt] ?? 1));
  }

  keep(attempt: number): void {
    const effect = this.effects[attempt] ?? 0;
    this.kept.push(effect);
    this.champion += effect;
    this.text = attempt;
    this.volume *= this.loudness[attempt] ?? 1;
  }

  private scored(truth: number, text: number, volume: number): number {
    const noise = volume * (this.draws?.get(text) ?? this.noise());
    this.draws?.set(text, noise / volume);
    const value = truth + noise;
    return this.step === undefined ? value : Math.round((value + this.phase) / this.step) * this.step;
  }
}

/** Plays a whole night by one way of judging. */
export type Rule = (world: World) => void;
