import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobId, Verdict } from '../../../src/records.ts';
import { readRun } from '../../../src/engine/read-run.ts';
import { droppable, drop } from '../../../src/engine/store/drop.ts';
import { sizeOf } from '../../../src/engine/store/size.ts';
import { Store } from '../../../src/engine/store.ts';
import { measured, plan } from '../../loop/events.ts';

const OLD = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-11-30T00:00:00Z');
const BEFORE_MS = NOW.getTime() - 30 * 24 * 3_600_000;

/** One attempt of a made-up run; its texts begin with its name, unless it shares them. */
interface Made {
  readonly verdict?: Verdict;
  readonly at?: Date;
  readonly parent?: number;
  readonly text?: string;
}

describe('dropping the texts of attempts that came to nothing', () => {
  let root: string;
  let store: Store;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-drop-'));
    store = new Store(root, join(root, '.ratchet'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function makeRun(name: string, attempts: readonly Made[], isOver = true): Promise<string> {
    const log = await store.create(OLD);
    await log.write({ type: 'run-started', plan, baseline: await store.keep(`${name} baseline`), build: 'test' }, OLD);
    await log.write({ type: 'attempt-started', attempt: 0 }, OLD);
    await log.write(measured(0, 10, { output: await store.keep(`${name} 0 output`) }), OLD);
    await log.write({ type: 'judged', attempt: 0, verdict: 'kept', evidence: { reason: 'x', score: 10 } }, OLD);
    // The last one stays whatever came of it.
    const made: readonly Made[] = [...attempts, { verdict: 'discarded' }];
    for (const [index, { verdict, at = OLD, parent = 0, text }] of made.entries()) {
      const attempt = index + 1;
      const keep = (what: string): Promise<BlobId> => store.keep(`${name} ${attempt} ${what}`);
      await log.write({ type: 'attempt-started', attempt, parent }, at);
      await log.write({ type: 'proposed', attempt, request: await keep('request'), reply: await keep('reply'), durationMs: 1 }, at);
      await log.write({ type: 'edited', attempt, candidate: await store.keep(text ?? `${name} ${attempt} candidate`), hypothesis: `idea ${attempt}`, addedLines: 1, removedLines: 1 }, at);
      await log.write(measured(attempt, 5, { output: await keep('output') }), at);
      if (verdict !== undefined) await log.write({ type: 'judged', attempt, verdict, evidence: { reason: `because ${attempt}`, score: 5 } }, at);
    }
    if (isOver) await log.write({ type: 'run-ended', reason: 'stopped', sentence: 'Ended.' }, OLD);
    await log.close();
    await store.disclaim(log.run);
    return log.run;
  }

  async function texts(): Promise<readonly string[]> {
    const folder = join(store.folder, 'blobs');
    return (await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))).sort();
  }

  async function droppedTexts(): Promise<readonly string[]> {
    const before = await texts();
    await drop(store, await droppable(store, BEFORE_MS), NOW);
    const after = await texts();
    return before.filter((text) => !after.includes(text));
  }

  const all = (attempt: number, name = 'a'): readonly string[] => ['candidate', 'output', 'reply', 'request'].map((what) => `${name} ${attempt} ${what}`);

  it('leaves the baseline, what was kept, is young, suspicious or open, and what those were made from', async () => {
    await makeRun('a', [
      { verdict: 'discarded' }, { verdict: 'kept', parent: 7 }, { verdict: 'discarded', at: NOW }, { verdict: 'flagged' }, { verdict: 'crashed' }, {}, { verdict: 'discarded' }, { verdict: 'refused' },
    ]);
    assert.deepEqual(await droppedTexts(), [...all(1), ...all(5), ...all(8)]);
  });

  it('leaves what was accepted or kept by a person', async () => {
    const run = await makeRun('a', [{ verdict: 'discarded' }, { verdict: 'discarded' }, { verdict: 'discarded' }]);
    const log = await store.append(run);
    await log.write({ type: 'reviewed', attempt: 1, action: 'kept', text: await store.keep('a 1 candidate') }, OLD);
    await log.write({ type: 'reviewed', attempt: 2, action: 'accepted', text: await store.keep('a 2 candidate') }, OLD);
    await log.close();
    assert.deepEqual(await droppedTexts(), all(3));
  });

  it('leaves a text that another run, a review or a check names too', async () => {
    const shared = 'the same text';
    await makeRun('a', [{ verdict: 'discarded', text: shared }, { verdict: 'discarded', text: 'reviewed text' }, { verdict: 'discarded', text: 'checked text' }]);
    await makeRun('b', [{ verdict: 'kept', text: shared }]);
    await writeFile(join(store.folder, 'reviews.jsonl'), `{"text":"${await store.keep('reviewed text')}"}\n`);
    await mkdir(join(store.folder, 'checks'));
    await writeFile(join(store.folder, 'checks', 'x.json'), JSON.stringify({ text: await store.keep('checked text') }));
    assert.deepEqual(await droppedTexts(), [1, 2, 3].flatMap((attempt) => all(attempt).slice(1)));
  });

  it('drops nothing of a run without an end, nor of one with a line that can\'t be read, and what that names stays', async () => {
    await makeRun('a', [{ verdict: 'discarded' }], false);
    const damaged = await makeRun('b', [{ verdict: 'discarded', text: 'the same text' }]);
    await makeRun('c', [{ verdict: 'discarded', text: 'the same text' }]);
    await appendFile(join(store.runFolder(damaged), 'ledger.jsonl'), '{"v":1,"type":"jud\n');
    assert.deepEqual(await droppedTexts(), all(1, 'c').slice(1));
  });

  it('never touches a record: the ledger is the same byte for byte, and the text says when it was dropped', async () => {
    const run = await makeRun('a', [{ verdict: 'discarded' }]);
    const ledger = join(store.runFolder(run), 'ledger.jsonl');
    const [before, state, sizeBefore] = [await readFile(ledger, 'utf8'), await readRun(store, run), await sizeOf(store.folder)];
    assert.equal((await droppedTexts()).length, 4);
    assert.equal(await readFile(ledger, 'utf8'), before);
    assert.deepEqual(await readRun(store, run), state);
    assert.ok((await sizeOf(store.folder)) < sizeBefore + 4 * 76);
    const candidate = state.attempts[1]?.candidate ?? '';
    await assert.rejects(store.blob(candidate), /^HumanError: The text .{7} was dropped on 2026-11-30 to save space/);
    assert.equal(await store.blob(await store.keep('a 1 candidate')), 'a 1 candidate', 'and comes back with the next that keeps it');
    assert.deepEqual((await droppable(store, BEFORE_MS)).ids, [candidate]);
  });

  it('leaves a text that a run came to name while the person was asked', async () => {
    await makeRun('a', [{ verdict: 'discarded', text: 'the same text' }]);
    const found = await droppable(store, BEFORE_MS);
    await makeRun('b', [{ verdict: 'kept', text: 'the same text' }]);
    await drop(store, found, NOW);
    assert.deepEqual((await texts()).filter((text) => text === 'the same text' || all(1).includes(text)), ['the same text']);
  });

  it('leaves what the scorer printed last on a candidate, which a resume tells the model', async () => {
    const run = await makeRun('a', [{ verdict: 'discarded' }]);
    const log = await store.append(run);
    await log.write({ type: 'attempt-started', attempt: 3, parent: 0 }, OLD);
    await log.write(measured(3, 5, { role: 'gate', output: await store.keep('a 3 gate') }), OLD);
    await log.write({ type: 'judged', attempt: 3, verdict: 'discarded', evidence: { reason: 'its gate' } }, OLD);
    await log.close();
    assert.deepEqual(await droppedTexts(), [...all(1), 'a 3 gate']);
  });

  it('waits for the end of every run, and follows no link', async () => {
    await makeRun('a', [{ verdict: 'discarded' }]);
    const found = await droppable(store, BEFORE_MS);
    const log = await store.create(NOW);
    await assert.rejects(drop(store, found, NOW), /is going on, and may need a text again/);
    await log.close();
    await store.disclaim(log.run);
    await rm(store.runFolder(log.run), { recursive: true });
    await writeFile(join(root, 'mine'), 'mine');
    await symlink(join(root, 'mine'), join(store.folder, 'dropped.tsv'));
    await assert.rejects(drop(store, found, NOW), /is a link, and Ratchet doesn't follow links there/);
    assert.equal(await readFile(join(root, 'mine'), 'utf8'), 'mine');
  });
});
