import assert from 'node:assert/strict';
import type { Ask } from '../../src/protocol.ts';
import { begun } from '../loop/events.ts';
import { Lab } from './lab.ts';
import { numbered, pageOf, refusal, standIn } from './stand-in.ts';

const RUN = '20260101-000000-aaaaaa';

describe('what was shown is what starts', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open({ 'f.py': 'A = 1\n', 'score.py': 'import f\nprint("score:", f.A)\n', 'program.md': '---\nscorer: python3 score.py\nproposer: literals\nattempts: 1\n---\n' })));
  afterEach(() => lab.close());

  it('shows a page again that changed before the start', async () => {
    const seen: (string | undefined)[] = [];
    const close = await standIn(lab, {
      'ratchet/page': (ask) => ({ ...pageOf(lab)(ask), id: `page ${seen.length}`, command: `command ${seen.length}` }),
      'ratchet/start': (ask) => {
        seen.push(ask.seen);
        if (seen.length === 1) throw refusal('What would run changed since it was shown.', 'changed');
        return { run: RUN };
      },
      'ratchet/watch': () => numbered(RUN, [...begun(1), { type: 'run-ended', reason: 'attempts', sentence: 'Ended.' }]),
    });
    const { stderr, code } = await lab.ratchet('run', 'f.py', '--score', 'x', '--proposer', 'literals');
    close();
    assert.deepEqual(seen, ['page 0', 'page 1']);
    assert.match(stderr, /command 0[^]*changed since it was shown[^]*command 1/);
    assert.equal(code, 3);
  });

  it('starts and tries nothing that program.md came to name after the page', async () => {
    assert.equal((await lab.ratchet('run', 'f.py', '--yes', '--json')).code, 0);
    const engine = await lab.engine();
    assert.ok(engine);
    const ask: Ask = { target: lab.path('f.py'), flags: {}, settings: {}, env: { PATH: process.env['PATH'] ?? '' } };
    const page = await engine.request('ratchet/page', ask);
    assert.ok(page.id);
    await lab.write('program.md', '---\nscorer: touch pwned; python3 score.py\nproposer: literals\nattempts: 1\n---\n');
    const late = { ...ask, seen: page.id };
    await assert.rejects(engine.request('ratchet/start', { ...late, detached: true }), /changed since it was shown/);
    await assert.rejects(engine.request('ratchet/try', late), /changed since it was shown/);
    assert.equal((await engine.request('ratchet/runs', {})).length, 1);
    const again = await engine.request('ratchet/page', ask);
    assert.equal((await engine.request('ratchet/try', { ...ask, ...(again.id === undefined ? {} : { seen: again.id }) })).outcome, 'scored');
    engine.close();
  });
});
