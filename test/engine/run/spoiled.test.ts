import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { foldAll } from '../../../src/loop/ledger.ts';
import { NO_SLIPS, type Clocks, type Slips } from '../../../src/loop/clocks.ts';
import type { Power } from '../../../src/engine/conditions/power.ts';
import { spoiledWords } from '../../../src/engine/run/spoiled.ts';
import type { LedgerEvent } from '../../../src/records.ts';
import { reply } from '../../cli/lab.ts';
import { InProcess } from '../in-process.ts';

const HOUR = 3_600_000;

describe('a run of the scorer that was slept through', function () {
  this.timeout(60_000);

  it('is always made again, and one whose clock was set or whose engine stood still a few times', () => {
    const told = (slips: Slips, inVain: number): string | undefined => spoiledWords({ slips, before: {}, after: {} }, inVain);
    assert.equal(told(NO_SLIPS, 0), undefined);
    assert.equal(told({ ...NO_SLIPS, setMs: 2000 }, 2), 'While it ran, the clock was set forward by 2 s: it is made again.');
    assert.equal(told({ ...NO_SLIPS, setMs: 2000 }, 3), undefined);
    assert.equal(told({ ...NO_SLIPS, stalledMs: 20_000 }, 3), undefined);
    assert.match(told({ ...NO_SLIPS, sleptMs: 2000, setMs: 2000 }, 99) ?? '', /slept for 2 s/);
    assert.equal(told({ ...NO_SLIPS, sleptMs: 900 }, 0), undefined);
  });

  it('is made again where the machine became slower, or faster, meanwhile, as far as that is told', () => {
    const told = (before: Power, after: Power, inVain = 0): string | undefined => spoiledWords({ slips: NO_SLIPS, before, after }, inVain);
    assert.equal(told({ source: 'mains' }, { source: 'battery' }), 'While it ran, the machine went from mains to its battery: it is made again.');
    assert.match(told({ source: 'battery', throttles: 1 }, { source: 'mains', throttles: 1 }) ?? '', /from its battery to mains/);
    assert.match(told({ throttles: 4 }, { throttles: 5 }) ?? '', /slowed down for its heat/);
    for (const [before, after] of [[{ throttles: 4 }, { throttles: 4 }], [{}, { throttles: 5 }], [{}, { source: 'battery' }], [{ source: 'battery' }, { source: 'battery' }]] as const) assert.equal(told(before, after), undefined);
    assert.equal(told({ throttles: 4 }, { throttles: 5 }, 3), undefined, 'a machine that is always hot');
  });

  /** A run whose clocks jump while the scorer works on the text with A = 20; what it scores then is 99, and 21 when it is run again. */
  async function jumped(jump: Partial<Clocks>, stop: { readonly hours?: number; readonly attempts: number }): Promise<{ readonly events: readonly LedgerEvent[]; readonly notes: readonly string[] }> {
    const skew = { wallMs: 0, steadyMs: 0, bootMs: 0 };
    const now = (): Clocks => ({ wallMs: Date.now() + skew.wallMs, steadyMs: performance.now() + skew.steadyMs, bootMs: performance.now() + skew.bootMs });
    const process = await InProcess.open({
      'f.py': 'A = 10\n',
      'score.sh': 'a=$(sed "s/A = //" f.py)\n[ "$a" = 20 ] || { echo "score: $a"; exit; }\n[ -e "$TEST_BASE/woken" ] && { echo "score: 21"; exit; }\necho asleep\nwhile ! [ -e "$TEST_BASE/woken" ]; do sleep 0.02; done\necho "score: 99"\n',
      'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 20', 'A = 22'), 'r/3.md': reply('A = 22', 'A = 23'),
    }, { now: () => new Date(now().wallMs), readClocks: now });
    process.onActivity = ({ note }) => {
      if (note !== 'asleep') return;
      process.onActivity = () => undefined;
      Object.assign(skew, jump);
      writeFileSync(process.path('woken'), '');
    };
    try {
      const events = [...await process.run('f.py', { scorer: 'sh score.sh', proposer: 'replay:r', confirm: 'off', sandbox: 'off', ...stop })];
      return { events, notes: foldAll(events)?.notes ?? [] };
    } finally {
      await process.close();
    }
  }

  it('stays in the ledger and counts for nothing; the run goes on with its hours unspent', async () => {
    const { events, notes } = await jumped({ wallMs: 8 * HOUR, bootMs: 8 * HOUR }, { hours: 1, attempts: 3 });
    const runs = events.flatMap((event) => (event.type === 'measured' && event.attempt === 1 && event.role === 'candidate' ? [event] : []));
    assert.deepEqual(runs.map(({ score, uncounted = '' }) => [score, uncounted]), [[99, 'While it ran, the machine slept for 8 h: it is made again.'], [21, '']]);
    assert.equal(runs[0]?.seed, runs[1]?.seed);
    assert.deepEqual(events.flatMap((event) => (event.type === 'judged' ? [`${event.verdict} ${event.evidence.score ?? ''}`] : [])), ['kept 10', 'kept 21', 'kept 22', 'kept 23']);
    const attempt = foldAll(events)?.attempts[1];
    assert.deepEqual([attempt?.measurements.filter(({ role }) => role === 'candidate').length, attempt?.uncounted?.length], [1, 1]);
    assert.ok(notes.includes('A run of the scorer for attempt 1 doesn\'t count. While it ran, the machine slept for 8 h: it is made again.'), notes.join('\n'));
    assert.ok(notes.includes('The machine slept for 8 h. That is no time of the run.'), notes.join('\n'));
  });

  for (const [way, ms] of [['forward', 5 * HOUR], ['back', -5 * HOUR]] as const)
    it(`was timed by a clock that somebody set ${way}: the run goes on, with its hours as they were`, async () => {
      const { events, notes } = await jumped({ wallMs: ms }, { hours: 1, attempts: 3 });
      const end = events.at(-1);
      assert.ok(end?.type === 'run-ended' && end.reason === 'attempts', JSON.stringify(end));
      const slips = events.flatMap((event) => (event.type === 'clock-slipped' ? [[event.what, Math.round(event.slippedMs / 1000)]] : []));
      assert.deepEqual(slips, [['set', ms / 1000]]);
      assert.ok(notes.some((note) => note.includes(`the clock was set ${way} by 5 h: it is made again`)), notes.join('\n'));
    });
});
