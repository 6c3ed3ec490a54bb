import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { endFamily } from '../../../src/engine/execute/end.ts';
import { portableFamily } from '../../../src/engine/execute/family-portable.ts';
import { assertNoSurvivors, census } from '../../census.ts';

/** The way of macOS, as far as it can be walked here: process groups, and the tree by the system's own tool. */
describe('portable family', function () {
  const mark = randomUUID();
  if (process.platform === 'win32') return;

  afterEach(() => assertNoSurvivors([mark]));

  async function started(script: string): Promise<ChildProcess & { readonly pid: number }> {
    const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env: { PATH: process.env['PATH'], RATCHET_MARK: mark } });
    await once(child.stdout, 'data');
    const { pid } = child;
    assert.ok(pid !== undefined);
    return Object.assign(child, { pid });
  }

  it('ends a group that ignores polite signals, and a child in a group of its own', async () => {
    const child = await started("trap '' TERM; sleep 300 & setsid sleep 300 & echo ready; while :; do sleep 1; done");
    assert.ok(census(mark).length >= 3);
    const exited = once(child, 'exit');
    assert.deepEqual(await endFamily(portableFamily(child, child.pid, mark), true), []);
    await exited;
    assert.equal(child.signalCode, 'SIGKILL');
    await assertNoSurvivors([mark], 1_000);
  });

  it('ends what is left of a group whose first process has exited', async () => {
    const child = await started('sleep 300 & echo ready');
    await once(child, 'exit');
    assert.equal(census(mark).length, 1);
    assert.deepEqual(await endFamily(portableFamily(child, child.pid, mark), false), []);
  });

  it('finds a daemon that left the group and lost its parents by its mark, and no process of another mark', async () => {
    const other = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], RATCHET_MARK: `${mark}-2`, OTHER: `RATCHET_MARK=${mark}x` } });
    const child = await started('(setsid sh -c "sleep 300 & wait" > /dev/null 2>&1 &); sleep 0.3; echo ready');
    await once(child, 'exit');
    assert.ok(census(mark).filter(({ pid }) => pid !== other.pid).length >= 2);
    assert.deepEqual(await endFamily(portableFamily(child, child.pid, mark), false), []);
    assert.deepEqual(census(mark).map(({ pid }) => pid), [other.pid]);
    const exited = once(other, 'exit');
    other.kill('SIGKILL');
    await exited;
  });

  it('does without the tool for trees where there is none', async () => {
    const child = await started('sleep 300 & echo ready; wait');
    const exited = once(child, 'exit');
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    try {
      assert.deepEqual(await endFamily(portableFamily(child, child.pid, mark), false), []);
    } finally {
      process.env['PATH'] = path;
    }
    await exited;
  });
});
