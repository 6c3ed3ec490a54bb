import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import { removeTree } from '../../../src/engine/scratch/tidy.ts';
import { Bench, commitAll, fingerprint } from './support.ts';

describe('an overlay slot', function () {
  this.timeout(60_000);
  let bench: Bench;
  let top: string;
  let slot: Slot;
  let slotFolder: string;

  before(async function () {
    const trial = new Bench();
    const { kind } = await trial.probe(trial.folder, 'overlay');
    await trial.dispose();
    if (kind !== 'overlay') this.skip();
  });
  beforeEach(async () => {
    bench = new Bench();
    top = bench.tree('w', { 'target.txt': 'start', '.gitignore': 'node_modules\n', 'node_modules/dep/index.js': 'live' });
    commitAll(top);
    slotFolder = bench.slotFolder;
    slot = await bench.slot(join(top, 'target.txt'), 'overlay');
    await slot.place('candidate');
  });
  afterEach(() => bench.dispose());

  it('is at the workspace\'s own path, with the person\'s ids, and alone among its processes', async () => {
    assert.equal(slot.target, join(top, 'target.txt'));
    const { stdout, stderr } = await bench.sh(slot, top, 'pwd; id -u; id -g; cat "$PWD/target.txt"; echo; ls -d /proc/[0-9]* | wc -l');
    const [cwd, uid, gid, text, processes] = stdout.trim().split('\n');
    assert.deepEqual([cwd, uid, gid, text], [top, String(process.getuid?.()), String(process.getgid?.()), 'candidate'], stderr);
    assert.ok(Number(processes) < 10);
  });

  it('sees node_modules live, and keeps what is written there apart', async () => {
    writeFileSync(join(top, 'node_modules/dep/index.js'), 'installed anew');
    const before = fingerprint(top);
    const { stdout } = await bench.sh(slot, top, 'cat node_modules/dep/index.js; echo x > node_modules/dep/index.js; for i in $(seq 200); do echo > node_modules/$i; done');
    assert.equal(stdout, 'installed anew');
    const changed = await slot.changed();
    assert.equal(changed.length, 100);
    assert.ok(changed.every((path) => path.startsWith('node_modules/')));
    assert.equal(fingerprint(top), before);
  });

  it('mounts nothing for a node_modules of links alone', async () => {
    const thin = bench.tree('thin', { 'target.txt': 'x', 'a/index.js': 'a', 'b/node_modules/@ws/a': { link: '../../../a' }, 'b/node_modules/.bin/a': '#!/bin/sh\necho bin', 'node_modules/p/index.js': 'p' });
    const other = await bench.slot(join(thin, 'target.txt'), 'overlay');
    await other.place('candidate');
    const { stdout, stderr } = await bench.sh(other, thin, 'cat b/node_modules/@ws/a/index.js node_modules/p/index.js; sh b/node_modules/.bin/a; grep -c "/thin.*- overlay" /proc/self/mountinfo');
    assert.equal(stdout, 'apbin\n2\n', stderr);
  });

  it('runs again without a place in between, on what the run before left', async () => {
    await bench.sh(slot, top, 'echo left > left.txt');
    assert.equal((await bench.sh(slot, top, 'cat left.txt target.txt')).stdout, 'left\ncandidate');
  });

  it('ends everything that the command started when the command ends', async () => {
    // Out of the group, the session and the environment: only the process namespace holds it.
    const { exitCode } = await bench.sh(slot, top, 'setsid env -i sh -c "sleep 4711 >/dev/null 2>&1 </dev/null &"; exit 3');
    assert.equal(exitCode, 3);
    assert.ok(!processLines().some((line) => line.includes('sleep\u00004711')));
  });

  it('lets the command be asked to end, and hear of it', async () => {
    const abort = new AbortController();
    const command = slot.enter({ file: 'sh', args: ['-c', 'trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done'], cwd: top, env: bench.environment() });
    const { stdout, end, survivors } = await execute(command, {
      timeoutMs: 15_000, signal: abort.signal, mark: 'overlay-term', onOutput: (chunk) => { if (chunk.includes('ready')) abort.abort(); },
    });
    assert.deepEqual([end, stdout, survivors], ['cancelled', 'ready\nbye\n', []]);
  });

  it('is no shield against being asked: a command without a handler ends at once', async () => {
    const abort = new AbortController();
    const command = slot.enter({ file: 'sh', args: ['-c', 'echo ready; exec sleep 4711'], cwd: top, env: bench.environment() });
    const { exitCode } = await execute(command, {
      timeoutMs: 15_000, signal: abort.signal, mark: 'overlay-default', onOutput: (chunk) => { if (chunk.includes('ready')) abort.abort(); },
    });
    assert.equal(exitCode, 128 + 15);
  });

  it('gives the command its own environment and exit code', async () => {
    const plain = { PATH: '/usr/bin:/bin', A: 'a b' };
    const run = async (env: Record<string, string>): Promise<string> => {
      const { stdout, exitCode } = await execute(slot.enter({ file: 'sh', args: ['-c', 'echo "$A ${LC_ALL-unset}"; exit 9'], cwd: top, env }), { timeoutMs: 15_000, signal: new AbortController().signal, mark: 'overlay-env' });
      assert.equal(exitCode, 9);
      return stdout;
    };
    assert.equal(await run(plain), 'a b unset\n');
    assert.equal(await run({ ...plain, LC_ALL: 'C.UTF-8' }), 'a b C.UTF-8\n');
  });

  it('tells apart that it could not be entered', async () => {
    await removeTree(join(slotFolder, 's'));
    const { exitCode, stderr } = await bench.sh(slot, top, 'echo never');
    assert.equal(exitCode, 125);
    assert.match(stderr, /^ratchet: the private layers could not be mounted/m);
    assert.equal(slot.ownStderr(stderr), undefined);
    // What a scorer prints and how it exits is no such thing.
    const whole = await bench.slot(join(top, 'target.txt'), 'overlay');
    await whole.place('candidate');
    const faked = await bench.sh(whole, top, 'echo "mount: gone" >&2; echo "ratchet: the private layers could not be mounted" >&2; exit 125');
    assert.equal(whole.ownStderr(faked.stderr), 'mount: gone\nratchet: the private layers could not be mounted\n');
    assert.ok(existsSync(join(top, 'target.txt')));
  });

  it('is mounted for nobody else', () => {
    assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(slotFolder));
  });
});

function processLines(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
}
