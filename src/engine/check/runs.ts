import type { Sample, Samples } from '../../loop/audit/evidence.ts';
import { sampleOf } from '../../loop/audit/from-run.ts';
import type { Step } from '../../loop/audit/steps.ts';
import type { Measuring } from '../run/context.ts';
import { measure, type Measurement } from '../run/measure.ts';
import { baselineSentence, baselineTimeoutMs } from '../run/timing.ts';
import type { Slot } from '../scratch/slot.ts';

/** What running the scorer for a check needs. */
export interface RunsContext extends Omit<Measuring, 'slot' | 'ioFolder'> {
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

/** A private view of the workspace, and a folder for the result file. */
export type View = Pick<Measuring, 'slot' | 'ioFolder'>;

/** How a second view is opened, for two runs at once. */
export interface Another {
  readonly with: <T>(use: (slot: Slot, ioFolder: string) => Promise<T>) => Promise<T>;
  /** How long that takes. */
  readonly openMs: number;
}

/** What one step brought. */
export interface StepDone {
  readonly samples: Samples;
  /** Why the unchanged file has no score, and what to do. */
  readonly problem?: string;
}

export interface StepLimits {
  /** Wall time of the unchanged file; undefined before its first run. */
  readonly scorerMs: number | undefined;
  /** What is left of the check's time. */
  readonly leftMs: number;
  /** It is run for longer than that where it must. */
  readonly isNeeded: boolean;
  readonly nextOrder: number;
}

/** A break that makes the file so much slower has been noticed: nobody waits for its end, and of a dear scorer even less. */
const SLOWER = 5;
const SLOWER_WHERE_DEAR = 2;
const DEAR_MS = 60_000;
const LEAST_TIMEOUT_MS = 5_000;
/** A run on a busy machine takes longer than the one before. */
const RESERVE = 1.5;

/** Runs of the scorer in one private view of the workspace, and now and then in two. */
export class CheckRuns {
  private readonly context: RunsContext;
  private readonly view: View;
  private readonly another: Another | undefined;

  /** Without `another` no step is a pair. */
  constructor(context: RunsContext, view: View, another?: Another) {
    this.context = context;
    this.view = view;
    this.another = another;
  }

  /** One sentence on how the candidate is put in the target's place. */
  get how(): string {
    return this.view.slot.how;
  }

  /** How long a step will take, from the time of the unchanged file. */
  expectedMs({ kind }: Step, scorerMs = 0): number {
    return RESERVE * scorerMs + (kind === 'pair' ? (this.another?.openMs ?? 0) + scorerMs : 0);
  }

  /** Undefined where it was broken off: by a stop, or because the check's time was over. */
  async run(step: Step, limits: StepLimits): Promise<StepDone | undefined> {
    if (step.kind === 'pair') return this.runPair(step, limits);
    const { timeoutMs, isShort } = this.timeout(limits);
    const run = await this.measured(step, this.view, timeoutMs, 0);
    if (isBrokenOff(run, isShort)) return undefined;
    const samples = { [step.id]: asSample(run, limits.nextOrder, this.context.plan.metric.name) };
    return step.kind === 'baseline' && run.reading.score === undefined ? { samples, problem: baselineSentence(run, { ...this.context, slot: this.view.slot }) } : { samples };
  }

  private async runPair(step: Step, limits: StepLimits): Promise<StepDone | undefined> {
    const { another, view } = this;
    if (another === undefined) throw new Error('Two runs at once want two views.');
    const { timeoutMs, isShort } = this.timeout(limits);
    const runs = await another.with((slot, ioFolder) => Promise.all([this.measured(step, view, timeoutMs, 0), this.measured(step, { slot, ioFolder }, timeoutMs, 1)]));
    if (runs.some((run) => isBrokenOff(run, isShort))) return undefined;
    return { samples: Object.fromEntries(runs.map((run, index) => [`${step.id}${index + 1}`, asSample(run, limits.nextOrder + index, this.context.plan.metric.name)])) };
  }

  private measured(step: Step, view: View, timeoutMs: number, slotNumber: number): Promise<Measurement> {
    const { context } = this;
    const measuring = { ...context, ...view, slotNumber, plan: { ...context.plan, seed: step.seed }, mark: `${context.mark}.${slotNumber}` };
    return measure(measuring, step.text(), step.kind === 'canary' ? 'canary' : 'candidate', timeoutMs, context.signal, () => undefined);
  }

  /** `isShort`: the check's time ends before a run would have taken too long. */
  private timeout({ scorerMs, leftMs, isNeeded }: StepLimits): { readonly timeoutMs: number; readonly isShort: boolean } {
    const { plan } = this.context;
    if (scorerMs === undefined) return { timeoutMs: baselineTimeoutMs(plan), isShort: false };
    const ownMs = Math.min(plan.timeoutMs ?? Infinity, Math.max(LEAST_TIMEOUT_MS, (scorerMs < DEAR_MS ? SLOWER : SLOWER_WHERE_DEAR) * scorerMs));
    if (isNeeded) return { timeoutMs: Math.min(ownMs, Math.max(leftMs, LEAST_TIMEOUT_MS, 2 * scorerMs)), isShort: false };
    return { timeoutMs: Math.min(ownMs, Math.max(1, leftMs)), isShort: leftMs < ownMs };
  }
}

function isBrokenOff({ outcome }: Measurement, isShort: boolean): boolean {
  return outcome === 'cancelled' || (outcome === 'timed-out' && isShort);
}

function asSample({ reading, output, ...run }: Measurement, order: number, metric: string): Sample {
  return sampleOf({ ...reading, ...run }, { order, printed: `${output.stdout}\n${output.stderr}`, metric });
}
