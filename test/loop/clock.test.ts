import assert from 'node:assert/strict';
import { clockFrom } from '../../src/loop/clock.ts';

describe('a moment as a clock shows it', () => {
  const at = (day: number, hours: number, minutes: number): number => new Date(2026, 10, day, hours, minutes).getTime();
  const clock = clockFrom(at(29, 21, 2));

  it('is the time alone today, and says the day where it is another', () => {
    assert.equal(clock(at(29, 21, 3)), '21:03');
    assert.equal(clock(at(29, 0, 0)), '00:00');
    assert.equal(clock(at(30, 0, 0)), '00:00 tomorrow');
    assert.equal(clock(at(30, 21, 3)), '21:03 tomorrow');
    assert.equal(clock(at(31, 8, 0)), '08:00 on 1 Dec');
    assert.equal(clock(at(28, 8, 0)), '08:00 on 28 Nov');
  });
});
