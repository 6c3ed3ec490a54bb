import { checkBudgetMs, estimateRun } from '../../loop/audit/estimate.ts';
import type { Finding } from '../../loop/audit/findings.ts';
import { samplesOfRun, stepsOfRun } from '../../loop/audit/from-run.ts';
import { checkReport } from '../../loop/audit/report.ts';
import type { Step } from '../../loop/audit/steps.ts';
import { attemptOf } from '../../loop/ledger.ts';
import { HumanError } from '../../errors.ts';
import { Course } from '../check/course.ts';
import { checkKey } from '../check/key.ts';
import { CheckRecords } from '../check/records.ts';
import { CheckRuns } from '../check/runs.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { Book } from './book.ts';
import type { Measuring, RunContext } from './context.ts';

/**
 * The check of the start file that nobody made before the run: its breaks are tried beside the attempts, while a model
 * thinks, the most telling first, as long as a check may take. What it finds counts from then on, and is kept for the next run.
 */
export class AuditBeside {
  private readonly context: RunContext & Measuring;
  private readonly book: Book;
  private readonly course: Course;
  private readonly runs: CheckRuns;
  private readonly beganMs: number;
  private spentMs = 0;
  private taken = 0;
  private isOver = false;
  private isTold = false;
  private known: readonly Finding[];

  private constructor(context: RunContext & Measuring, book: Book, course: Course) {
    this.context = context;
    this.book = book;
    this.course = course;
    this.runs = new CheckRuns({ ...context, mark: `${context.mark}.audit` }, context);
    this.beganMs = context.now().getTime();
    this.known = course.findings();
  }

  /** Runs nothing: what earlier checks found is known at once. */
  static async open(context: RunContext & Measuring, book: Book): Promise<AuditBeside> {
    const { store, plan, baselineText: text, parsers, projectModules } = context;
    const course = await Course.open({
      plan, text, tree: treeOf(text, plan.target, parsers), protectedRanges: protectionOf(text, plan, parsers, projectModules),
      key: await checkKey(store.root, plan, text), records: new CheckRecords(store),
    });
    return new AuditBeside(context, book, course);
  }

  /** What is known of the start file's parts; the same list until more is known. */
  findings(): readonly Finding[] {
    return this.known;
  }

  /** Tries one more break. False where none is wanted, or the time for them is over. */
  async step(attempt: number): Promise<boolean> {
    if (this.isOver) return false;
    const { context, course, runs } = this;
    if (this.taken === 0) await this.adopt();
    const step = course.wanted().find(isBeside);
    const leftMs = checkBudgetMs(estimateRun(context.plan, course.scorerMs ?? 0, 0, this.beganMs)) - this.spentMs;
    if (step === undefined || runs.expectedMs(step, course.scorerMs) > leftMs) return this.end(attempt);
    context.onActivity({ doing: 'thinking', attempt, note: `meanwhile the scorer runs on ${step.what}`.slice(0, MAX_NOTE_CHARS) });
    const fromMs = context.now().getTime();
    const went = await course.take(step, runs, { leftMs, isNeeded: false }).catch((error: unknown) => this.giveUp(error));
    this.spentMs += context.now().getTime() - fromMs;
    if (!went) return this.end(attempt);
    this.taken++;
    this.known = course.findings();
    return true;
  }

  /** The run's own first runs are those of a check. */
  private async adopt(): Promise<void> {
    const { context: { store, plan }, book, course } = this;
    const steps = stepsOfRun(attemptOf(book.state, 0)?.measurements ?? [], plan.seed);
    course.adopt(await samplesOfRun(steps, plan.metric.name, ({ output }) => store.blob(output)));
  }

  /** Nothing more is tried. Always false. */
  private async end(attempt: number): Promise<false> {
    this.isOver = true;
    if (this.context.signal.aborted) return false;
    if (this.taken > 0) this.context.onActivity({ doing: 'thinking', attempt });
    await this.tell();
    return false;
  }

  /** What hinders the audit needn't hinder the run. */
  private async giveUp(error: unknown): Promise<false> {
    if (!(error instanceof HumanError)) throw error;
    await this.book.write({ type: 'noted', sentence: `Breaking the start file on purpose was given up: ${error.message}` });
    return false;
  }

  /** Says once what this run found to be wrong with the scorer; what a check before it found stands on the start page. */
  async tell(): Promise<void> {
    if (this.isTold || this.taken === 0) return;
    this.isTold = true;
    const { lines } = checkReport({ ...this.course.measured(), repeated: undefined, strategy: undefined, readChars: 0, nowMs: this.beganMs }, { spentMs: this.spentMs, budgetMs: 0, left: 0, stopped: false });
    for (const { group, verdict, title, evidence } of lines)
      if (group === 'audit' && (verdict === 'warning' || verdict === 'no')) await this.book.write({ type: 'noted', sentence: `${title}? ${evidence}` });
  }
}

const MAX_NOTE_CHARS = 200;

/** A run has its own canary, one view, and runs its start with other seeds for the noise. */
function isBeside({ kind, id }: Step): boolean {
  return kind === 'mutant' || kind === 'no-op' || (kind === 'baseline' && id !== 'baseline-3' && id !== 'baseline-5');
}
