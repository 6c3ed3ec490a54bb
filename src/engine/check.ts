import { evidenceOf, type Sample, type Samples } from '../loop/audit/evidence.ts';
import { checkBudgetMs, estimateRun } from '../loop/audit/estimate.ts';
import { auditOf, type Audit } from '../loop/audit/mutants.ts';
import { noOp } from '../loop/audit/no-op.ts';
import { referenceOf } from '../loop/audit/reference.ts';
import { checkReport, type CheckReport, type ReportInput } from '../loop/audit/report.ts';
import { isCanarySeen } from '../loop/audit/sickness.ts';
import { stepsOf, wantedSteps, type Step } from '../loop/audit/steps.ts';
import type { ProtectedRange } from '../loop/protect.ts';
import { seedLiterals, withSeed } from '../loop/seed-literal.ts';
import type { SyntaxTree } from '../loop/syntax.ts';
import type { CheckProgress } from '../protocol.ts';
import type { CheckRecords } from './check/records.ts';
import { CheckRuns, type RunsContext } from './check/runs.ts';
import { canaryTexts } from './run/canary.ts';
import { likelyLoaded } from './run/canary-hint.ts';

/** All that a check needs. Time is handed in. */
export interface CheckContext extends RunsContext, Pick<ReportInput, 'repeated' | 'strategy' | 'readChars'> {
  readonly tree: SyntaxTree | undefined;
  readonly protectedRanges: readonly ProtectedRange[];
  /** The exact command line, for the report. */
  readonly command: string;
  /** Names what is checked (check/key.ts). */
  readonly key: string;
  readonly records: CheckRecords;
  readonly onProgress: (progress: CheckProgress) => void;
}

/**
 * Is this loopable? Runs the scorer on the unchanged target, on broken ones and on one with a comment more, as long as
 * the time allows, and goes on where an earlier check of the same text and scorer ended. What was measured is kept after
 * each run. When the signal fires, the report of what is known so far is given.
 */
export async function check(context: CheckContext): Promise<CheckReport> {
  const { plan, text, signal } = context;
  const audit = auditOf(text, context.tree, context.protectedRanges);
  const comment = noOp(text, plan.target);
  const seeds = seedLiterals(text, context.tree, plan.verifier?.seed);
  const steps = stepsOf({ text, audit, reseeded: (seed) => withSeed(text, seeds, seed), canaries: canaryTexts(plan.target), seed: plan.seed, ...(comment === undefined ? {} : { noOp: comment }) });
  const course = new Course(context, { audit, steps, seeds: [...new Set(seeds.map(({ name }) => name))] }, await context.records.read(context.key));
  if (course.next() !== undefined && !signal.aborted) await CheckRuns.with(context, (runs) => course.run(runs));
  await context.records.tidy();
  return course.report();
}

/** What a check sets out to do. */
interface Planned {
  readonly audit: Audit;
  readonly steps: readonly Step[];
  /** Names of the target's own seeds. */
  readonly seeds: readonly string[];
}

/** One check while it goes: what was measured, and what is still wanted. */
class Course {
  private readonly context: CheckContext;
  private readonly audit: Audit;
  private readonly steps: readonly Step[];
  private readonly seeds: readonly string[];
  private samples: Samples;
  private scratch: string | undefined;
  private baselineProblem: string | undefined;
  private readonly beganMs: number;

  constructor(context: CheckContext, { audit, steps, seeds }: Planned, known: { readonly samples: Samples; readonly scratch?: string }) {
    this.context = context;
    this.audit = audit;
    this.steps = steps;
    this.seeds = seeds;
    this.samples = known.samples;
    this.scratch = known.scratch;
    this.beganMs = context.now().getTime();
  }

  /** The first step that is wanted and not done. */
  next(): Step | undefined {
    return this.wanted()[0];
  }

  /** Goes through the steps until all are done, the time is over, or nothing more can be learned. */
  async run(runs: CheckRuns): Promise<void> {
    const { context } = this;
    this.scratch = runs.how;
    for (let step = this.next(); step !== undefined && !context.signal.aborted; step = this.next()) {
      const scorerMs = this.scorerMs();
      const leftMs = this.budgetMs() - this.spentMs();
      // Without the unchanged file and the broken one nothing can be said, so they are run however long they take.
      const isNeeded = scorerMs === undefined || step.kind === 'canary';
      if (!isNeeded && runs.expectedMs(step, scorerMs) > leftMs) return;
      this.tell(step);
      const done = await runs.run(step, { scorerMs, leftMs, isNeeded, nextOrder: Object.keys(this.samples).length });
      if (done === undefined) return;
      this.samples = { ...this.samples, ...done.samples };
      this.baselineProblem = done.problem;
      // What fails may be mended outside of all that is named by the key: it is tried again the next time.
      if (!hasScore(this.samples)) return;
      await context.records.write(context.key, { samples: this.samples, scratch: runs.how });
    }
  }

  async report(): Promise<CheckReport> {
    const { context, audit, samples, scratch, baselineProblem } = this;
    const { plan, repeated, strategy, readChars, command, signal, workspace } = context;
    const evidence = evidenceOf(samples);
    const reference = referenceOf(evidence.baselines, plan.metric);
    const isUnseen = reference !== undefined && isCanarySeen(evidence, reference) === false;
    return checkReport({
      plan, audit, samples, seeds: this.seeds, repeated, strategy, readChars, scratch, nowMs: this.beganMs,
      ...(baselineProblem === undefined ? {} : { baselineProblem }),
      ...(isUnseen ? { loadedInstead: await likelyLoaded(workspace) } : {}),
    }, { command, spentMs: this.spentMs(), budgetMs: this.budgetMs(), left: hasScore(samples) ? this.wanted().length : 0, stopped: signal.aborted });
  }

  private wanted(): readonly Step[] {
    return wantedSteps(this.steps, this.samples, this.audit, this.context.plan.metric);
  }

  private scorerMs(): number | undefined {
    return evidenceOf(this.samples).baselines[0]?.durationMs;
  }

  private budgetMs(): number {
    const { plan, readChars } = this.context;
    return checkBudgetMs(estimateRun(plan, this.scorerMs() ?? 0, readChars, this.beganMs));
  }

  private spentMs(): number {
    return this.context.now().getTime() - this.beganMs;
  }

  private tell({ what }: Step): void {
    const done = Object.keys(this.samples).length;
    this.context.onProgress({ target: this.context.plan.target, doing: 'running', what, done, total: done + this.wanted().length, spentMs: this.spentMs(), budgetMs: this.budgetMs() });
  }
}

function hasScore(samples: Samples): boolean {
  return evidenceOf(samples).baselines.some(({ score }: Sample) => score !== undefined);
}
