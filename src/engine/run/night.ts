import { attemptOf, textOf } from '../../loop/ledger.ts';
import { mergeInto } from '../../loop/merge.ts';
import { toSettle, unsettledReason } from '../../loop/night.ts';
import { tokensOf } from '../code.ts';
import type { Book } from './book.ts';
import type { RunContext } from './context.ts';
import { lineCounts } from './line-counts.ts';
import type { Verifying } from './verifying.ts';

/**
 * Settles what looked better in a night: the largest gain first, each put on top of what was kept before it and measured
 * again. What there is no time for keeps waiting, for a person, who may also decide meanwhile. Rejects where `between`, which
 * comes before each of them, does.
 */
export async function settleNight(context: RunContext, book: Book, verifying: Verifying, between: () => Promise<void>): Promise<void> {
  verifying.settling = true;
  for (const number of toSettle(book.state)) {
    await between();
    if (await outOfTime(book)) return;
    if (toSettle(book.state).includes(number)) await settleOne(context, book, verifying, number);
  }
}

async function settleOne(context: RunContext, book: Book, verifying: Verifying, number: number): Promise<void> {
  const { store, plan, parsers } = context;
  const { champion } = book.state;
  const attempt = attemptOf(book.state, number);
  if (attempt === undefined) return;
  const [own, parent, best] = await Promise.all([textOf(book.state, number), textOf(book.state, attempt.parent ?? 0), textOf(book.state, champion)].map((blob) => store.blob(blob)));
  if (own === undefined || parent === undefined || best === undefined) return;
  const merge = mergeInto(best, parent, own);
  if (!merge.ok || merge.text === best) {
    await book.judge(number, 'discarded', { ...attempt.evidence, ...unsettledReason(attempt, champion, merge.ok, book.state.known) });
    return;
  }
  const tokens = tokensOf(merge.text, plan.target, parsers);
  await book.write({
    type: 'edited',
    attempt: number,
    parent: champion,
    candidate: await store.keep(merge.text),
    hypothesis: attempt.hypothesis ?? '',
    ...lineCounts(best, merge.text),
    ...(tokens === undefined ? {} : { tokens }),
    ...(attempt.signals === undefined ? {} : { signals: attempt.signals }),
  });
  context.onActivity({ doing: 'checking', attempt: number });
  await verifying.refreshParent(best);
  await verifying.verify(number, best, merge.text);
}

/** Attempts that are used up are no reason to leave the night unsettled; time and money are. */
async function outOfTime(book: Book): Promise<boolean> {
  const reason = (await book.stop())?.reason;
  return reason !== undefined && reason !== 'attempts' && reason !== 'patience' && reason !== 'tokens';
}
