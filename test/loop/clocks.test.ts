import assert from 'node:assert/strict';
import { NO_SLIPS, slipsBetween, slipWords, type Clocks, type Slips } from '../../src/loop/clocks.ts';

const HOUR = 3_600_000;
const noon: Clocks = { wallMs: 1000 * HOUR, steadyMs: 500, bootMs: 900 };
const after = ({ wall, steady, boot = steady }: { readonly wall: number; readonly steady: number; readonly boot?: number }): Clocks => ({ wallMs: noon.wallMs + wall, steadyMs: noon.steadyMs + steady, bootMs: 900 + boot });
const without = ({ bootMs: _, ...clocks }: Clocks): Clocks => clocks;
const elsewhere = (from: Clocks, to: Clocks): Slips => slipsBetween(without(from), without(to));

describe('two looks at the clocks', () => {
  it('tell nothing while all go on together', () => {
    assert.deepEqual(slipsBetween(noon, after({ wall: 1000, steady: 1000 })), NO_SLIPS);
    assert.deepEqual(elsewhere(noon, after({ wall: 1000, steady: 1000 })), NO_SLIPS);
  });

  it('tell a sleep from a clock that was set, either way, where the time since the start of the system is known', () => {
    assert.deepEqual(slipsBetween(noon, after({ wall: 8 * HOUR, steady: 1000, boot: 8 * HOUR })), { sleptMs: 8 * HOUR - 1000, setMs: 0, stalledMs: 0 });
    assert.deepEqual(slipsBetween(noon, after({ wall: HOUR + 1000, steady: 1000 })), { sleptMs: 0, setMs: HOUR, stalledMs: 0 });
    assert.deepEqual(slipsBetween(noon, after({ wall: -HOUR + 1000, steady: 1000 })), { sleptMs: 0, setMs: -HOUR, stalledMs: 0 });
    assert.deepEqual(slipsBetween(noon, after({ wall: 3 * HOUR + 1000, steady: 1000, boot: HOUR + 1000 })), { sleptMs: HOUR, setMs: 2 * HOUR, stalledMs: 0 });
  });

  it('tell a process that stood still from a machine that slept, and take a gap for a sleep where the system doesn\'t say', () => {
    assert.deepEqual(slipsBetween(noon, after({ wall: 40_000, steady: 40_000 })), { sleptMs: 0, setMs: 0, stalledMs: 40_000 });
    assert.deepEqual(elsewhere(noon, after({ wall: 40_000, steady: 40_000 })), { sleptMs: 40_000, setMs: 0, stalledMs: 0 });
    assert.deepEqual(slipsBetween(noon, after({ wall: 9000, steady: 9000 })), NO_SLIPS, 'a busy machine');
  });

  it('are said in words, and a clock that is steered isn\'t', () => {
    assert.equal(slipWords({ ...NO_SLIPS, sleptMs: 3 * HOUR, setMs: HOUR }), 'the machine slept for 3 h');
    assert.equal(slipWords({ ...NO_SLIPS, setMs: -HOUR }), 'the clock was set back by 60 min');
    assert.equal(slipWords({ ...NO_SLIPS, stalledMs: 40_000 }), 'Ratchet\'s engine stood still for 40 s');
    assert.equal(slipWords({ ...NO_SLIPS, sleptMs: 900, setMs: -900 }), undefined);
  });
});
