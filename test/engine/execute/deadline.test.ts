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
});
