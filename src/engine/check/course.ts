import { evidenceOf, type Evidence, type Sample, type Samples } from '../../loop/audit/evidence.ts';
import { findingsOf, type Finding } from '../../loop/audit/findings.ts';
import { auditOf, type Audit } from '../../loop/audit/mutants.ts';
import { noOp } from '../../loop/audit/no-op.ts';
import { referenceOf, type Reference } from '../../loop/audit/reference.ts';
import type { ReportInput } from '../../loop/audit/report.ts';
import { stepsOf, wantedSteps, type Step } from '../../loop/audit/steps.ts';
import type { ProtectedRange } from '../../loop/protect.ts';
import { seedLiterals, withSeed } from '../../loop/seed-literal.ts';
import type { SyntaxTree } from '../../loop/syntax.ts';
import type { RunPlan } from '../../records.ts';
import { canaryTexts } from '../run/canary.ts';
import type { CheckRecords } from './records.ts';
import type { CheckRuns, StepLimits } from './runs.ts';

/** What is checked, and where what was measured of it is kept. */
export interface Checked {
  readonly plan: RunPlan;
  readonly text: string;
  readonly tree: SyntaxTree | undefined;
  readonly protectedRanges: readonly ProtectedRange[];
  /** Names what is checked (key.ts). */
  readonly key: string;
  readonly records: CheckRecords;
}

/** One check while it goes: what was measured so far, by whichever check or run of the same text and scorer, and what is still wanted. */
export class Course {
  readonly audit: Audit;
  private readonly checked: Checked;
  private readonly steps: readonly Step[];
  /** Names of the target's own seeds. */
  private readonly seeds: readonly string[];
  private samples: Samples;
  private scratch: string | undefined;
  private baselineProblem: string | undefined;

  private constructor(checked: Checked, known: { readonly samples: Samples; readonly scratch?: string }) {
    const { plan, text, tree, protectedRanges } = checked;
    const seeds = seedLiterals(text, tree, plan.verifier?.seed);
    const comment = noOp(text, plan.target);
    this.checked = checked;
    this.audit = auditOf(text, tree, protectedRanges);
    this.seeds = [...new Set(seeds.map(({ name }) => name))];
    this.steps = stepsOf({ text, audit: this.audit, reseeded: (seed) => withSeed(text, seeds, seed), canaries: canaryTexts(plan.target), seed: plan.seed, ...(comment === undefined ? {} : { noOp: comment }) });
    this.samples = known.samples;
    this.scratch = known.scratch;
  }

  /** With what earlier checks left. */
  static async open(checked: Checked): Promise<Course> {
    return new Course(checked, await checked.records.read(checked.key));
  }

  /** Runs of the scorer that are known. */
  get runs(): number {
    return Object.keys(this.samples).length;
  }

  /** Wall time of the unchanged file; undefined before its first run. */
  get scorerMs(): number | undefined {
    return evidenceOf(this.samples).baselines[0]?.durationMs;
  }

  get hasScore(): boolean {
    return evidenceOf(this.samples).baselines.some(({ score }: Sample) => score !== undefined);
  }

  /** The steps that are not done and still tell something, the most telling first. */
  wanted(): readonly Step[] {
    return wantedSteps(this.steps, this.samples, this.audit, this.checked.plan.metric);
  }

  /** What is known of the target's parts; empty before any was broken. */
  findings(): readonly Finding[] {
    const { mutants } = evidenceOf(this.samples);
    const reference = this.reference();
    return reference === undefined || mutants.size === 0 ? [] : findingsOf(this.audit, mutants, reference);
  }

  reference(): Reference | undefined {
    return referenceOf(evidenceOf(this.samples).baselines, this.checked.plan.metric);
  }

  evidence(): Evidence {
    return evidenceOf(this.samples);
  }

  /** Takes over what a run has measured of the same text, after all that is known; what is known already stays. */
  adopt(samples: Samples): void {
    const next = this.nextOrder();
    const later = Object.fromEntries(Object.entries(samples).map(([id, sample]) => [id, { ...sample, order: next + sample.order }]));
    this.samples = { ...later, ...this.samples };
  }

  /** Runs one step and keeps what it brought. False where it was broken off, or nothing can be learned after it. */
  async take(step: Step, runs: CheckRuns, limits: Omit<StepLimits, 'scorerMs' | 'nextOrder'>): Promise<boolean> {
    this.scratch = runs.how;
    const done = await runs.run(step, { ...limits, scorerMs: this.scorerMs, nextOrder: this.nextOrder() });
    if (done === undefined) return false;
    this.samples = { ...this.samples, ...done.samples };
    this.baselineProblem = done.problem;
    // What fails may be mended outside of all that is named by the key: it is tried again the next time.
    if (!this.hasScore) return false;
    await this.checked.records.write(this.checked.key, { samples: this.samples, scratch: runs.how });
    return true;
  }

  private nextOrder(): number {
    return 1 + Math.max(-1, ...Object.values(this.samples).map(({ order }) => order));
  }

  /** What a report is made of, as far as it was measured. */
  measured(): Pick<ReportInput, 'plan' | 'audit' | 'samples' | 'seeds' | 'scratch' | 'baselineProblem'> {
    const { checked: { plan }, audit, samples, seeds, scratch, baselineProblem } = this;
    return { plan, audit, samples, seeds, scratch, ...(baselineProblem === undefined ? {} : { baselineProblem }) };
  }
}
