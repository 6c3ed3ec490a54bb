import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HumanError } from '../../src/errors.ts';
import { blobId, Store } from '../../src/engine/store.ts';
import { plan } from '../loop/events.ts';

describe('the store', () => {
  let root: string;
  let store: Store;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-store-'));
    store = new Store(root, join(root, '.ratchet'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const start = async () => {
    const log = await store.create(new Date('2026-11-30T12:00:00Z'));
    await log.write({ type: 'run-started', plan, baseline: await store.keep('A = 1\n'), build: 'test' }, new Date());
    return log;
  };

  it('ignores itself in git, and lists runs in the order of their starts', async () => {
    const first = await store.create(new Date('2026-11-30T12:00:00Z'));
    const second = await store.create(new Date('2026-11-30T12:00:00.007Z'));
    const third = await store.create(new Date('2026-11-30T12:00:00.120Z'));
    assert.deepEqual(await store.runs(), [first.run, second.run, third.run], 'in the same second too');
    await third.close();
    assert.equal(await readFile(join(root, '.ratchet/.gitignore'), 'utf8'), '*\n');
    await first.close();
    await second.close();
  });

  it('keeps a text once under its hash, byte for byte', async () => {
    await (await start()).close();
    const text = '\uFEFFx\r\n\u0000ü';
    const id = await store.keep(text);
    assert.equal(id, blobId(text));
    await store.keep(text);
    assert.equal(await store.blob(id), text);
    assert.equal((await readdir(join(root, '.ratchet/blobs'))).filter((name) => name.startsWith(id)).length, 1);
  });

  it('appends in order, whoever writes at once, and reads it back', async () => {
    const log = await start();
    await Promise.all(Array.from({ length: 50 }, (_, attempt) => log.write({ type: 'attempt-started', attempt }, new Date())));
    await log.close();
    const { events, damagedLines } = await store.read(log.run);
    assert.deepEqual(events.map((event) => event.seq), Array.from({ length: 51 }, (_, index) => index));
    assert.equal(damagedLines, 0);
  });

  it('goes on behind a torn line, on a line of its own', async () => {
    const log = await start();
    await log.close();
    await appendFile(join(store.runFolder(log.run), 'ledger.jsonl'), '{"v":1,"type":"jud');
    const again = await store.append(log.run);
    await again.write({ type: 'run-ended', reason: 'stopped', sentence: 'Ended.' }, new Date());
    await again.close();
    const { events, damagedLines } = await store.read(log.run);
    assert.deepEqual(events.map((event) => [event.type, event.seq]), [['run-started', 0], ['run-ended', 1]]);
    assert.equal(damagedLines, 1);
  });

  it('does not append to a ledger of a newer version', async () => {
    const log = await start();
    await log.close();
    await appendFile(join(store.runFolder(log.run), 'ledger.jsonl'), '{"v":2}\n');
    await assert.rejects(store.append(log.run), (error) => error instanceof HumanError && error.reason === 'newer-ledger');
  });

  it('follows no link and lets no id out of its folder', async () => {
    const log = await start();
    await log.close();
    for (const id of ['../x', '..', '', 'a/b', '20261130-120000-../../x']) assert.throws(() => store.runFolder(id), HumanError);
    await assert.rejects(store.blob('../../etc/passwd'), HumanError);
    await assert.rejects(store.blob('f'.repeat(64)), /no longer in/);
    const secret = join(root, 'secret');
    await writeFile(secret, 'x');
    await symlink(secret, join(root, '.ratchet/blobs', 'e'.repeat(64)));
    await assert.rejects(store.blob('e'.repeat(64)), /is a link/);
  });

  it('gives no text but the one that was kept, and mends one that a crash tore', async () => {
    await (await start()).close();
    const id = await store.keep('A = 1\n');
    const path = join(root, '.ratchet/blobs', id);
    await writeFile(path, 'A = 2\n');
    await assert.rejects(store.blob(id), /is not the one that was kept there/);
    await writeFile(path, '');
    assert.equal(await store.keep('A = 1\n'), id);
    assert.equal(await store.blob(id), 'A = 1\n');
  });

  it('reads the beginning and the end of a long ledger alone', async () => {
    const log = await start();
    for (let attempt = 1; attempt <= 1500; attempt++) await log.write({ type: 'attempt-started', attempt }, new Date());
    await log.write({ type: 'run-ended', reason: 'stopped', sentence: 'Ended.' }, new Date());
    await log.close();
    const [whole, head, tail] = await Promise.all([store.read(log.run), store.head(log.run), store.tail(log.run)]);
    assert.ok(head.events.length > 100 && head.events.length < 1000 && tail.events.length > 100 && tail.events.length < 1000);
    assert.deepEqual(head.events, whole.events.slice(0, head.events.length));
    assert.deepEqual(tail.events, whole.events.slice(-tail.events.length));
    assert.deepEqual([head.damagedLines, tail.damagedLines], [0, 0]);
  });

  it('reads all of a short ledger either way, but a line that is torn', async () => {
    const log = await start();
    await log.close();
    await appendFile(join(store.runFolder(log.run), 'ledger.jsonl'), '{"v":1,"type":"jud');
    assert.deepEqual([(await store.head(log.run)).events.length, (await store.tail(log.run)).events.length], [1, 1]);
    await assert.rejects(store.head('20200101-000000-abcdef'), (error) => error instanceof HumanError && error.reason === 'no-such-run');
  });

  it('leaves no draft of a text that could not be kept', async () => {
    await (await start()).close();
    const blobs = join(root, '.ratchet/blobs');
    await mkdir(join(blobs, blobId('in the way')));
    await assert.rejects(store.keep('in the way'));
    assert.deepEqual((await readdir(blobs)).filter((name) => name.includes('.')), []);
  });

  it('reads no event of another run', async () => {
    const log = await start();
    await log.close();
    const path = join(store.runFolder(log.run), 'ledger.jsonl');
    await appendFile(path, (await readFile(path, 'utf8')).replaceAll(log.run, '20200101-000000-abcdef'));
    const { events, damagedLines } = await store.read(log.run);
    assert.deepEqual([events.length, damagedLines], [1, 1]);
  });

  it('doesn\'t take runs that can\'t be read for none', async () => {
    assert.deepEqual(await store.runs(), []);
    await mkdir(join(root, '.ratchet'));
    await writeFile(join(root, '.ratchet/runs'), 'a file in the way');
    await assert.rejects(store.runs(), (error) => error instanceof HumanError && /can't be read \(ENOTDIR\)/.test(error.message));
  });

  it('leaves nothing of a run that could not begin', async () => {
    const log = await store.create(new Date());
    await log.close();
    await store.forget(log.run);
    assert.deepEqual(await store.runs(), []);
  });

  it('says what to do where the folder can\'t be written', async () => {
    await writeFile(join(root, '.ratchet'), 'a file in the way');
    await assert.rejects(store.create(new Date()));
  });
});
