import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownClaim } from '../../src/engine/claim.ts';
import { closeDeadRuns } from '../../src/engine/recover.ts';
import { Store } from '../../src/engine/store.ts';
import { plan } from '../loop/events.ts';

describe('what an engine finds at its start', () => {
  let root: string;
  let store: Store;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-recover-'));
    store = new Store(root, join(root, '.ratchet'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  /** A run that nobody ended, and who works on it. */
  async function open(claim: string): Promise<string> {
    const log = await store.create(new Date());
    await log.write({ type: 'run-started', plan, baseline: await store.keep('A = 1\n'), build: 'test' }, new Date());
    await log.write({ type: 'attempt-started', attempt: 0 }, new Date());
    await log.close();
    await writeFile(store.claimOf(log.run), claim);
    return log.run;
  }
  const eventsOf = async (run: string): Promise<readonly string[]> => (await store.read(run)).events.map((event) => (event.type === 'run-ended' ? event.reason : event.type));
  const OPEN = ['run-started', 'attempt-started'];
  const CLOSED = [...OPEN, 'judged', 'engine-died'];
  const elsewhere = `1 5 ${'e'.repeat(12)} elsewhere\n`;

  it('is closed where its engine died, once', async () => {
    const run = await open(ownClaim().replace(/^\d+/, String(spawnSync('true').pid)));
    await closeDeadRuns(store, () => new Date());
    assert.deepEqual(await eventsOf(run), CLOSED);
    assert.equal(await store.isClaimed(run), false);
    await closeDeadRuns(store, () => new Date());
    assert.deepEqual(await eventsOf(run), CLOSED);
  });

  it('is closed again where it was resumed and died again, and not where it ended by itself', async () => {
    const dead = ownClaim().replace(/^\d+/, String(spawnSync('true').pid));
    const run = await open(dead);
    await closeDeadRuns(store, () => new Date());
    const log = await store.append(run);
    await log.write({ type: 'run-resumed', build: 'test' }, new Date());
    await log.close();
    await writeFile(store.claimOf(run), dead);
    await closeDeadRuns(store, () => new Date());
    assert.deepEqual(await eventsOf(run), [...CLOSED, 'run-resumed', 'engine-died']);
  });

  it('knows until when its engine lived: by what it wrote, or by its claim', async () => {
    const run = await open(ownClaim().replace(/^\d+/, String(spawnSync('true').pid)));
    const later = new Date(Date.now() + 60_000);
    await utimes(store.claimOf(run), later, later);
    await closeDeadRuns(store, () => new Date(Date.now() + 3_600_000));
    const end = (await store.read(run)).events.at(-1);
    assert.equal(end?.type === 'run-ended' && end.aliveAt, later.toISOString());
  });

  it('is left alone where another machine or container works on it through a shared folder', async () => {
    const [live, forgotten] = [await open(elsewhere), await open(elsewhere)];
    const hour = new Date(Date.now() - 3_600_000);
    await utimes(store.claimOf(forgotten), hour, hour);
    await closeDeadRuns(store, () => new Date());
    assert.deepEqual(await eventsOf(live), OPEN);
    assert.deepEqual(await eventsOf(forgotten), CLOSED);
  });
});
