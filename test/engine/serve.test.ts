import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEvent } from '../../src/records.ts';
import type { RunActivity } from '../../src/protocol.ts';
import { Door } from '../../src/engine/serve.ts';
import type { Session } from '../../src/engine/session.ts';
import { openClient, type EngineClient } from '../../src/wire/client.ts';
import { connectIfRunning } from '../../src/wire/connect.ts';
import type { Runtime } from '../../src/wire/runtime.ts';
import { numbered, started } from '../loop/events.ts';

const RUN = 'run-1';

describe('the engine\'s door', () => {
  let folder: string;
  let runtime: Runtime;
  let door: Door;
  const counts: number[] = [];
  /** All that the door asks of a session here. */
  const session = { events: () => Promise.resolve([]), activity: () => ({ run: RUN, doing: 'running' }), stop: () => Promise.resolve() } as unknown as Session;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-door-'));
    const at = (name: string): string => join(folder, name);
    runtime = { folder, socket: at('s'), token: at('token'), lock: at('lock'), log: at('log'), confirmed: at('confirmed') };
    counts.length = 0;
    door = new Door({ session, token: 'token', reply: { protocol: 1, build: 'test', root: folder, pid: process.pid }, newScorer: () => Promise.reject(new Error('not asked')), onClients: (count) => counts.push(count), onRetire: () => undefined, log: () => undefined, handshakeMs: 50 });
    await writeFile(runtime.token, 'token');
    door.server.listen(runtime.socket);
    await once(door.server, 'listening');
  });
  afterEach(async () => {
    door.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function watcher(): Promise<{ readonly client: EngineClient; readonly pause: () => void; readonly read: () => void }> {
    const connection = await connectIfRunning(runtime);
    assert.ok(connection);
    const client = await openClient(connection, 'test', 'terminal');
    await client.request('ratchet/watch', { run: RUN });
    return { client, pause: () => connection.socket.pause(), read: () => connection.socket.resume() };
  }

  it('spares a client that reads slowly what is only of the moment, and keeps every event for it', async () => {
    const { client, pause, read } = await watcher();
    const events: number[] = [];
    const notes: (string | undefined)[] = [];
    const last = Promise.withResolvers<void>();
    client.on('ratchet/activity', ({ note }) => notes.push(note));
    client.on('ratchet/event', ({ seq }) => {
      events.push(seq);
      if (seq === 99) last.resolve();
    });
    pause();
    const long = 'x'.repeat(20_000);
    for (let seq = 0; seq < 100; seq++) {
      door.tell('ratchet/event', { ...event(long), seq }, RUN);
      door.tell('ratchet/activity', activity(`late ${seq}`), RUN);
    }
    read();
    await last.promise;
    assert.deepEqual(events, Array.from({ length: 100 }, (_, seq) => seq));
    assert.ok(!notes.includes('late 99'), `${notes.length} of 100`);
    client.close();
    await client.closed;
  });

  it('ends a connection that doesn\'t shake hands in time, and keeps one that did', async () => {
    const { client } = await watcher();
    const silent = connect(runtime.socket);
    const slow = connect(runtime.socket);
    slow.write('Content-Length: 100\r\n');
    await Promise.all([once(silent, 'close'), once(slow, 'close')]);
    assert.deepEqual(await client.request('ratchet/watch', { run: RUN }), []);
    assert.deepEqual(counts, [1]);
    client.close();
    await client.closed;
  });

  it('lets a client go that reads nothing, and serves the others', async () => {
    const hung = await watcher();
    const other = await watcher();
    let seen = Promise.withResolvers<void>();
    other.client.on('ratchet/event', () => seen.resolve());
    hung.pause();
    const long = 'x'.repeat(50_000);
    for (let seq = 0; seq < 400; seq++) {
      door.tell('ratchet/event', { ...event(long), seq }, RUN);
      await seen.promise;
      seen = Promise.withResolvers();
    }
    hung.read();
    await hung.client.closed;
    assert.deepEqual(counts, [1, 2, 1]);
    const again = await watcher();
    again.client.close();
    other.client.close();
    await Promise.all([again.client.closed, other.client.closed]);
  });
});

function event(sentence: string): LedgerEvent {
  const [first] = numbered([{ ...started(), build: sentence } as ReturnType<typeof started>]);
  assert.ok(first);
  return first;
}

function activity(note: string): RunActivity {
  return { run: RUN, doing: 'running', note };
}
