import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import { newSlotFolder, sweepSlots } from '../../../src/engine/scratch/place.ts';
import { assertNoSurvivors, census } from '../../census.ts';
import { Bench, NEVER, fingerprint } from './support.ts';

const DRIVE = join(import.meta.dirname, 'drive.ts');

describe('what can be here', function () {
  this.timeout(60_000);
  let bench: Bench;
  let engine: ChildProcess | undefined;

  beforeEach(() => { bench = new Bench(); });
  afterEach(async () => {
    engine?.kill('SIGKILL');
    engine = undefined;
    // Only a test that failed leaves some: each carries the bench's own folder.
    for (const { pid } of census(`STRAY=${bench.folder}`)) process.kill(pid, 'SIGKILL');
    await bench.dispose();
  });

  /** Probes in a process for which `setUp` first changed what the system allows. */
  function probeAfter(setUp: string): { readonly kind: string; readonly how: string } | undefined {
    const script = `${setUp} "$0" "$@"`;
    const { status, stdout, stderr } = spawnSync('unshare', ['-Urm', 'sh', '-c', script, process.execPath, DRIVE, 'probe', bench.folder], { env: bench.environment(), encoding: 'utf8' });
    if (status !== 0 && stderr.startsWith('unshare:')) return undefined;
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { kind: string; how: string };
  }

  it('is a copy where the system refuses mounts, and says so', function () {
    const found = probeAfter('echo 0 > /proc/sys/user/max_mnt_namespaces; exec');
    if (found === undefined) return this.skip();
    assert.equal(found.kind, 'copy');
    assert.match(found.how, /^A copy of your files in another folder, because this system refuses private layers \(unshare: .*\); .*\.$/);
  });

  it('goes without an own /proc where that is masked, and says so', function () {
    const found = probeAfter('mount -t tmpfs none /proc/sys; exec unshare -Urm');
    if (found === undefined) return this.skip();
    assert.equal(found.kind, 'overlay');
    assert.match(found.how, /refuses an own list of processes/);
  });

  it('is a copy where the layers can not be put over this very workspace', async function () {
    const top = bench.tree('w', { 'target.txt': 'start' });
    const probe = await bench.probe(top, 'overlay');
    if (probe.kind !== 'overlay') return this.skip();
    const broken = { ...probe, reach: { ...probe.reach, tools: { ...probe.reach.tools, mount: '/bin/false' } } };
    const folder = bench.slotFolder;
    const slot = await createSlot({ root: top, top, target: join(top, 'target.txt') }, broken, folder, NEVER);
    assert.equal(slot.kind, 'copy');
    assert.match(slot.how, /private layers could not be mounted/);
    await slot.place('candidate');
    assert.equal((await bench.sh(slot, top, 'cat target.txt')).stdout, 'candidate');
    await slot.dispose();
    assert.ok(!existsSync(folder));
  });

  it('leaves no process, no mount and an untouched tree when the engine is killed, and the next one sweeps its slot', async function () {
    const top = bench.tree('w', { 'target.txt': 'start' });
    if ((await bench.probe(top, 'overlay')).kind !== 'overlay') return this.skip();
    const target = join(top, 'target.txt');
    const before = fingerprint(top);
    const started = spawn(process.execPath, [DRIVE, 'hold', target], { env: bench.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    engine = started;
    let seen = '';
    // Read on to the end: a family whose output nobody takes would die of that.
    await new Promise<void>((resolve) => {
      const read = (chunk: Buffer): void => {
        seen += chunk.toString();
        if (seen.includes('candidate') && seen.includes('born')) resolve();
      };
      started.stdout.on('data', read).once('end', resolve);
      started.stderr.on('data', read);
    });
    assert.ok(census(`STRAY=${target}`).length >= 3, seen);
    started.kill('SIGKILL');
    await once(started, 'exit');
    await assertNoSurvivors([`STRAY=${target}`], 2000);
    assert.ok(!mountTables().some((table) => table.includes(bench.folder)), 'nobody has a mount of it');
    assert.equal(fingerprint(top), before);

    const slots = join(bench.folder, '.cache/ratchet/slots');
    assert.equal(readdirSync(slots).length, 1);
    const mine = await newSlotFolder(top, bench.environment());
    const living = bench.tree(mine.slice(bench.folder.length + 1), { 'x': '' });
    await sweepSlots(slots);
    assert.deepEqual(readdirSync(slots).map((name) => join(slots, name)), [living]);
  });
});

function mountTables(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
    } catch {
      return '';
    }
  });
}
