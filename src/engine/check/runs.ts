import { signsIn, type Sample, type Samples } from '../../loop/audit/evidence.ts';
import type { Step } from '../../loop/audit/steps.ts';
import { oneLine } from '../../loop/one-line.ts';
import type { Measuring } from '../run/context.ts';
import { measure, type Measurement } from '../run/measure.ts';
import { baselineSentence, baselineTimeoutMs } from '../run/timing.ts';
import type { Slot } from '../scratch/slot.ts';
import type { WorkFolders } from '../work-folders.ts';

/** What running the scorer for a check needs. */
export interface RunsContext extends Omit<Measuring, 'slot' | 'ioFolder'> {
  readonly text: string;
  readonly folders: WorkFolders;
  readonly now: () => Date;
  readonly signal: AbortSignal;
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

/** A break that makes the file so much slower has been noticed: nobody waits for its end. */
const SLOWER = 5;
const LEAST_TIMEOUT_MS = 5_000;
/** A run on a busy machine takes longer than the one before. */
const RESERVE = 1.5;
const MAX_WHY_CHARS = 300;
const MAX_ALTERED = 5;

/** Runs of the scorer in one private view of the workspace, and now and then in two. */
export class CheckRuns {
  private readonly context: RunsContext;
  private readonly slot: Slot;
  private readonly ioFolder: string;
  private readonly openMs: number;

  private constructor(context: RunsContext, slot: Slot, ioFolder: string, openMs: number) {
    this.context = context;
    this.slot = slot;
    this.ioFolder = ioFolder;
    this.openMs = openMs;
  }

  /** Opens the view for as long as `use` goes on. */
  static async with<T>(context: RunsContext, use: (runs: CheckRuns) => Promise<T>): Promise<T> {
    const beganMs = context.now().getTime();
    return context.folders.with(context.workspace, context.signal, (slot, ioFolder) => use(new CheckRuns(context, slot, ioFolder, context.now().getTime() - beganMs)));
  }

  /** One sentence on how the candidate is put in the target's place. */
  get how(): string {
    return this.slot.how;
  }

  /** How long a step will take, from the time of the unchanged file. */
  expectedMs({ kind }: Step, scorerMs = 0): number {
    return RESERVE * scorerMs + (kind === 'pair' ? this.openMs + scorerMs : 0);
  }

  /** Undefined where it was broken off: by a stop, or because the check's time was over. */
  async run(step: Step, limits: StepLimits): Promise<StepDone | undefined> {
    if (step.kind === 'pair') return this.runPair(step, limits);
    const { timeoutMs, isShort } = this.timeout(limits);
    const run = await this.measured(step, this.slot, this.ioFolder, timeoutMs);
    if (isBrokenOff(run, isShort)) return undefined;
    const samples = { [step.id]: sampleOf(run, limits.nextOrder, this.context.plan.metric.name) };
    return step.kind === 'baseline' && run.reading.score === undefined ? { samples, problem: baselineSentence(run, { ...this.context, slot: this.slot }) } : { samples };
  }

  private async runPair(step: Step, limits: StepLimits): Promise<StepDone | undefined> {
    const { timeoutMs, isShort } = this.timeout(limits);
    const runs = await this.context.folders.with(this.context.workspace, this.context.signal, (slot, ioFolder) => Promise.all([
      this.measured(step, this.slot, this.ioFolder, timeoutMs), this.measured(step, slot, ioFolder, timeoutMs, 'second'),
    ]));
    if (runs.some((run) => isBrokenOff(run, isShort))) return undefined;
    return { samples: Object.fromEntries(runs.map((run, index) => [`${step.id}${index + 1}`, sampleOf(run, limits.nextOrder + index, this.context.plan.metric.name)])) };
  }

  private measured(step: Step, slot: Slot, ioFolder: string, timeoutMs: number, mark = 'first'): Promise<Measurement> {
    const { context } = this;
    const measuring = { ...context, plan: { ...context.plan, seed: step.seed }, slot, ioFolder, mark: `${context.mark}.${mark}` };
    return measure(measuring, step.text(), step.kind === 'canary' ? 'canary' : 'candidate', timeoutMs, context.signal, () => undefined);
  }

  /** `isShort`: the check's time ends before a run would have taken too long. */
  private timeout({ scorerMs, leftMs, isNeeded }: StepLimits): { readonly timeoutMs: number; readonly isShort: boolean } {
    const { plan } = this.context;
    if (scorerMs === undefined) return { timeoutMs: baselineTimeoutMs(plan), isShort: false };
    const ownMs = Math.min(plan.timeoutMs ?? Infinity, Math.max(LEAST_TIMEOUT_MS, SLOWER * scorerMs));
    if (isNeeded) return { timeoutMs: Math.min(ownMs, Math.max(leftMs, LEAST_TIMEOUT_MS, 2 * scorerMs)), isShort: false };
    return { timeoutMs: Math.min(ownMs, Math.max(1, leftMs)), isShort: leftMs < ownMs };
  }
}

function isBrokenOff({ outcome }: Measurement, isShort: boolean): boolean {
  return outcome === 'cancelled' || (outcome === 'timed-out' && isShort);
}

function sampleOf({ reading, output, durationMs, seed, altered }: Measurement, order: number, metric: string): Sample {
  const claimed = reading.metrics[`${metric}_rme`];
  return {
    order,
    outcome: reading.outcome,
    ...(reading.score === undefined ? {} : { score: reading.score }),
    durationMs,
    seed,
    why: oneLine(reading.why, MAX_WHY_CHARS),
    values: reading.values,
    ...(reading.cases.length === 0 ? {} : { cases: reading.cases.length }),
    ...(claimed === undefined ? {} : { claimed }),
    signs: signsIn(`${output.stdout}\n${output.stderr}`),
    altered: altered.slice(0, MAX_ALTERED),
  };
}
