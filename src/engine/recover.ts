import { foldAll } from '../loop/ledger.ts';
import type { Store } from './store.ts';

/**
 * Closes the ledgers of runs whose engine died: the attempt in flight gets its verdict, and the run its end. Nothing is
 * resumed: an engine never goes on spending unasked. Only for the engine that holds the root's lock; a run that another
 * machine or container works on, through a shared folder, is left to it.
 */
export async function closeDeadRuns(store: Store, now: () => Date): Promise<void> {
  for (const run of await store.runs()) {
    if (await store.isClaimed(run)) continue;
    const isOver = await store.tail(run).then(({ events }) => events.findLast(({ type }) => type === 'run-ended' || type === 'run-resumed')?.type === 'run-ended', () => true);
    if (isOver) continue;
    const ledger = await store.read(run).catch(() => undefined);
    const state = ledger === undefined || ledger.newerVersion !== undefined ? undefined : foldAll(ledger.events);
    if (state === undefined || state.end !== undefined) continue;
    // A folder that can't be written keeps its runs open; they can be read all the same.
    const log = await store.append(run).catch(() => undefined);
    if (log === undefined) continue;
    const aliveAt = await lastSign(store, run, ledger?.events.at(-1)?.at, now());
    for (const attempt of state.attempts)
      // What waits for a person goes on waiting.
      if (attempt.verdict === undefined && attempt.waits !== true)
        await log.write({ type: 'judged', attempt: attempt.number, verdict: 'cancelled', evidence: { reason: 'The engine ended before it was decided.' } }, now());
    await log.write({ type: 'run-ended', reason: 'engine-died', sentence: 'Ended: the engine was killed or crashed. What was written until then is kept.', ...(aliveAt === undefined ? {} : { aliveAt }) }, now());
    await log.close();
    await store.disclaim(run);
  }
}

/** When a dead engine was last seen alive: what it wrote last, or when it last renewed its claim. Time after that is no time of the run. */
async function lastSign(store: Store, run: string, written: string | undefined, now: Date): Promise<string | undefined> {
  const signs = [Date.parse(written ?? ''), (await store.renewed(run)) ?? NaN].filter((ms) => ms <= now.getTime());
  return signs.length === 0 ? undefined : new Date(Math.max(...signs)).toISOString();
}
