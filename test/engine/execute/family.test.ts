import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { endFamily } from '../../../src/engine/execute/end.ts';
import { linuxFamily } from '../../../src/engine/execute/family-linux.ts';
import { hasEnvironmentEntry, readStat } from '../../../src/engine/execute/proc.ts';
import { assertNoSurvivors, census } from '../../census.ts';

describe('family on Linux', () => {
  if (process.platform !== 'linux') return;

  it('never touches a process that got the number of one that has ended', async () => {
    const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    const stat = readStat(stranger.pid ?? 0);
    assert.ok(stat);
    try {
      const family = linuxFamily({ ...stat, started: stat.started - 1 }, randomUUID(), []);
      family.ask();
      assert.deepEqual(await endFamily(family, true), []);
      assert.equal(census(stat.pid).length, 1);
    } finally {
      stranger.kill('SIGKILL');
      await once(stranger, 'exit');
    }
    await assertNoSurvivors([stat.pid]);
  });

  it('does not take a longer mark, or one in another variable, for its own', async () => {
    const mark = randomUUID();
    const others = [`RATCHET_MARK=${mark}-2`, `OTHER_RATCHET_MARK=${mark}`].map((entry) =>
      spawn('env', [entry, 'sleep', '300'], { stdio: 'ignore' }));
    const first = spawn('sleep', ['0'], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], RATCHET_MARK: mark } });
    const stat = readStat(first.pid ?? 0);
    assert.ok(stat);
    try {
      await once(first, 'exit');
      while (census(mark).length < others.length) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(linuxFamily(stat, mark, []).living(), []);
      assert.equal(hasEnvironmentEntry(others[0]?.pid ?? 0, `RATCHET_MARK=${mark}-2`), true);
    } finally {
      await Promise.all(others.map((other) => {
        other.kill('SIGKILL');
        return once(other, 'exit');
      }));
    }
    await assertNoSurvivors([mark]);
  });

  it('reads names with brackets and spaces', async () => {
    const child = spawn('sh', ['-c', 'printf "x) S 1 (" > /proc/$$/comm; echo; read -r end'], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    const stat = readStat(child.pid ?? 0);
    child.stdin.end();
    await exited;
    assert.deepEqual([stat?.parent, stat?.group, stat?.session, stat?.alive], [process.pid, child.pid, child.pid, true]);
  });

  it('reports what it cannot end', async () => {
    // A kernel thread cannot be killed from here, so the search is told of a process that stays.
    const left = await endFamily({ ask: () => undefined, members: () => [4242], living: () => [4242], kill: () => Promise.resolve([4242]) }, true);
    assert.deepEqual(left, [4242]);
  });
});
