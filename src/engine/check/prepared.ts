import type { CheckReport } from '../../loop/audit/report.ts';
import { unreadyReport } from '../../loop/audit/report.ts';
import type { RunPlan } from '../../records.ts';
import type { CheckAsk } from '../../protocol.ts';
import { check, type CheckContext } from '../check.ts';
import { protectionOf, treeOf } from '../code.ts';
import type { Parsers } from '../parsers.ts';
import type { Prepared } from '../start/prepare.ts';
import type { Store } from '../store.ts';
import { checkKey } from './key.ts';
import { readingOf } from './reading.ts';
import { CheckRecords } from './records.ts';

/** What a session adds to what was prepared. */
export interface CheckDeps extends Pick<CheckContext, 'workspace' | 'tools' | 'env' | 'guard' | 'pipes' | 'mark' | 'folders' | 'now' | 'signal' | 'onProgress'> {
  readonly store: Store;
  readonly parsers: Parsers;
}

/** Missing of these there is nothing to run; that is a report of its own. */
const UNMEASURABLE: ReadonlySet<string | undefined> = new Set(['scorer', 'metric', 'direction']);

/** Checks what was prepared. `planOf` gives its plan, or throws where it can't be run or isn't what the person saw. */
export async function checkPrepared(prepared: Prepared, ask: CheckAsk, planOf: () => RunPlan, deps: CheckDeps): Promise<CheckReport> {
  const { page, text } = prepared;
  const { problems } = page;
  if (page.plan === undefined && problems.length > 0 && problems.every(({ key }) => UNMEASURABLE.has(key)))
    return unreadyReport({ target: ask.target }, problems.map(({ message }) => message), problems.some(({ key }) => key === 'scorer') ? page.offers.map(({ scorer, why }) => `${typeof scorer === 'string' ? scorer : scorer.join(' ')} (${why})`) : undefined);
  const plan = planOf();
  const { store, parsers, ...rest } = deps;
  const records = new CheckRecords(store);
  const key = await checkKey(store.root, plan, text);
  if (ask.again === true) await records.forget(key);
  return check({
    ...rest, plan, text, tree: treeOf(text, plan.target, parsers), protectedRanges: protectionOf(text, plan, parsers, prepared.projectModules),
    repeated: ask.repeated, ...await readingOf(prepared, plan, store.root), command: page.command ?? '', key, records,
  });
}
