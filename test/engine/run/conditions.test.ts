import assert from 'node:assert/strict';
import type { Power } from '../../../src/engine/conditions/power.ts';
import { foldAll } from '../../../src/loop/ledger.ts';
import { systemClocks } from '../../../src/engine/conditions/clocks.ts';
import { ClockWatch } from '../../../src/engine/conditions/clock-watch.ts';
import { Conditions } from '../../../src/engine/run/conditions.ts';
import type { LedgerEvent } from '../../../src/records.ts';
import { begun, measured, numbered, plan } from '../../loop/events.ts';
import { reply } from '../../cli/lab.ts';
import { InProcess } from '../in-process.ts';

describe('the conditions of a run', function () {
  this.timeout(60_000);
  let power: Power = {};
  const readPower = (): Promise<Power> => Promise.resolve(power);

  it('are told once for each change, either way', async () => {
    const clocks = new ClockWatch(systemClocks);
    const timing = { ...plan, metric: { name: 'ms', direction: 'lower' } } as const;
    const conditions = new Conditions({ clocks, readPower }, { plan: timing, attempts: [] });
    const after = async (source: Power['source'], of = conditions): Promise<readonly (string | undefined)[]> => {
      power = { source };
      await of.look();
      return [of.news(), await of.changed(), await of.changed()].map((said) => (typeof said === 'object' ? said.why : said)?.split(/[:.]/)[0]);
    };
    const nothing = [undefined, undefined, undefined];
    assert.deepEqual(await after('mains'), nothing);
    assert.deepEqual(await after('battery'), [undefined, 'The machine runs on its battery now', undefined]);
    assert.deepEqual(await after('battery'), nothing);
    assert.deepEqual(await after(undefined), nothing, 'what can\'t be read is no change');
    assert.deepEqual(await after('mains'), [undefined, 'The machine is on mains again', undefined]);
    const [before] = foldAll(numbered(begun(40, timing, { onBattery: true })))?.attempts ?? [];
    assert.ok(before);
    assert.deepEqual(await after('mains', new Conditions({ clocks, readPower }, { plan: timing, attempts: [before] })), [undefined, 'The machine is on mains again', undefined], 'it was resumed there');
    const anew = foldAll(numbered([...begun(40, timing), { type: 'attempt-started', attempt: 1, parent: 0 }, measured(1, 39), { type: 'judged', attempt: 1, verdict: 'discarded', evidence: { reason: 'worse' } }, measured(0, 80, { onBattery: true })]))?.attempts ?? [];
    assert.deepEqual(await after('mains', new Conditions({ clocks, readPower }, { plan: timing, attempts: anew })), [undefined, 'The machine is on mains again', undefined], 'its start file was measured last');
    assert.deepEqual(await after('battery', new Conditions({ clocks, readPower }, { plan: timing, attempts: [] })), ['The machine runs on its battery', undefined, undefined]);
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
    assert.deepEqual(runs.slice(0, 2), ['candidate 9 While it ran, the machine went from mains to its battery: it is made again.', 'candidate 9 ']);
    const from = events.findIndex(({ type }) => type === 'epoch-started');
    const epoch = events[from];
    assert.ok(epoch?.type === 'epoch-started' && epoch.why.startsWith('The machine runs on its battery now.'));
    const anew = events.slice(from).flatMap((event) => (event.type === 'measured' && event.attempt < 2 && event.role !== 'canary' ? [`${event.attempt} ${event.onBattery}`] : []));
    assert.deepEqual([...new Set(anew)], ['0 true', '1 true'], 'start file and best so far');
  });

  it('are nothing to a score that is no time', async () => {
    const events = await unplugged('score');
    assert.ok(events.every((event) => event.type !== 'epoch-started' && (event.type !== 'measured' || (event.uncounted === undefined && event.onBattery === undefined))));
  });
});
