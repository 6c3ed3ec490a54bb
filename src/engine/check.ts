import { checkBudgetMs, estimateRun } from '../loop/audit/estimate.ts';
import { checkReport, type CheckReport, type ReportInput } from '../loop/audit/report.ts';
import { isCanarySeen } from '../loop/audit/sickness.ts';
import type { Step } from '../loop/audit/steps.ts';
import type { CheckProgress } from '../protocol.ts';
import { Course, type Checked } from './check/course.ts';
import { CheckRuns, type Another, type RunsContext } from './check/runs.ts';
import { likelyLoaded } from './run/canary-hint.ts';
import type { WorkFolders } from './work-folders.ts';

/** All that a check needs. Time is handed in. */
export interface CheckContext extends RunsContext, Checked, Pick<ReportInput, 'repeated' | 'strategy' | 'readChars'> {
  readonly folders: WorkFolders;
  /** The exact command line, for the report. */
  readonly command: string;
  readonly onProgress: (progress: CheckProgress) => void;
}

/**
 * Is this loopable? Runs the scorer on the unchanged target, on broken ones and on one with a comment more, as long as
 * the time allows, and goes on where an earlier check of the same text and scorer ended. What was measured is kept after
 * each run. When the signal fires, the report of what is known so far is given.
 */
export async function check(context: CheckContext): Promise<CheckReport> {
  const { plan, folders, records, signal, workspace, repeated, strategy, readChars, command } = context;
  const course = await Course.open(context);
  const beganMs = context.now().getTime();
  const spentMs = (): number => context.now().getTime() - beganMs;
  const budgetMs = (): number => checkBudgetMs(estimateRun(plan, course.scorerMs ?? 0, readChars, beganMs));

  if (course.wanted().length > 0 && !signal.aborted) {
    await folders.with(workspace, signal, async (slot, ioFolder) => {
      const another: Another = { with: (use) => folders.with(workspace, signal, use), openMs: spentMs() };
      await goThrough(new CheckRuns(context, { slot, ioFolder }, another));
    });
  }
  await records.tidy();

  const reference = course.reference();
  const isUnseen = reference !== undefined && isCanarySeen(course.evidence(), reference) === false;
  return checkReport({
    ...course.measured(), repeated, strategy, readChars, nowMs: beganMs,
    ...(isUnseen ? { loadedInstead: await likelyLoaded(workspace) } : {}),
  }, { command, spentMs: spentMs(), budgetMs: budgetMs(), left: course.hasScore ? course.wanted().length : 0, stopped: signal.aborted });

  /** Until all steps are done, the time is over, or nothing more can be learned. */
  async function goThrough(runs: CheckRuns): Promise<void> {
    for (let [step] = course.wanted(); step !== undefined && !signal.aborted; [step] = course.wanted()) {
      const leftMs = budgetMs() - spentMs();
      // Without the unchanged file and the broken one nothing can be said, so they are run however long they take.
      const isNeeded = course.scorerMs === undefined || step.kind === 'canary';
      if (!isNeeded && runs.expectedMs(step, course.scorerMs) > leftMs) return;
      tell(step);
      if (!(await course.take(step, runs, { leftMs, isNeeded }))) return;
    }
  }

  function tell({ what }: Step): void {
    const done = course.runs;
    context.onProgress({ target: plan.target, doing: 'running', what, done, total: done + course.wanted().length, spentMs: spentMs(), budgetMs: budgetMs() });
  }
}
