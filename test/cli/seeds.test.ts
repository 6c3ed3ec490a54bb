import assert from 'node:assert/strict';
import { Lab, reply } from './lab.ts';

describe('a seed in the target', () => {
  let lab: Lab;

  afterEach(() => lab.close());

  it('is left alone where the file stands no other one, and no candidate fails over that', async () => {
    lab = await Lab.open({ 's.py': 'import f\nprint("score:", f.A)\n', 'f.py': 'SEED = 4711\nif SEED != 4711:\n    raise SystemExit("there is no such data")\nA = 10\n', 'r/1.md': reply('A = 10', 'A = 20') });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '1');
    const own = events.flatMap((event) => ('attempt' in event && event.attempt === 1 && event.type !== 'measured' ? [event.type] : []));
    assert.deepEqual(own, ['attempt-started', 'proposed', 'edited', 'waiting'], 'one draw: it can\'t be varied');
  });
});
