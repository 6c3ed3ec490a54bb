import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HERE, ownClaim, parseClaim } from '../../src/engine/claim.ts';
import { takeLock, type Lock } from '../../src/engine/lock.ts';

const HOLDER = join(import.meta.dirname, 'lock-holder.ts');

describe('the lock of a root', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function take(): Promise<Lock> {
    const taken = await takeLock(path);
    assert.ok('lock' in taken, 'holder' in taken ? JSON.stringify(taken.holder) : '');
    return taken.lock;
  }

  it('is taken by one, given back, and taken again', async () => {
    const lock = await take();
    assert.deepEqual(await takeLock(path), { holder: parseClaim(ownClaim()) });
    await lock.release();
    await take();
  });

  it('is taken over from a process that is gone', async () => {
    const { pid } = spawnSync('true');
    await writeFile(path, ownClaim().replace(/^\d+ \d+/, `${pid} 5`));
    await take();
    await writeFile(path, ownClaim().replace(/^(\d+) \d+/, '$1 5'));
    await take();
    await writeFile(path, '');
    await take();
  });

  it('is left to another machine or container for as long as that renews it, whether its number is seen here or not', async () => {
    const theirs = `1 5 ${'e'.repeat(12)} elsewhere\n`;
    await writeFile(path, theirs);
    assert.deepEqual(await takeLock(path), { holder: { pid: 1, started: 5, place: 'e'.repeat(12), host: 'elsewhere' } });
    const old = new Date(Date.now() - 3_600_000);
    await utimes(path, old, old);
    await take();
  });

  it('is renewed, and known as lost when another took it over', async () => {
    const lock = await take();
    const old = new Date(Date.now() - 3_600_000);
    await utimes(path, old, old);
    assert.equal(await lock.renew(), true);
    await writeFile(path, `1 5 ${'e'.repeat(12)} elsewhere\n`);
    assert.equal(await lock.renew(), false);
    await lock.release();
    assert.match(await readFile(path, 'utf8'), /elsewhere/, 'and is not given back for the other');
  });

  it('is held against a process of another pid namespace, and by one', async function () {
    const enter = ['-Urpf', '--mount-proc', '--kill-child'];
    if (process.platform !== 'linux' || spawnSync('unshare', [...enter, 'true']).status !== 0) this.skip();
    const held = spawn('unshare', [...enter, process.execPath, HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    assert.equal(String(((await once(held.stdout, 'data')) as [Buffer])[0]), 'taken\n');
    const taken = await takeLock(path);
    assert.ok('holder' in taken && taken.holder !== undefined);
    assert.notEqual(taken.holder.place, HERE);
    assert.equal(taken.holder.host, hostname());
    held.stdin.end();
    await once(held, 'exit');
    await rm(path);

    const lock = await take();
    const other = spawnSync('unshare', [...enter, process.execPath, HOLDER, path], { input: '', encoding: 'utf8' });
    assert.equal((JSON.parse(other.stdout) as { pid: number }).pid, process.pid);
    await lock.release();
  });
});
