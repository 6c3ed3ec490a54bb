import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCgroup } from '../../../src/engine/execute/cgroup.ts';
import { cgroupPlaces } from '../../../src/engine/execute/cgroup-places.ts';

describe('control groups', () => {
  if (process.platform !== 'linux') return;
  let top: string;

  beforeEach(() => { top = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-cgroup-'))); });
  afterEach(() => { rmSync(top, { recursive: true, force: true }); });

  /** A system as /proc tells of it: mounts as `type options point root`, the engine's groups, and files below the mounts. */
  function system(mounts: readonly (readonly [type: string, options: string, point: string, root?: string])[], own: string, files: Readonly<Record<string, string>>): string {
    const proc = join(top, 'proc self');
    mkdirSync(proc);
    const lines = mounts.map(([type, options, point, root = '/']) => `31 23 0:28 ${root} ${join(top, point).replaceAll(' ', '\\040')} rw,relatime shared:9 - ${type} ${type} rw,${options}\n`);
    writeFileSync(join(proc, 'mountinfo'), `23 1 8:1 / / rw - ext4 /dev/root rw\n${lines.join('')}`);
    writeFileSync(join(proc, 'cgroup'), own);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(top, path, '..'), { recursive: true });
      writeFileSync(join(top, path), text);
    }
    return proc;
  }
  const places = (proc: string): readonly (readonly [number, string, string])[] =>
    cgroupPlaces(['memory', 'pids'], proc).map(({ version, folder, controllers }) => [version, folder.slice(top.length + 1), controllers.join()]);

  it('of version 1 are in the engine\'s own, one tree for each controller', () => {
    const proc = system([['cgroup', 'memory', 'fs/memory'], ['cgroup', 'pids', 'fs/my pids']], '4:memory:/user/me\n8:pids:/\n0::/\n', { 'fs/memory/user/me/x': '', 'fs/my pids/x': '' });
    assert.deepEqual(places(proc), [[1, 'fs/memory/user/me', 'memory'], [1, 'fs/my pids', 'pids']]);
  });

  it('of version 1 are at the top where a container sees no more', () => {
    const proc = system([['cgroup', 'pids', 'pids', '/docker/abc']], '8:pids:/docker/abc\n', { 'pids/x': '' });
    assert.deepEqual(places(proc), [[1, 'pids', 'pids']]);
  });

  const UNIFIED = { 'fs/cgroup.subtree_control': 'memory pids\n', 'fs/user/cgroup.subtree_control': 'cpu memory pids\n', 'fs/user/app/cgroup.subtree_control': '\n', 'fs/user/app/pids.max': '90\n', 'fs/user/app/memory.max': 'max\n' };

  it('of version 2 are in the nearest that hands its controllers on', () => {
    const proc = system([['cgroup2', 'nsdelegate', 'fs']], '0::/user/app\n', UNIFIED);
    assert.deepEqual(places(proc), [[2, 'fs/user', 'memory,pids']]);
  });

  it('of version 2 take over the limits of the group that is left, and end all together', () => {
    const proc = system([['cgroup2', 'nsdelegate', 'fs']], '0::/user/app\n', UNIFIED);
    const group = openCgroup({ memoryBytes: 1_000_000, processes: 50 }, 'm', proc);
    const [folder = ''] = group?.folders ?? [];
    assert.deepEqual(['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'].map((file) => readFileSync(join(folder, file), 'utf8')), ['1000000', '0', '1', '90']);
    writeFileSync(join(folder, 'memory.events'), 'low 0\noom 1\noom_kill 2\noom_group_kill 1\n');
    assert.equal(group?.exceeded(), 'memory');
    group.close();
    assert.equal(readFileSync(join(folder, 'pids.max'), 'utf8'), '0');
  });

  it('are none where the system tells of none', () => {
    assert.deepEqual(places(system([], '0::/\n', {})), []);
    assert.deepEqual(cgroupPlaces(['pids'], join(top, 'nowhere')), []);
  });

  it('are none where nothing is limited', () => {
    assert.equal(openCgroup({ cpuS: 5 }, 'm'), undefined);
  });

  it('of an engine that was killed are removed by the next', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    const proc = system([['cgroup2', 'nsdelegate', 'fs']], '0::/user/app\n', UNIFIED);
    const left = [`ratchet-${String(child.pid)}-a`, `ratchet-${String(process.pid)}-b`, 'somebody-1'].map((name) => join(top, 'fs/user', name));
    for (const folder of left) mkdirSync(folder);
    openCgroup({ processes: 5 }, 'm', proc);
    assert.deepEqual(left.map((folder) => existsSync(folder)), [false, true, true]);
  });

  it('are removed when their command has ended', function () {
    const place = cgroupPlaces(['pids']).at(0);
    const group = openCgroup({ processes: 5 }, 'm');
    if (place === undefined || group === undefined) this.skip();
    assert.equal(readdirSync(place.folder).includes(`ratchet-${String(process.pid)}-m`), true);
    group.dispose();
    assert.equal(readdirSync(place.folder).includes(`ratchet-${String(process.pid)}-m`), false);
  });
});
