import type { Measured } from '../../records.ts';
import { slipsSince, type Slips } from '../../loop/clocks.ts';
import { isTiming } from '../../loop/timing-metric.ts';
import { allRuns, type RunState } from '../../loop/ledger.ts';
import type { Power, PowerSource } from '../conditions/power.ts';
import type { RunContext } from './context.ts';
import { spoiledWords } from './spoiled.ts';
import type { Change } from './surroundings.ts';

interface Moment {
  readonly slips: Slips;
  readonly power: Power;
}

/** Under what conditions a run measures: its clocks, and where its score depends on that, what feeds the machine and how hot it is. */
export class Conditions {
  private readonly context: Pick<RunContext, 'clocks' | 'readPower'>;
  private readonly matters: boolean;
  /** What fed the machine when it was looked at last, and what others are compared with was measured. */
  private now: PowerSource;
  private compared: PowerSource;

  constructor(context: Pick<RunContext, 'clocks' | 'readPower'>, { plan, attempts }: Pick<RunState, 'plan' | 'attempts'>) {
    this.context = context;
    this.matters = isTiming(plan);
    // Of a run that is resumed the ledger tells. The last attempt need not have its last run: an epoch measures start file and best.
    const last = attempts.flatMap(allRuns).reduce<Measured | undefined>((latest, one) => (latest === undefined || one.seq > latest.seq ? one : latest), undefined);
    if (last !== undefined) this.compared = last.onBattery === true ? 'battery' : 'mains';
  }

  /** What a run of the scorer that ends now is measured under, where that matters. */
  get onBattery(): boolean {
    return this.now === 'battery';
  }

  async look(): Promise<Moment> {
    const power = this.matters ? await this.context.readPower() : {};
    this.now = power.source;
    return { slips: this.context.clocks.slips(), power };
  }

  /** Why what was measured since then can't be judged; undefined where it can. `inVain`: how often it was made already. */
  async spoiledSince({ slips, power }: Moment, inVain: number): Promise<string | undefined> {
    const now = await this.look();
    return spoiledWords({ slips: slipsSince(slips, now.slips), before: power, after: now.power }, inVain);
  }

  /** A sentence where a run begins on a battery. Once. */
  news(): string | undefined {
    const isFirst = this.compared === undefined;
    this.compared ??= this.now;
    return isFirst && this.now === 'battery' ? 'The machine runs on its battery: what is measured may be slower, and vary more, than on mains.' : undefined;
  }

  /** Why nothing from before is compared with what is measured from now on: the machine is fed by something else. */
  async changed(): Promise<Change | undefined> {
    await this.look();
    if (this.now === undefined || this.compared === undefined || this.now === this.compared) return undefined;
    this.compared = this.now;
    const what = this.now === 'battery' ? 'The machine runs on its battery now.' : 'The machine is on mains again.';
    return { why: `${what} Start file and best so far are measured anew; times from before are compared with none after.`, changed: [] };
  }
}
