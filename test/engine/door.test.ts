import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { BUILD } from '../../src/build-id.ts';
import { openClient } from '../../src/wire/client.ts';
import { connectIfRunning } from '../../src/wire/connect.ts';
import { follow } from '../../src/wire/follow.ts';
import type { LedgerEvent } from '../../src/records.ts';
import { Lab, verdictsOf } from '../cli/lab.ts';

const FILES = { 'f.py': 'A = 10\n', 'slow.py': 'import time\nimport f\ntime.sleep(0.15)\nprint("score:", f.A)\n' };
const SLOW = ['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals'];

describe('the engine on its socket', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open(FILES)));
  afterEach(() => lab.close());

  /** Starts an engine by a run that ends at once. */
  const awake = async (): Promise<void> => void (await lab.ratchet(...SLOW, '--attempts', '1'));

  it('answers as a language server, says who it is, and is the person\'s alone', async () => {
    await awake();
    const client = await lab.engine();
    assert.ok(client);
    assert.equal(client.engine.root, lab.folder);
    const runtime = await lab.runtime();
    assert.equal((await stat(runtime.folder)).mode & 0o077, 0);
    assert.equal((await stat(runtime.token)).mode & 0o077, 0);
    assert.ok(Buffer.byteLength(runtime.socket) < 100, runtime.socket);
    client.close();
  });

  it('refuses a wrong token, and everything before the handshake', async () => {
    await awake();
    const connection = await connectIfRunning(await lab.runtime());
    assert.ok(connection);
    await assert.rejects(openClient({ ...connection, token: 'x'.repeat(64) }, BUILD, 'terminal'), /token is wrong/);
    const again = await connectIfRunning(await lab.runtime());
    assert.ok(again);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ratchet/runs', params: {} });
    again.socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    let answer = '';
    while (!answer.includes('}')) answer += String(((await once(again.socket, 'data')) as [Buffer])[0]);
    assert.match(answer, /Shake hands first/);
    again.socket.destroy();
  });

  it('lives on when a client talks nonsense', async () => {
    await awake();
    const { socket: path } = await lab.runtime();
    for (const nonsense of ['GET / HTTP/1.1\r\n\r\n', 'Content-Length: 5\r\n\r\n{{{{{', 'Content-Length: -1\r\n\r\n', '\0\0\0', 'Content-Length: 4\r\n\r\nnull']) {
      const socket = connect(path);
      await once(socket, 'connect');
      socket.on('error', () => undefined).end(nonsense);
      socket.resume();
      await once(socket, 'close');
    }
    const client = await lab.engine();
    assert.ok(client);
    assert.equal((await client.request('ratchet/runs', {})).length, 1);
    client.close();
  });

  it('serves two clients at once; one closes, and the run goes on for the other', async () => {
    const { stdout } = await lab.ratchet(...SLOW, '--attempts', '8', '--detach', '--json');
    const { run } = JSON.parse(stdout) as { run: string };
    const [first, second] = [await lab.engine(), await lab.engine()];
    assert.ok(first && second);
    const seen: LedgerEvent[] = [];
    const ended = Promise.withResolvers<void>();
    await follow(first, run, () => undefined);
    await follow(second, run, (event) => {
      seen.push(event);
      if (event.type === 'judged' && event.attempt === 2) first.close();
      if (event.type === 'run-ended') ended.resolve();
    });
    await ended.promise;
    assert.deepEqual(seen.map((event) => event.seq), seen.map((_, index) => index), 'each event once, in order');
    assert.equal(verdictsOf(seen).length, 9);
    second.close();
  }).timeout(60_000);

  it('is one for a root, however many clients start it at once', async () => {
    const going = [1, 2, 3, 4].map((n) => lab.start(['run', 'f.py', '--score', `echo score: ${n}; cat f.py`, '--proposer', 'literals', '--attempts', '1', '--detach', '--json']));
    const ended = await Promise.all(going.map((one) => one.ended));
    // One run on a target at a time: the first starts, another only once that has ended.
    assert.ok(ended.some(({ code }) => code === 0), ended.map(({ stderr }) => stderr).join(''));
    for (const { code, stderr } of ended) assert.ok(code === 0 || (code === 4 && stderr.includes('going on already')), stderr);
    const client = await lab.engine();
    assert.ok(client);
    client.close();
  }).timeout(60_000);

  it('takes over from one that was killed, whose socket, token and lock still lie there', async () => {
    await awake();
    const client = await lab.engine();
    assert.ok(client);
    process.kill(client.engine.pid, 'SIGKILL');
    await client.closed;
    const runtime = await lab.runtime();
    assert.ok(existsSync(runtime.lock) && existsSync(runtime.token));
    const { code, stderr } = await lab.ratchet(...SLOW, '--attempts', '1');
    assert.equal(code, 0, stderr);
  }).timeout(60_000);

  it('leaves the root to an engine of another machine, and says who and where', async () => {
    const { lock } = await lab.runtime();
    await writeFile(lock, `4711 5 ${'e'.repeat(12)} elsewhere\n`);
    const { code, stderr } = await lab.ratchet(...SLOW, '--attempts', '1');
    assert.equal(code, 4);
    assert.match(stderr, /is served by an engine in another container or on another machine \(process 4711 on elsewhere\)\. Work there, or end that engine; [^\n]* 3 minutes later\.\n$/);
    const hour = new Date(Date.now() - 3_600_000);
    await utimes(lock, hour, hour);
    assert.equal((await lab.ratchet(...SLOW, '--attempts', '1')).code, 0);
  }).timeout(60_000);

  it('makes room for a client of another build when it is idle', async () => {
    await awake();
    const old = await lab.engine();
    assert.ok(old);
    // The run's slot is taken down after its end was told.
    while ((await old.request('ratchet/runs', {})).some(({ active }) => active)) await setImmediate();
    // Its answer may be lost: it goes at once.
    assert.equal(await old.request('ratchet/retire', {}).catch(() => true), true);
    await old.closed;
    const { code, stderr } = await lab.ratchet(...SLOW, '--attempts', '1');
    assert.equal(code, 0, stderr);
  }).timeout(60_000);

  it('ends itself when it has no client and no run', async () => {
    const going = lab.start(['engine', '--root', lab.folder, '--idle', '100']);
    await going.until((text) => text === 'ready\n');
    assert.equal((await going.ended).code, 0);
    assert.equal(existsSync((await lab.runtime()).token), false);
  });

  it('ends itself too when its last client left in the middle of a try, or of a start that is refused', async () => {
    const begun = `${lab.folder}/../begun`;
    for (const [method, scorer] of [['ratchet/try', `echo x > ${begun}; sleep 300`], ['ratchet/start', 'none.sh']] as const) {
      const going = lab.start(['engine', '--root', lab.folder, '--idle', '1000']);
      await going.until((text) => text === 'ready\n');
      const client = await lab.engine();
      assert.ok(client);
      const answer = client.request(method, { target: lab.path('f.py'), flags: { scorer, proposer: 'literals', sandbox: 'off' }, settings: {}, env: { PATH: process.env['PATH'] ?? '' }, detached: false }).catch(() => undefined);
      while (method === 'ratchet/try' && !existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 10));
      client.close();
      await answer;
      assert.equal((await going.ended).code, 0);
    }
  }).timeout(60_000);

  it('says so when another engine serves the root', async () => {
    await awake();
    const { code, stdout } = await lab.ratchet('engine', '--root', lab.folder);
    assert.equal(code, 0);
    assert.match(stdout, /Another engine serves this folder/);
  });

  it('keeps a run of another root apart, and refuses a target outside of its own', async () => {
    await awake();
    const client = await lab.engine();
    assert.ok(client);
    await writeFile(`${lab.folder}/../outside.py`, 'A = 1\n');
    const ask = { target: `${lab.folder}/../outside.py`, flags: {}, settings: {}, env: {} };
    await assert.rejects(client.request('ratchet/page', ask), /is outside of/);
    await assert.rejects(client.request('ratchet/text', { blob: '../../../etc/passwd' }), /names no text/);
    await assert.rejects(client.request('ratchet/watch', { run: '../x' }), /no run/);
    client.close();
  });
});
