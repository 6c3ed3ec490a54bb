import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../src/engine/lock.ts';

describe('the lock of a root', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ratchet-lock-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is taken by one, given back, and taken again', async () => {
    const path = join(folder, 'lock');
    const unlock = await takeLock(path);
    assert.ok(unlock);
    assert.equal(await takeLock(path), undefined);
    await unlock();
    assert.ok(await takeLock(path));
  });

  it('is taken over from a process that is gone', async () => {
    const path = join(folder, 'lock');
    const child = spawn('true');
    await once(child, 'exit');
    await writeFile(path, `${child.pid ?? 0}\n`);
    assert.ok(await takeLock(path));
    await writeFile(path, '');
    assert.ok(await takeLock(path), 'one that was never written to the end, too');
  });
});
