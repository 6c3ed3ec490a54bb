import assert from 'node:assert/strict';
import type { Power } from '../../../src/engine/conditions/power.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import { systemClocks } from '../../../src/engine/conditions/clocks.ts';
import { ClockWatch } from '../../../src/engine/conditions/clock-watch.ts';
import { Conditions } from '../../../src/engine/run/conditions.ts';
import type { LedgerEvent } from '../../../src/records.ts';
import { plan } from '../../loop/events.ts';
import { reply } from '../../cli/lab.ts';
import { InProcess } from '../in-process.ts';

describe('the conditions of a run', function () {
  this.timeout(60_000);
  let power: Power = {};
  const readPower = (): Promise<Power> => Promise.resolve(power);

  it('are told once for each change, and have the best so far measured anew after it, either way', async () => {
    const clocks = new ClockWatch(systemClocks);
    const conditions = new Conditions({ clocks, readPower, plan: { ...plan, metric: { name: 'ms', direction: 'lower' } } });
    const after = async (source: Power['source']): Promise<readonly [boolean, number, number]> => {
      power = { source };
      await conditions.look();
      return [conditions.news() !== undefined, await conditions.runsAnew(), await conditions.runsAnew()];
    };
    assert.deepEqual(await after('mains'), [false, 0, 0]);
    assert.deepEqual(await after('battery'), [true, 3, 0]);
    assert.deepEqual(await after('battery'), [false, 0, 0]);
    assert.deepEqual(await after(undefined), [false, 0, 0], 'what can\'t be read is no change');
    assert.deepEqual(await after('mains'), [true, 3, 0]);
    clocks.dispose();
  });

  /** A run on a machine whose plug is pulled while the scorer measures attempt 1. */
  async function unplugged(metric: 'ms' | 'score'): Promise<readonly LedgerEvent[]> {
    power = { source: 'mains' };
    const run = await InProcess.open({
      'f.py': 'A = 10\n', 'score.sh': `[ "$(cat f.py)" = 'A = 9' ] && echo pull\necho "${metric}: $(sed 's/A = //' f.py)"\n`,
      'r/1.md': reply('A = 10', 'A = 9'), 'r/2.md': reply('A = 9', 'A = 8').replace('A = 9', metric === 'ms' ? 'A = 9' : 'A = 10'),
    }, { awake: { probe: Promise.resolve({ why: 'not here' }), readPower, env: {} } });
    run.onActivity = ({ note }) => {
      if (note === 'pull') power = { source: 'battery' };
    };
    try {
      return [...await run.run('f.py', { scorer: 'sh score.sh', metric, direction: metric === 'ms' ? 'lower' : 'higher', proposer: 'replay:r', attempts: 2, confirm: 'off', sandbox: 'off' })];
    } finally {
      await run.close();
    }
  }

  it('make a time that was measured while the plug was pulled be measured again, and what it is compared with', async () => {
    const events = await unplugged('ms');
    const runs = events.flatMap((event) => (event.type === 'measured' && event.attempt === 1 ? [`${event.role} ${event.score} ${event.uncounted ?? ''}`] : []));
    assert.deepEqual(runs, ['candidate 9 While it ran, the machine went from mains to its battery: it is made again.', 'candidate 9 ', ...Array<string>(3).fill('parent 9 ')]);
    assert.ok((foldAll(events)?.notes ?? []).some((note) => note.startsWith('The machine runs on its battery')));
  });

  it('are nothing to a score that is no time', async () => {
    const events = await unplugged('score');
    assert.ok(events.every((event) => event.type !== 'measured' || (event.uncounted === undefined && event.role !== 'parent')));
    assert.equal(foldAll(events)?.notes, undefined);
  });
});
