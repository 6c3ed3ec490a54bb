import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { type Bench, KINDS, NEVER, commitAll } from '../scratch/support.ts';
import { confinedSlot, useConfinedBench } from './bench.ts';

for (const kind of KINDS) describe(`a confined slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let top: string;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });
  beforeEach(() => {
    top = bench.tree('project', { 'target.txt': 'start', 'sub/beside.txt': 'beside' });
    commitAll(top);
  });
  const workspace = (): { root: string; top: string; target: string } => ({ root: top, top, target: join(top, 'target.txt') });

  it('shows the candidate, lets the slot, /tmp, the home folder and the result be written, and says what it exits with', async () => {
    const io = join(bench.folder, 'io');
    mkdirSync(io);
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace());
    const script = 'cat target.txt sub/beside.txt; echo a > new.txt; for at in /tmp /var/tmp /dev/shm ~; do echo a > $at/x && cat $at/x; done; echo r > "$RATCHET_RESULT"; exit 3';
    const { exitCode, stdout, stderr } = await run(['sh', '-c', script], io, { RATCHET_RESULT: join(io, 'result.json') });
    assert.deepEqual([exitCode, stdout, stderr], [3, 'candidate\nbesidea\na\na\na\n', 'ratchet: entered\n']);
    assert.equal(readFileSync(join(io, 'result.json'), 'utf8'), 'r\n');
    assert.deepEqual(await slot.changed(), ['new.txt']);
    assert.equal(existsSync(join(bench.folder, 'x')), false);
  });

  it('begins each run with an empty home folder and /tmp', async () => {
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace());
    await run(['sh', '-c', 'echo a > /tmp/x; echo a > ~/x; mkdir ~/.cache']);
    await slot.place('candidate\n');
    assert.equal((await run(['sh', '-c', 'ls /tmp/x ~/x ~/.cache 2>/dev/null; echo .'])).stdout, '.\n');
  });

  it('lets a scorer speak to a server of its own', async () => {
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const source = `const s = require('net').createServer((c) => c.end('heard')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); process.exit(0); }))`;
    assert.equal((await run([process.execPath, '-e', source])).stdout, 'heard\n');
  });

  it('ends what a scorer leaves behind', async () => {
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const { survivors } = await run(['sh', '-c', 'setsid sleep 600 & (setsid env -i sleep 600 &) & echo .']);
    assert.deepEqual(survivors, []);
  });

  it('opens the network where it is allowed', async () => {
    const server = createServer((socket) => socket.end('heard')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['net'] });
    const { stdout } = await run([process.execPath, '-e', `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d)))`]);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(stdout, 'heard\n');
  });

  it('shows a path that is allowed, and doesn\'t let it be written', async () => {
    bench.tree('models', { 'weights.bin': 'w' });
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['~/models'] });
    const { stdout, stderr } = await run(['sh', '-c', 'cat ~/models/weights.bin; echo x > ~/models/weights.bin']);
    assert.equal(stdout, 'w');
    assert.match(stderr, /Read-only file system/);
  });

  it('gives a private copy of a folder that may be written, anew for each run', async () => {
    bench.tree('cache', { 'kept.txt': 'mine' });
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['write:~/cache'] });
    const script = 'cat ~/cache/*; echo new > ~/cache/kept.txt; echo b > ~/cache/b; cat ~/cache/*';
    for (const round of [1, 2]) {
      assert.equal((await run(['sh', '-c', script])).stdout, 'mineb\nnew\n', `round ${round}`);
      await slot.place('candidate\n');
    }
    assert.equal(readFileSync(join(bench.folder, 'cache', 'kept.txt'), 'utf8'), 'mine');
  });

  it('follows the workspace\'s own links out, but not to a person\'s keys', async () => {
    bench.tree('', { 'datasets/a.txt': 'data', '.ssh/id': 'key', 'project/data': { link: '../datasets' }, 'project/keys': { link: '../.ssh' } });
    commitAll(top);
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    assert.equal((await run(['sh', '-c', 'cat data/a.txt keys/id'])).stdout, 'data');
  });

  it('shows the folder of a program that the command names', async () => {
    bench.tree('tools', { 'lib/words.txt': 'w', 'bin/tool': '#!/bin/sh\ncat "$(dirname "$0")/../lib/words.txt"\n' });
    const tool = join(bench.folder, 'tools/bin/tool');
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { command: `sh ${tool}` });
    assert.equal((await run(['sh', '-c', `sh ${tool}`])).stdout, 'w');
  });

  it('says where a folder of work is missing, as the command\'s own failure', async () => {
    const { slot, confinement } = await confinedSlot(bench, kind, probe, workspace());
    const gone = slot.enter({ file: 'true', args: [], cwd: join(slot.inside(top), 'gone'), env: bench.environment() }, confinement.confined);
    const { exitCode, stderr } = await execute(gone, { timeoutMs: 15_000, signal: NEVER, mark: bench.mark });
    assert.equal(exitCode, 125);
    assert.match(slot.ownStderr(stderr) ?? '', /there is no folder/);
  });
});
