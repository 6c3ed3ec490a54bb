import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEvent, NewEvent } from '../../../src/records.ts';
import { closeDeadRuns } from '../../../src/engine/recover.ts';
import { Store } from '../../../src/engine/store.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import { measured, plan } from '../../loop/events.ts';
import { LossyDisk, PowerLoss } from './lossy-disk.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
const VERDICTS: ReadonlySet<string> = new Set(['judged', 'waiting', 'reviewed', 'run-started', 'run-ended']);

/** What a run writes, in its order; `shown` is told each event as clients are. */
async function write(store: Store, shown: (event: LedgerEvent) => void): Promise<void> {
  const log = await store.create(NOW);
  const tell = async (event: NewEvent): Promise<void> => shown(await log.write(event, NOW));
  try {
    await tell({ type: 'run-started', plan, baseline: await store.keep('A = 1\n'), build: 'test' });
    for (let attempt = 0; attempt < 4; attempt++) await writeAttempt(store, attempt, tell);
    await tell({ type: 'run-ended', reason: 'attempts', sentence: 'Ended.' });
  } finally {
    await log.close();
  }
}

async function writeAttempt(store: Store, attempt: number, tell: (event: NewEvent) => Promise<void>): Promise<void> {
  await tell({ type: 'attempt-started', attempt });
  if (attempt > 0) {
    await tell({ type: 'proposed', attempt, request: await store.keep(`request ${attempt}`), reply: await store.keep(`reply ${attempt}`), durationMs: 1 });
    await tell({ type: 'edited', attempt, candidate: await store.keep(`A = ${attempt}\n`), hypothesis: 'wider', addedLines: 1, removedLines: 1 });
  }
  await tell(measured(attempt, 40 + attempt, { output: await store.keep(`score: ${40 + attempt}\n`) }));
  if (attempt === 2) await tell({ type: 'waiting', attempt, evidence: { reason: 'looks better' } });
  else await tell({ type: 'judged', attempt, verdict: 'kept', evidence: { reason: 'better', score: 40 + attempt } });
  if (attempt === 2) await tell({ type: 'reviewed', attempt, action: 'accepted', text: await store.keep('A = 2  # mine\n') });
}

function textsOf(event: LedgerEvent): readonly string[] {
  return Object.values(event).filter((value): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
}

describe('the store when the power goes', () => {
  let base: string;
  beforeEach(async () => (base = await mkdtemp(join(tmpdir(), 'ratchet-power-'))));
  afterEach(() => rm(base, { recursive: true, force: true }));

  /** Writes until the power goes after so many operations; gives what was shown, and the store as it is found then. */
  async function cut(steps: number, seed: number): Promise<{ readonly shown: readonly LedgerEvent[]; readonly store: Store; readonly isWhole: boolean }> {
    // The same cut may be made twice.
    const before = await mkdtemp(join(base, 'before-'));
    const after = `${before}-after`;
    const disk = new LossyDisk(before, steps);
    const shown: LedgerEvent[] = [];
    const isWhole = await write(new Store(before, join(before, '.ratchet'), disk), (event) => shown.push(event)).then(() => true, (error: unknown) => {
      if (!(error instanceof PowerLoss)) throw error;
      return false;
    });
    await disk.lose(after, chanceOf(seed));
    return { shown, store: new Store(after, join(after, '.ratchet')), isWhole };
  }

  it('loses no verdict that was shown, and no text that an event names, wherever it goes', async () => {
    await fc.assert(fc.asyncProperty(fc.nat(110), fc.integer(), async (steps, seed) => {
      const { shown, store } = await cut(steps, seed);
      const [run] = await store.runs();
      const events = run === undefined ? [] : await store.read(run).then((ledger) => ledger.events, () => []);
      const lasting = shown.filter(({ type }) => VERDICTS.has(type));
      for (const event of lasting) assert.deepEqual(events.find(({ seq }) => seq === event.seq), event, `${event.type} was shown`);
      for (const event of [...shown, ...events]) for (const text of textsOf(event)) assert.ok(await store.blob(text), `${event.type} names it`);
      assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index));
    }), { numRuns: 300 });
  }).timeout(120_000);

  it('goes on from what is left: every attempt gets one verdict', async () => {
    await fc.assert(fc.asyncProperty(fc.nat(110), fc.integer(), async (steps, seed) => {
      const { shown, store } = await cut(steps, seed);
      if (!shown.some(({ type }) => type === 'run-started')) return;
      await rm(store.claimOf(shown[0]?.run ?? ''), { force: true });
      await closeDeadRuns(store, () => NOW);
      const { events } = await store.read(shown[0]?.run ?? '');
      const state = foldAll(events);
      assert.ok(state?.end);
      assert.deepEqual(new Set(events.map(({ seq }) => seq)).size, events.length);
      for (const { number, verdict, waits } of state.attempts) assert.ok(verdict !== undefined || waits === true, `attempt ${number}`);
      for (const { number } of state.attempts) assert.ok(events.filter((event) => event.type === 'judged' && event.attempt === number).length <= 1);
    }), { numRuns: 100 });
  }).timeout(120_000);

  it('is tried at every step of what a run writes', async () => {
    assert.equal((await cut(110, 1)).isWhole, true);
    assert.equal((await cut(60, 1)).isWhole, false);
  });
});

/** Numbers from 0 to 1, the same for a seed. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
