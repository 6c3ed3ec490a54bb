import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import type { EngineClient } from '../../../src/wire/client.ts';
import { connectOrStart } from '../../../src/wire/connect.ts';
import { follow } from '../../../src/wire/follow.ts';
import { CLI, Lab } from '../../cli/lab.ts';
import { METHODS, RIGHT } from './right.ts';

const FILES = {
  'f.py': 'A = 10\n',
  'score.py': 'import f\nprint("score:", f.A)\n',
  // Goes on until the test lets it end.
  'held.py': 'import os, sys, time\nimport f\nwhile os.path.exists(sys.argv[1]): time.sleep(0.05)\nprint("score:", f.A)\n',
};
const SEED = 20_261_201;

/** One connection that says this and is read until its end, or until nothing more is to be said to it. */
async function say(path: string, bytes: Buffer | string): Promise<string> {
  const socket = connect(path);
  let heard = '';
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end(bytes);
  await closed;
  return heard;
}

const frame = (value: unknown): string => {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

describe('a real engine whose socket is talked rubbish to', () => {
  let lab: Lab;
  let path: string;
  let client: EngineClient;
  before(async () => {
    lab = await Lab.open(FILES);
    const runtime = await lab.runtime();
    (await connectOrStart(lab.folder, runtime, { node: process.execPath, script: CLI, env: lab.env })).socket.destroy();
    path = runtime.socket;
    const found = await lab.engine();
    assert.ok(found);
    client = found;
  });
  after(async () => {
    client.close();
    await lab.close();
  });
  /** After each of these, the engine is the same process and still serves the one who was there before, and a new one. */
  afterEach(async () => {
    assert.ok(Array.isArray(await client.request('ratchet/runs', {})));
    const other = await lab.engine();
    assert.equal(other?.engine.pid, client.engine.pid);
    other?.close();
  });

  it('drops random bytes, and half of a message', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => void await say(path, Buffer.from(bytes))), { numRuns: 150, seed: SEED });
    const whole = frame({ jsonrpc: '2.0', id: 1, method: 'ratchet/runs', params: {} });
    for (let length = 0; length < whole.length; length += 5) await say(path, whole.slice(0, length));
  });

  it('drops headers that lie about the length', async () => {
    for (const head of ['Content-Length: 99999999999', 'Content-Length: -5', 'Content-Length: 0', 'Content-Length: 1e9', 'Content-Length: NaN', 'Content-Length: 300000', 'x'.repeat(1_000_000)])
      await say(path, `${head}\r\n\r\n{}`);
  });

  it('drops what is JSON and no message, as deep as it may be', async () => {
    for (const body of ['['.repeat(200_000), '{"a":'.repeat(40_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '[]', 'null', '"x"', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":{"a":1},"method":"x"}'])
      assert.equal(await say(path, frame(body)), '');
    await fc.assert(fc.asyncProperty(fc.json({ maxDepth: 8 }), async (json) => void await say(path, frame(json))), { numRuns: 100, seed: SEED });
  });

  it('answers nobody who didn\'t shake hands, whatever is asked', async () => {
    for (const method of [...METHODS, 'textDocument/didOpen', 'shutdown', 'exit', '$/cancelRequest', '__proto__']) {
      const heard = await say(path, frame({ jsonrpc: '2.0', id: 1, method, params: {} }));
      assert.doesNotMatch(heard, /"result":[^n]/, method);
    }
    await say(path, frame({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri: 'file:///x', text: 'x' } } }));
  });

  it('refuses wrong types in every part of every request, and requests that it doesn\'t know, and serves on', async () => {
    const anything = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('../../../etc/passwd', '/etc/passwd', '..', '', '\0', '__proto__', -1, 1e308, 'x'.repeat(100_000)));
    const harmless = METHODS.filter((method) => !['ratchet/runs', 'ratchet/retire'].includes(method));
    await fc.assert(fc.asyncProperty(fc.constantFrom(...harmless), fc.nat(), anything, async (method, which, value) => {
      const right = RIGHT[method] as Readonly<Record<string, unknown>>;
      const keys = Object.keys(right);
      const asked = { ...right, [keys[which % keys.length] ?? 'run']: value };
      const answer = await client.request(method, asked as never).then(() => undefined, (error: unknown) => error);
      // The file of all these questions isn't there, and neither are the runs.
      if (!['ratchet/unsaved', 'ratchet/allow'].includes(method)) assert.ok(answer instanceof Error, `${method} ${JSON.stringify(asked)}`);
    }), { numRuns: 400, seed: SEED });
    for (const method of ['ratchet/eval', 'workspace/executeCommand', 'constructor', '']) await assert.rejects(client.request(method as never, {} as never), method);
    for (const method of METHODS.filter((each) => !['ratchet/runs', 'ratchet/retire'].includes(each))) await assert.rejects(client.request(method, [] as never), method);
    client.notify('textDocument/didOpen', { textDocument: 7 });
    client.notify('textDocument/didOpen', { textDocument: { uri: 'file://elsewhere/x', text: '' } });
    client.notify('$/cancelRequest', { id: 'none' });
  });

  it('writes down what it refused, in lines that nobody else can forge, and not without end', async () => {
    const { log } = await lab.runtime();
    const before = (await readFile(log, 'utf8')).length;
    await say(path, `Content-Length: 12345678\r\n\r\n`);
    await say(path, Array.from({ length: 200 }, (_, id) => frame({ jsonrpc: '2.0', id, method: 'evil\n2026-01-01T00:00:00.000Z forged', params: {} })).join(''));
    const fresh = await lab.engine();
    await assert.rejects(async () => fresh?.request('ratchet/stop', { run: 5 } as never), /can't use what it was asked: `run` must be a text/);
    fresh?.close();
    const written = (await readFile(log, 'utf8')).slice(before);
    assert.match(written, /a message of 12345678 bytes, where 262144 are allowed/);
    assert.match(written, /ratchet\/stop was refused: `run` must be a text/);
    assert.doesNotMatch(written, /^\S+ forged/m);
    assert.ok(written.split('\n').length < 30, written);
  });

  it('holds a thousand connections that say nothing, and one that says everything slowly, beside a run that ends well', async () => {
    const hold = lab.path('../hold');
    await writeFile(hold, '');
    const ask = { target: lab.path('f.py'), flags: { scorer: `python3 held.py ${hold}`, proposer: 'literals', attempts: 1, sandbox: 'off' as const }, settings: {}, env: { PATH: process.env['PATH'] ?? '' }, detached: true };
    const { run } = await client.request('ratchet/start', ask);
    const ended = Promise.withResolvers<void>();
    await follow(client, run, (event) => {
      if (event.type === 'run-ended') ended.resolve();
    });
    const silent: Socket[] = [];
    for (let n = 0; n < 1000; n++) {
      const socket = connect(path).on('error', () => undefined);
      silent.push(socket);
      // Closed by the engine, or taken: either way the next one comes.
      await once(socket, 'connect').catch(() => undefined);
    }
    const slow = connect(path).on('error', () => undefined);
    for (const letter of 'Content-Length: 100') {
      slow.write(letter);
      await new Promise((resolve) => setImmediate(resolve));
    }
    // The one who was there is served; whoever is turned away by a full queue comes again.
    assert.ok(await client.request('ratchet/page', ask));
    let other = await lab.engine();
    for (let tries = 0; other === undefined && tries < 200; tries += 1) other = await lab.engine();
    assert.ok(other);
    assert.ok(descriptors(other.engine.pid) < 400, `${descriptors(other.engine.pid)} descriptors`);
    assert.deepEqual(listening(other.engine.pid), [], 'TCP ports');
    await rm(hold);
    await ended.promise;
    assert.equal((await other.request('ratchet/watch', { run })).at(-1)?.type, 'run-ended');
    other.close();
    for (const socket of [...silent, slow]) socket.destroy();
  });

  it('listens on no TCP port', async () => {
    assert.deepEqual(listening(client.engine.pid), []);
    const seen = createServer().listen(0, '127.0.0.1');
    await once(seen, 'listening');
    assert.equal(listening(process.pid).length, 1, 'the test would see one');
    seen.close();
  });
});

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Addresses on which a process waits for TCP connections; the table is one for all processes, the sockets are its own. */
function listening(pid: number): readonly string[] {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  }));
  return ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1).flatMap((line) => {
    const [, local, , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === '0A' && own.has(inode) && local !== undefined ? [local] : [];
  }));
}
