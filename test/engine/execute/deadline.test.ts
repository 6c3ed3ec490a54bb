import assert from 'node:assert/strict';
import { after } from '../../../src/engine/execute/deadline.ts';

describe('deadline', () => {
  it('comes in its time, the shorter first, and not when it is called off', async () => {
    const came: string[] = [];
    const callOff = after(1, () => { came.push('called off'); });
    callOff();
    await new Promise<void>((resolve) => {
      after(40, () => {
        came.push('later');
        resolve();
      });
      after(5, () => { came.push('sooner'); });
    });
    assert.deepEqual(came, ['sooner', 'later']);
  });

  it('does not fire at once for a wait that is longer than a timer can be', async () => {
    const fired: number[] = [];
    const callOffs = [2 ** 31 - 1, 2 ** 31, 30 * 86_400_000, Infinity].map((ms) => after(ms, () => { fired.push(ms); }));
    await new Promise((resolve) => setTimeout(resolve, 30));
    for (const callOff of callOffs) callOff();
    assert.deepEqual(fired, []);
  });

  it('is neither brought near nor put off by a clock that somebody sets', async () => {
    const { now } = Date;
    const fired: string[] = [];
    const callOff = after(60_000, () => { fired.push('far'); });
    const near = new Promise<void>((resolve) => after(20, resolve));
    try {
      for (const hours of [9, -9]) {
        Date.now = () => now() + hours * 3_600_000;
        await Promise.race([near, new Promise((resolve) => setTimeout(resolve, 5))]);
      }
      await near;
    } finally {
      Date.now = now;
      callOff();
    }
    assert.deepEqual(fired, []);
  });
});
