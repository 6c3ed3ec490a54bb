import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkKey } from '../../../src/engine/check/key.ts';
import { CheckRecords } from '../../../src/engine/check/records.ts';
import { pageId } from '../../../src/engine/page-id.ts';
import { loadParsers, type Parsers } from '../../../src/engine/parsers.ts';
import { knownBefore } from '../../../src/engine/start/before.ts';
import { prepare, type Prepared } from '../../../src/engine/start/prepare.ts';
import { Store } from '../../../src/engine/store.ts';
import type { StartPage } from '../../../src/protocol.ts';
import type { NewEvent, RunPlan } from '../../../src/records.ts';
import { runs, sample } from '../../loop/audit/samples.ts';
import { begun, measured } from '../../loop/events.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('what is known before a run', () => {
  let parsers: Parsers;
  let root: string;
  let store: Store;
  let nowMs: number;
  before(async () => { parsers = await loadParsers(grammars); });
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-before-')));
    store = new Store(root, join(root, '.ratchet'));
    nowMs = Date.UTC(2026, 10, 30, 21);
    writeFileSync(join(root, 'f.py'), 'A = 10\n');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function prepared(scorer = 'python3 score.py'): Promise<Prepared & { readonly plan: RunPlan }> {
    const found = await prepare({ target: join(root, 'f.py'), flags: { scorer, proposer: 'literals' }, settings: {}, env: { PATH: '/usr/bin:/bin' } }, { root, top: root, parsers, now: () => new Date(nowMs), scratch: 'A copy.' });
    assert.ok(found.page.plan);
    return { ...found, plan: found.page.plan };
  }

  async function known(scorer?: string): Promise<Pick<StartPage, 'pace' | 'checked'>> {
    const { plan, ...rest } = await prepared(scorer);
    return knownBefore(rest, plan, { store, parsers, nowMs });
  }

  /** Writes the ledger of a run, as one that ended long ago. */
  async function ran(events: readonly NewEvent[]): Promise<void> {
    const log = await store.create(new Date(nowMs += 1000));
    for (const event of events) await log.write(event, new Date(nowMs));
    await log.close();
  }

  it('is nothing at first, and nothing is written over the question', async () => {
    assert.deepEqual(await known(), {});
    assert.deepEqual(await store.runs(), []);
  });

  it('is how long the newest run of the same target and scorer took', async () => {
    const { plan } = await prepared();
    await ran(begun(5, plan, { durationMs: 9_000 }));
    await ran([...begun(5, plan, { durationMs: 2_000 }), measured(0, 5, { role: 'parent', durationMs: 4_000 }), measured(1, 6, { durationMs: 60_000 })]);
    assert.deepEqual(await known(), { pace: { scorerMs: 3_000 } });
    // None of these says anything of this one: another scorer, another time to run, a start file without a score, no ledger.
    await ran(begun(5, { ...plan, scorer: { kind: 'shell', command: 'python3 other.py' } }, { durationMs: 1 }));
    await ran(begun(5, { ...plan, budgetS: 5 }, { durationMs: 1 }));
    await ran([...begun(5, plan).slice(0, 2), measured(0, undefined)]);
    await ran([]);
    assert.deepEqual(await known(), { pace: { scorerMs: 3_000 } });
    assert.deepEqual(await known('python3 other.py'), { pace: { scorerMs: 1 } });
  });

  it('is what a check of exactly this text found, and how long its runs took', async () => {
    const { plan, text } = await prepared();
    await ran(begun(5, plan, { durationMs: 9_000 }));
    await new CheckRecords(store).write(await checkKey(root, plan, text), { samples: runs([5, 5, 5]), scratch: 'A layer.' });
    const { pace, checked } = await known();
    assert.deepEqual(pace, { scorerMs: 1_000 });
    assert.equal(checked?.verdict, 'yes');
    assert.ok(checked.titles.length > 0);
    writeFileSync(join(root, 'f.py'), 'A = 11\n');
    assert.deepEqual(await known(), { pace: { scorerMs: 9_000 } });
  });

  it('says nothing of a check whose start file has no score', async () => {
    const { plan, text } = await prepared();
    await new CheckRecords(store).write(await checkKey(root, plan, text), { samples: { 'baseline-1': sample(undefined) } });
    assert.deepEqual(await known(), {});
  });

  it('is no part of what the page is known by', async () => {
    const { plan, page } = await prepared();
    const more: StartPage = { ...page, pace: { scorerMs: 1 }, checked: { verdict: 'yes', titles: [] }, seededInside: true };
    assert.equal(pageId(plan, more), pageId(plan, page));
  });
});
