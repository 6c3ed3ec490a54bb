import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openCgroup } from '../../../src/engine/execute/cgroup.ts';
import { startGuard } from '../../../src/engine/execute/guard.ts';
import { assertNoSurvivors, census } from '../../census.ts';

const SRC = join(import.meta.dirname, '../../../src/engine');

describe('guard', () => {
  if (process.platform === 'win32') return;
  const running: ChildProcess[] = [];
  const marks: string[] = [];
  const newMark = (): string => {
    const mark = randomUUID();
    marks.push(mark);
    return mark;
  };

  afterEach(async () => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
    await assertNoSurvivors(marks.splice(0), 2_000);
  });

  /** A process that executes `script` under a guard, once the script has said that it is ready, and its guard's number. */
  async function engine(mark: string, script: string, limits = {}): Promise<{ readonly child: ChildProcess; readonly guards: readonly number[] }> {
    const program = `
      import { execute } from ${JSON.stringify(join(SRC, 'execute.ts'))};
      import { startGuard } from ${JSON.stringify(join(SRC, 'execute/guard.ts'))};
      const guard = startGuard();
      await execute(
        { file: 'sh', args: ['-c', ${JSON.stringify(script)}], cwd: '/', env: { PATH: process.env.PATH } },
        { timeoutMs: 60_000, signal: new AbortController().signal, mark: ${JSON.stringify(mark)}, limits: ${JSON.stringify(limits)}, guard, onOutput: (text) => process.stdout.write(text) },
      );
      process.stdout.write('done');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(child);
    await once(child.stdout, 'data');
    const guards = census(child.pid ?? 0).filter(({ command }) => command.endsWith('ratchet-guard')).map(({ pid }) => pid);
    return { child, guards };
  }

  async function killed(child: ChildProcess): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  it('ends a group, its daemons and itself within two seconds after the engine was killed', async () => {
    const mark = newMark();
    const { child, guards } = await engine(mark, "trap '' TERM HUP; sleep 300 & (setsid sh -c 'sleep 300 & wait' > /dev/null 2>&1 &); sleep 0.2; echo ready; wait");
    assert.ok(census(mark).length >= 4);
    assert.equal(guards.length, 1);
    await killed(child);
    await assertNoSurvivors([mark, ...guards], 2_000);
  });

  it('ends a child that left group, session and environment but not its parent', async function () {
    if (process.platform !== 'linux') this.skip();
    const mark = newMark();
    const { child, guards } = await engine(mark, 'env -i setsid sleep 300 & sleep 0.1; echo $!; wait');
    const below = census(child.pid ?? 0).map(({ pid }) => pid);
    assert.ok(below.length >= 3);
    await killed(child);
    await assertNoSurvivors([mark, ...below, ...guards], 2_000);
  });

  it('ends a daemon that only a control group still holds, and removes the group', async function () {
    const group = openCgroup({ processes: 50 }, 'probe');
    const top = dirname(group?.folders[0] ?? '');
    group?.dispose();
    if (group === undefined) this.skip();
    const mark = newMark();
    const { child, guards } = await engine(mark, '(env -i setsid sh -c "echo \\$\\$; exec sleep 300" 2> /dev/null &) | { read -r pid; echo $pid; sleep 300; }', { processes: 50 });
    const [folder = ''] = readdirSync(top).filter((name) => name.endsWith(mark));
    const inside = readFileSync(join(top, folder, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number);
    assert.ok(inside.length >= 3);
    await killed(child);
    await assertNoSurvivors([mark, ...inside, ...guards], 2_000);
    assert.equal(existsSync(join(top, folder)), false);
  });

  it('does not end with the engine\'s terminal', async () => {
    const mark = newMark();
    const { child, guards } = await engine(mark, 'echo ready; sleep 300');
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) for (const pid of guards) process.kill(pid, signal);
    await killed(child);
    await assertNoSurvivors([mark, ...guards], 2_000);
  });

  it('lets go of what has ended', async () => {
    const mark = newMark();
    const { child, guards } = await engine(mark, ':');
    // A later process that happens to carry the same mark is none of its business.
    const stranger = spawn('sleep', ['300'], { stdio: 'ignore', env: { PATH: process.env['PATH'], RATCHET_MARK: mark } });
    running.push(stranger);
    await killed(child);
    await assertNoSurvivors(guards, 2_000);
    assert.equal(stranger.exitCode ?? stranger.signalCode, null);
    assert.equal(census(stranger.pid ?? 0).length, 1);
    await killed(stranger);
  });

  it('ends what it watches, and itself, when it is disposed of', async () => {
    const mark = newMark();
    const guard = startGuard();
    guard.watch(mark);
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'] } });
    running.push(child);
    guard.group(mark, child.pid ?? 0);
    const exited = once(child, 'exit');
    await guard.dispose();
    await exited;
    assert.equal(child.signalCode, 'SIGKILL');
    await guard.dispose();
    assert.deepEqual(census(process.pid).filter(({ command }) => command.endsWith('ratchet-guard')), []);
  });

  it('is replaced when it was killed, and the new one knows what the old one watched', async () => {
    const first = newMark();
    const second = newMark();
    const guard = startGuard();
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'] } });
    running.push(child);
    guard.watch(first);
    guard.group(first, child.pid ?? 0);
    const [old] = census(process.pid).filter(({ command }) => command.endsWith('ratchet-guard'));
    assert.ok(old);
    process.kill(old.pid, 'SIGKILL');
    await assertNoSurvivors([old.pid], 2_000);
    await new Promise((resolve) => setImmediate(resolve));
    guard.watch(second);
    const exited = once(child, 'exit');
    await guard.dispose();
    await exited;
    assert.equal(child.signalCode, 'SIGKILL');
  });

  it('does not keep the engine alive', async () => {
    const program = `import { startGuard } from ${JSON.stringify(join(SRC, 'execute/guard.ts'))}; startGuard();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    running.push(child);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('refuses a mark that would not fit on its line', async () => {
    const guard = startGuard();
    assert.throws(() => { guard.watch('a b'); }, TypeError);
    await guard.dispose();
  });
});
