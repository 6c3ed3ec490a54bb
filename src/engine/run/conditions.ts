import { slipsSince, type Slips } from '../../loop/clocks.ts';
import { isTiming } from '../../loop/timing-metric.ts';
import type { Power, PowerSource } from '../conditions/power.ts';
import type { RunContext } from './context.ts';
import { spoiledWords } from './spoiled.ts';

/** So many runs tell how the best so far does on a battery, or on mains again. */
const RUNS_ANEW = 3;

interface Moment {
  readonly slips: Slips;
  readonly power: Power;
}

/** Under what conditions a run measures: its clocks, and where its score depends on that, what feeds the machine and how hot it is. */
export class Conditions {
  private readonly context: Pick<RunContext, 'clocks' | 'readPower' | 'plan'>;
  private readonly matters: boolean;
  /** What fed the machine when it was looked at last, when that was told, and when what others are compared with was measured. */
  private now: PowerSource;
  private told: PowerSource = 'mains';
  private compared: PowerSource;

  constructor(context: Pick<RunContext, 'clocks' | 'readPower' | 'plan'>) {
    this.context = context;
    this.matters = isTiming(context.plan);
  }

  async look(): Promise<Moment> {
    const power = this.matters ? await this.context.readPower() : {};
    this.now = power.source;
    this.compared ??= power.source;
    return { slips: this.context.clocks.slips(), power };
  }

  /** Why what was measured since then can't be judged; undefined where it can. `before`: how often it was made in vain. */
  async spoiledSince({ slips, power }: Moment, before: number): Promise<string | undefined> {
    const now = await this.look();
    return spoiledWords({ slips: slipsSince(slips, now.slips), before: power, after: now.power }, before);
  }

  /** A sentence where the machine is fed by something else than was said last. */
  news(): string | undefined {
    if (this.now === undefined || this.now === this.told) return undefined;
    this.told = this.now;
    return this.now === 'battery'
      ? 'The machine runs on its battery: what it measures now may be slower than on mains, and is compared with what was measured on battery alone.'
      : 'The machine is on mains again: the best so far is measured anew before anything is compared with it.';
  }

  /** How often the best so far is to be run before anything is compared with it: it was measured on a battery, or on mains, and now that is over. */
  async runsAnew(): Promise<number> {
    await this.look();
    if (this.now === undefined || this.now === this.compared) return 0;
    this.compared = this.now;
    return RUNS_ANEW;
  }
}
