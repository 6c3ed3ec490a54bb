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

  it('may not change with the rest, which is refused and told the model; alone it is shown for what it is', async () => {
    lab = await Lab.open({
      's.py': 'import f\nprint("score:", f.A + f.START % 7)\n', 'f.py': 'START = 3\nA = 10\n', 'program.md': '---\nscorer: python3 s.py\nproposer: replay:r\nseed: START\n---\n',
      'r/1.md': reply('START = 3\nA = 10', 'START = 4\nA = 11'), 'r/2.md': reply('START = 3', 'START = 6'), 'r/3.md': reply('START = 3', 'START = int("6")'),
    });
    const { events } = await lab.events('run', 'f.py', '--attempts', '3', '--confirm', 'off', '--yes');
    const judged = events.flatMap((event) => (event.type === 'judged' ? [event] : []));
    assert.deepEqual(judged.map(({ verdict, evidence }) => `${verdict} ${evidence.code ?? ''}`), ['kept ', 'refused protected', 'flagged seed-only-change', 'flagged seed-hidden']);
    assert.equal(judged[1]?.evidence.reason, 'The 3 of START in line 1 is a seed and must stay: another draw is no improvement. The rest of the line may change.');
    const [request] = events.flatMap((event) => (event.type === 'proposed' ? [event.request] : []));
    assert.match(await lab.read(`.ratchet/blobs/${request ?? ''}`), /- line 1, only its 3 \(a seed\), from: START = 3/);
  });

  it('that program.md names and the file doesn\'t have lets no run begin', async () => {
    lab = await Lab.open({ 'f.py': 'A = 10\n', 'program.md': '---\nscorer: python3 f.py\nproposer: literals\nseed: NOPE\n---\n' });
    const { code, stderr } = await lab.ratchet('run', 'f.py', '--yes');
    assert.equal(code, 2);
    assert.match(stderr, /program\.md says `seed: NOPE`, but f\.py has no whole number named NOPE: write the name/);
  });
});
