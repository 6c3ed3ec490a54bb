import assert from 'node:assert/strict';
import type { NewEvent, StopRules } from '../../src/records.ts';
import { foldAll, type RunState } from '../../src/loop/ledger.ts';
import { describeStop, duration, stopNow } from '../../src/loop/stop.ts';
import { stopRules } from '../../src/loop/stop-rules.ts';
import { begun, lower, measured, numbered, plan } from './events.ts';

const T0 = Date.UTC(2026, 10, 30, 12, 0, 0);
const morning = plan.morningMs;

function runWith(stop: StopRules, verdicts: readonly ('kept' | 'discarded' | 'refused' | 'cancelled')[] = [], score = 40, given = plan): RunState {
  const attempts = verdicts.flatMap((verdict, index): NewEvent[] => [
    { type: 'attempt-started', attempt: index + 1 },
    { type: 'judged', attempt: index + 1, verdict, evidence: { reason: '', score: score + index + 1 } },
  ]);
  const state = foldAll(numbered([...begun(score, { ...given, stop }), ...attempts]));
  assert.ok(state);
  return state;
}

describe('when a run ends', () => {
  it('has default rules by the time of the first run', () => {
    assert.deepEqual(stopRules({}, morning, 59_999), { attempts: 60, hours: 0.5 });
    assert.deepEqual(stopRules({}, morning, 60_000), { untilMs: morning, patienceHours: 3 });
    assert.deepEqual(stopRules({ patience: 4 }, morning, 100), { attempts: 60, hours: 0.5, patience: 4 });
  });

  it('adds no default where time or attempts are given', () => {
    for (const given of [{ attempts: 3 }, { hours: 2 }, { untilMs: 5 }]) assert.deepEqual(stopRules(given, morning, 100), given);
  });

  it('counts attempts that were decided, and not the cancelled ones', () => {
    assert.equal(stopNow(runWith({ attempts: 3 }, ['discarded', 'refused']), T0), undefined);
    assert.equal(stopNow(runWith({ attempts: 3 }, ['discarded', 'refused', 'cancelled']), T0), undefined);
    const stop = stopNow(runWith({ attempts: 3 }, ['discarded', 'refused', 'kept']), T0);
    assert.equal(stop?.reason, 'attempts');
    assert.match(stop?.sentence ?? '', /all 3 attempts/);
  });

  it('has patience with a night in which something looks better', () => {
    const night = (how: 'night' | 'one-draw'): RunState => foldAll(numbered([
      ...begun(40, { ...plan, stop: { attempts: 99, patience: 2 } }), ...[1, 2].flatMap((attempt): NewEvent[] => [{ type: 'attempt-started', attempt, parent: 0 }, measured(attempt, 50), { type: 'waiting', attempt, evidence: { reason: '', how, score: 50 } }]),
    ])) ?? assert.fail();
    assert.deepEqual([stopNow(night('night'), T0)?.reason, stopNow(night('one-draw'), T0)?.reason], [undefined, 'patience']);
  });

  it('ends by hours, by the clock, by patience and by tokens', () => {
    assert.equal(stopNow(runWith({ hours: 1 }), T0 + 3_599_000 + 1000), undefined);
    assert.equal(stopNow(runWith({ hours: 1 }), T0 + 3_600_000 + 1000)?.reason, 'hours');
    assert.equal(stopNow(runWith({ untilMs: T0 + 5 }), T0 + 4), undefined);
    assert.equal(stopNow(runWith({ untilMs: T0 + 5 }), T0 + 5)?.reason, 'until');
    assert.equal(stopNow(runWith({ attempts: 99, patience: 2 }, ['discarded', 'kept', 'discarded']), T0), undefined);
    assert.equal(stopNow(runWith({ attempts: 99, patience: 2 }, ['kept', 'discarded', 'refused']), T0)?.reason, 'patience');
    const spent = foldAll(numbered([...begun(40, { ...plan, stop: { attempts: 9, tokens: 10 } }), { type: 'proposed', attempt: 1, request: 'a'.repeat(64), reply: 'a'.repeat(64), durationMs: 1, usage: { totalTokens: 10 } }]));
    assert.ok(spent);
    assert.equal(stopNow(spent, T0)?.reason, 'tokens');
  });

  it('leaves pauses out of the hours, and not out of the clock', () => {
    const HOUR = 3_600_000;
    const at = (ms: number, events: readonly NewEvent[]) => events.map((event) => ({ ...event, at: new Date(T0 + ms).toISOString() }));
    const pausedFor = (stop: StopRules, end: readonly NewEvent[]): RunState => {
      // Two hours of pause, one hour after the start; then an improvement, where one is given.
      const rest = [...at(HOUR, [{ type: 'steered', what: 'paused' }]), ...at(3 * HOUR, end)];
      const state = foldAll([...numbered(begun(40, { ...plan, stop }, { durationMs: 120_000 })), ...rest.map((event, index) => ({ v: 1 as const, run: 'run-1', seq: 4 + index, ...event }))]);
      assert.ok(state);
      return state;
    };
    const resumed: readonly NewEvent[] = [{ type: 'steered', what: 'resumed' }];
    // The run's first measurement began one second after T0.
    assert.equal(stopNow(pausedFor({ hours: 2 }, resumed), T0 + 4 * HOUR), undefined);
    assert.equal(stopNow(pausedFor({ hours: 2 }, resumed), T0 + 4 * HOUR + 1000)?.reason, 'hours');
    assert.equal(stopNow(pausedFor({ hours: 2 }, []), T0 + 50 * HOUR), undefined, 'a pause that lasts');
    assert.equal(stopNow(pausedFor({ untilMs: T0 + 2 * HOUR }, resumed), T0 + 3 * HOUR)?.reason, 'until');
    // Without rules of its own: three hours without an improvement, of which the pause is none.
    assert.equal(stopNow(pausedFor({}, resumed), T0 + 5 * HOUR), undefined);
    assert.equal(stopNow(pausedFor({}, resumed), T0 + 5 * HOUR + 3000)?.reason, 'patience');
    const kept: readonly NewEvent[] = [...resumed, { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: '', score: 41 } }];
    assert.equal(stopNow(pausedFor({}, kept), T0 + 6 * HOUR - 1), undefined);
    assert.equal(stopNow(pausedFor({}, kept), T0 + 6 * HOUR)?.reason, 'patience', 'a pause before the last keep counts no more');
  });

  it('counts no hours that the machine slept, and none by which the clock was set, in a pause or out of it', () => {
    const HOUR = 3_600_000;
    const slip = (what: 'slept' | 'set', hours: number): NewEvent => ({ type: 'clock-slipped', what, slippedMs: hours * HOUR });
    const after = (stop: StopRules, events: readonly (readonly [hours: number, NewEvent])[]): RunState => {
      const all = events.map(([hours, event], index) => ({ v: 1 as const, run: 'run-1', seq: 4 + index, ...event, at: new Date(T0 + hours * HOUR).toISOString() }));
      return foldAll([...numbered(begun(40, { ...plan, stop }, { durationMs: 120_000 })), ...all]) ?? assert.fail();
    };
    const ends = (state: RunState, hours: number): string => stopNow(state, T0 + hours * HOUR + 1000)?.reason ?? 'goes on';
    for (const what of ['slept', 'set'] as const) {
      const woken = after({ hours: 2 }, [[9, slip(what, 8)]]);
      assert.deepEqual([ends(woken, 9.99), ends(woken, 10)], ['goes on', 'hours']);
      const patient = after({}, [[9, slip(what, 6)]]);
      assert.deepEqual([ends(patient, 8.99), ends(patient, 9.01)], ['goes on', 'patience']);
      // One hour of work, a pause of three in which another eight slip by, and one more of work.
      const paused = after({ hours: 2 }, [[1, { type: 'steered', what: 'paused' }], [12, slip(what, 8)], [12, { type: 'steered', what: 'resumed' }]]);
      assert.deepEqual([ends(paused, 12.99), ends(paused, 13)], ['goes on', 'hours']);
    }
    const back = after({ hours: 2 }, [[-4, slip('set', -5)]]);
    assert.deepEqual([ends(back, -3.01), ends(back, -3)], ['goes on', 'hours'], 'an hour of work before, and one after');
    const pausedBack = after({ hours: 2 }, [[1, { type: 'steered', what: 'paused' }], [-6, slip('set', -8)], [-5, { type: 'steered', what: 'resumed' }]]);
    assert.deepEqual([ends(pausedBack, -4.01), ends(pausedBack, -4)], ['goes on', 'hours']);
  });

  it('ends at a time of the clock as the clock shows it, on the day that was meant', () => {
    const HOUR = 3_600_000;
    const set = (hours: number): RunState => foldAll(numbered([...begun(40, { ...plan, stop: { untilMs: T0 + 8 * HOUR } }), { type: 'clock-slipped', what: 'set', slippedMs: hours * HOUR }])) ?? assert.fail();
    const untilHours = (hours: number): number => ((set(hours).plan.stop.untilMs ?? 0) - T0) / HOUR;
    assert.deepEqual([1, -1, 9].map(untilHours), [8, 8, 8], 'the clock was wrong by hours');
    assert.deepEqual([24 * 400 + 1, -24 * 7 - 3].map(untilHours), [24 * 400 + 8, -24 * 7 + 8], 'its date was wrong');
    assert.equal(set(24 * 400).plan.morningMs, morning + 24 * 400 * HOUR);
  });

  it('ends a slow run after three hours without an improvement', () => {
    const state = foldAll(numbered(begun(40, { ...plan, stop: {} }, { durationMs: 120_000 })));
    assert.ok(state);
    const lastKeep = Date.parse(state.lastKeepAt);
    assert.equal(stopNow(state, lastKeep + 3 * 3_600_000 - 1), undefined);
    assert.equal(stopNow(state, lastKeep + 3 * 3_600_000)?.reason, 'patience');
  });

  it('ends at the top: 100 for score, the target score in the direction of the metric', () => {
    const top = stopNow(runWith({ attempts: 9 }, ['kept'], 99), T0);
    assert.equal(top?.reason, 'target-score');
    assert.match(top?.sentence ?? '', /100/);
    assert.equal(stopNow(runWith({ attempts: 9 }, ['kept'], 98), T0), undefined);
    assert.equal(stopNow(runWith({ attempts: 9, targetScore: 0.5 }, [], 0.4, lower), T0)?.reason, 'target-score');
    assert.equal(stopNow(runWith({ attempts: 9, targetScore: 0.3 }, [], 0.4, lower), T0), undefined);
    const anew = { ...runWith({ attempts: 9, targetScore: 0.5 }, [], 0.4, lower), epoch: { number: 1, isBestKnown: false, used: { judged: 0, keeps: [], lost: 0 } } };
    assert.equal(stopNow(anew, T0), undefined, 'by what it scored before other files changed');
  });

  it('says nothing before the baseline is measured', () => {
    const state = foldAll(numbered(begun(40).slice(0, 1)));
    assert.ok(state);
    assert.equal(stopNow(state, T0 + 1e12), undefined);
  });

  it('describes rules and durations in plain words', () => {
    assert.equal(describeStop({ ...lower, stop: { attempts: 60, hours: 0.5 } }, String), 'after 60 attempts, or after 30 min');
    assert.equal(describeStop({ ...plan, stop: { untilMs: 8, patienceHours: 3 } }, () => '08:00'), 'at 08:00, or after 3 h without an improvement, or at a score of 100');
    assert.deepEqual([450, 2300, 60_000, 90 * 60_000, 3 * 3_600_000].map(duration), ['450 ms', '2.3 s', '1 min', '90 min', '3 h']);
  });
});
