import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Pace, type Timers } from '../../../src/editor/tree/pace.ts';

/** A clock that a test moves. */
class Clock implements Timers {
  private ms = 0;
  private waiting: { readonly at: number; readonly act: () => void }[] = [];

  now(): number {
    return this.ms;
  }

  after(ms: number, act: () => void): () => void {
    const entry = { at: this.ms + ms, act };
    this.waiting.push(entry);
    return () => { this.waiting = this.waiting.filter((other) => other !== entry); };
  }

  pass(ms: number): void {
    const until = this.ms + ms;
    for (;;) {
      const next = this.waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.ms = next.at;
      this.waiting = this.waiting.filter((entry) => entry !== next);
      next.act();
    }
    this.ms = until;
  }
}

describe('a pace', () => {
  const start = (held: boolean): { readonly clock: Clock; readonly pace: Pace; readonly acts: number[] } => {
    const clock = new Clock();
    const acts: number[] = [];
    return { clock, acts, pace: new Pace(() => acts.push(clock.now()), 220, held, clock) };
  };

  it('acts at once, then never more than five times in any second, and always in the end', () => {
    const step = fc.record({ waitMs: fc.nat(400), asks: fc.nat(5) });
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, pace, acts } = start(false);
      let lastAskMs = -1;
      for (const { waitMs, asks } of steps) {
        clock.pass(waitMs);
        for (let i = 0; i < asks; i++) pace.ask();
        if (asks > 0) lastAskMs = clock.now();
      }
      clock.pass(220);
      for (const [i, ms] of acts.entries()) assert.ok((acts[i + 5] ?? Infinity) - ms > 1000);
      assert.ok((acts.at(-1) ?? -1) >= lastAskMs);
      assert.ok((acts.at(-1) ?? -1) <= lastAskMs + 220);
    }));
  });

  it('rests while it is held, and catches up once', () => {
    const { clock, pace, acts } = start(true);
    for (let i = 0; i < 200; i++) { pace.ask(); clock.pass(25); }
    assert.deepEqual(acts, []);
    pace.hold(false);
    clock.pass(1000);
    assert.deepEqual(acts, [5000]);
    pace.hold(true);
    pace.hold(false);
    clock.pass(1000);
    assert.equal(acts.length, 1, 'nothing new was asked for');
  });

  it('forgets what was planned when it stops', () => {
    const { clock, pace, acts } = start(false);
    pace.ask();
    pace.stop();
    clock.pass(1000);
    assert.deepEqual(acts, []);
  });
});
