import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { systemClocks } from '../../../src/engine/conditions/clocks.ts';
import { ClockWatch } from '../../../src/engine/conditions/clock-watch.ts';
import { slipsBetween, type Clocks } from '../../../src/loop/clocks.ts';

describe('the clocks of this machine', () => {
  it('are read of one moment, and on Linux with the time since its start', () => {
    const [first, then] = [systemClocks(), systemClocks()];
    assert.equal(then.bootMs !== undefined, process.platform === 'linux');
    const { sleptMs, setMs, stalledMs } = slipsBetween(first, then);
    // The time since the start comes in hundredths of a second.
    assert.ok(sleptMs <= 20 && Math.abs(setMs) <= 20 && stalledMs === 0, JSON.stringify([first, then]));
  });

  it('take no process that somebody stopped for a sleep of the machine', async () => {
    const script = `
      import { systemClocks } from ${JSON.stringify(new URL('../../../src/engine/conditions/clocks.ts', import.meta.url).href)};
      const first = systemClocks();
      process.stdout.write('ready');
      process.stdin.once('data', () => { process.stdout.write(JSON.stringify([first, systemClocks()])); process.exit(); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    while (said !== 'ready') await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.kill('SIGCONT');
    child.stdin.end('now');
    await once(child, 'close');
    const [first, then] = JSON.parse(said.slice('ready'.length)) as [Clocks, Clocks];
    assert.ok(then.steadyMs - first.steadyMs >= 1500, 'it stood still that long');
    assert.ok(slipsBetween(first, then).sleptMs < 1000, said);
  });
});

describe('a watch of the clocks', () => {
  it('adds up what slipped by', () => {
    let clocks: Clocks = { wallMs: 0, steadyMs: 0, bootMs: 0 };
    const watch = new ClockWatch(() => clocks);
    const pass = (wall: number, steady: number, boot: number): void => void (clocks = { wallMs: clocks.wallMs + wall, steadyMs: clocks.steadyMs + steady, bootMs: (clocks.bootMs ?? 0) + boot });
    pass(6000, 1000, 6000);
    assert.deepEqual(watch.slips(), { sleptMs: 5000, setMs: 0, stalledMs: 0 });
    pass(3000, 1000, 1000);
    assert.deepEqual(watch.slips(), { sleptMs: 5000, setMs: 2000, stalledMs: 0 });
    pass(7000, 1000, 9000);
    assert.deepEqual(watch.slips(), { sleptMs: 13_000, setMs: 0, stalledMs: 0 }, 'set back again');
    watch.dispose();
  });
});
