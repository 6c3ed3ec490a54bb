import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { macPower, powerReader, type PowerSource } from '../../../src/engine/conditions/power.ts';

describe('what feeds the machine', () => {
  let sys: string;
  beforeEach(() => (sys = mkdtempSync(join(tmpdir(), 'ratchet-sys-'))));
  afterEach(() => rmSync(sys, { recursive: true }));

  function supply(name: string, parts: Readonly<Record<string, string>>): void {
    const folder = join(sys, 'class/power_supply', name);
    mkdirSync(folder, { recursive: true });
    for (const [part, text] of Object.entries(parts)) writeFileSync(join(folder, part), `${text}\n`);
  }
  const read = (platform: NodeJS.Platform) => async (): Promise<PowerSource> => (await powerReader(platform, sys)()).source;

  it('is mains while a plug is in, whatever the battery does, and else the battery that is being emptied', async () => {
    supply('BAT0', { type: 'Battery', status: 'Discharging' });
    supply('AC', { type: 'Mains', online: '0' });
    assert.equal(await read('linux')(), 'battery');
    supply('ucsi', { type: 'USB', online: '1' });
    assert.equal(await read('linux')(), 'mains');
  });

  it('is mains where a battery is full and no plug is told of', async () => {
    supply('BAT0', { type: 'Battery', status: 'Not charging' });
    assert.equal(await read('linux')(), 'mains');
  });

  it('is not said of a machine without a battery, nor by the battery of a mouse', async () => {
    assert.equal(await read('linux')(), undefined);
    supply('hidpp_battery_0', { type: 'Battery', scope: 'Device', status: 'Discharging' });
    assert.equal(await read('linux')(), undefined);
    assert.equal(await read('win32')(), undefined);
  });

  it('comes with how often its processors were slowed down for their heat, where the system counts that', async () => {
    assert.equal((await powerReader('linux', sys)()).throttles, undefined);
    for (const [cpu, counts] of [['cpu0', ['2', '5']], ['cpu1', ['1', '5']], ['cpufreq', ['9', '9']]] as const) {
      const folder = join(sys, 'devices/system/cpu', cpu, 'thermal_throttle');
      mkdirSync(folder, { recursive: true });
      for (const [index, part] of ['core', 'package'].entries()) writeFileSync(join(folder, `${part}_throttle_count`), `${counts[index] ?? ''}\n`);
    }
    assert.equal((await powerReader('linux', sys)()).throttles, 13);
  });

  it('is read from what macOS prints', () => {
    assert.equal(macPower('Now drawing from \'Battery Power\'\n -InternalBattery-0 (id=1)\t80%; discharging'), 'battery');
    assert.equal(macPower('Now drawing from \'AC Power\'\n'), 'mains');
    assert.equal(macPower(''), undefined);
  });
});
