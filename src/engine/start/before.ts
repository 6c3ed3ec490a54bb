import { evidenceOf } from '../../loop/audit/evidence.ts';
import { auditOf } from '../../loop/audit/mutants.ts';
import { checkReport } from '../../loop/audit/report.ts';
import { summaryOf, type CheckSummary } from '../../loop/audit/summary.ts';
import { median } from '../../loop/median.ts';
import { paceOf, type Pace } from '../../loop/pace.ts';
import { seedLiterals } from '../../loop/seed-literal.ts';
import type { StartPage } from '../../protocol.ts';
import type { RunPlan } from '../../records.ts';
import { checkKey } from '../check/key.ts';
import { readingOf } from '../check/reading.ts';
import { CheckRecords } from '../check/records.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { Parsers } from '../parsers.ts';
import type { Store } from '../store.ts';
import type { Prepared } from './prepare.ts';

/** So many runs are looked through for one of the same target and scorer. */
const MOST_RUNS = 20;

/** What is known of a target and its scorer from before: how long its parts take, and what a check found. Runs nothing. */
export async function knownBefore(prepared: Prepared, plan: RunPlan, { store, parsers, nowMs }: { readonly store: Store; readonly parsers: Parsers; readonly nowMs: number }): Promise<Pick<StartPage, 'pace' | 'checked'>> {
  const [earlier, check] = await Promise.all([earlierPace(store, plan), storedCheck(prepared, plan, store, parsers, nowMs)]);
  // A check is of exactly this text; what runs besides the scorer only a run has measured.
  const pace = check === undefined ? earlier : { ...earlier, scorerMs: check.scorerMs };
  return { ...(pace === undefined ? {} : { pace }), ...(check === undefined ? {} : { checked: check.summary }) };
}

/** From the first runs in the newest ledger of the same target and scorer. */
async function earlierPace(store: Store, plan: RunPlan): Promise<Pace | undefined> {
  const runs = await store.runs().catch(() => []);
  for (const run of runs.slice(-MOST_RUNS).reverse()) {
    // One that can't be read says nothing.
    const { events } = await store.head(run).catch(() => ({ events: [] }));
    const [first] = events;
    if (first?.type !== 'run-started' || measuredAs(first.plan) !== measuredAs(plan)) continue;
    const pace = paceOf(plan, events.flatMap((event) => (event.type === 'measured' && event.attempt === 0 ? [event] : [])));
    if (pace !== undefined) return pace;
  }
  return undefined;
}

/** What must be the same for one run of the scorer to take as long as another. */
function measuredAs({ target, scorer, cwd, budgetS }: RunPlan): string {
  return JSON.stringify([target, scorer, cwd, budgetS]);
}

/** What the last check of exactly this text and scorer found. */
async function storedCheck(prepared: Prepared, plan: RunPlan, store: Store, parsers: Parsers, nowMs: number): Promise<{ readonly summary: CheckSummary; readonly scorerMs: number } | undefined> {
  const { text, projectModules } = prepared;
  const { samples, scratch } = await new CheckRecords(store).read(await checkKey(store.root, plan, text));
  const scored = evidenceOf(samples).baselines.filter(({ outcome }) => outcome === 'scored');
  if (scored.length === 0) return undefined;
  const tree = treeOf(text, plan.target, parsers);
  const report = checkReport({
    plan, audit: auditOf(text, tree, protectionOf(text, plan, parsers, projectModules)), samples, scratch, nowMs, repeated: undefined,
    seeds: [...new Set(seedLiterals(text, tree, plan.verifier?.seed).map(({ name }) => name))], ...await readingOf(prepared, plan, store.root),
  }, { spentMs: 0, budgetMs: 0, left: 0, stopped: false });
  return { summary: summaryOf(report), scorerMs: median(scored.map(({ durationMs }) => durationMs)) };
}
