import assert from 'node:assert/strict';
import type { LedgerEvent } from '../../src/records.ts';
import { eventsOf, Lab, verdictsOf } from './lab.ts';

/** Counts the lines that runs before it left, and leaves one more. */
const SCORER = 'mkdir -p mine; echo x >> mine/runs; cat f.py > /dev/null; echo "score: $(wc -l < mine/runs)"; grep -q "A = [0-9]" f.py';

describe('`cache:`', function () {
  this.timeout(120_000);
  let lab: Lab;
  beforeEach(async () => { lab = await Lab.open({ 'f.py': 'A = 1\n' }); });
  afterEach(() => lab.close());

  const run = async (): Promise<readonly LedgerEvent[]> =>
    (await lab.events('run', 'f.py', '--score', SCORER, '--proposer', 'literals', '--attempts', '3', '--confirm', 'off')).events;
  const scores = (events: readonly LedgerEvent[]): readonly (number | undefined)[] =>
    events.flatMap((event) => (event.type === 'measured' && event.role === 'candidate' ? [event.score] : []));
  const notes = (events: readonly LedgerEvent[]): readonly string[] => events.flatMap((event) => (event.type === 'noted' ? [event.sentence] : []));

  it('gives every run what the start file\'s first run left, that one done again included', async () => {
    await lab.write('program.md', '---\ncache: [mine]\n---\n');
    const events = await run();
    assert.deepEqual([...new Set(scores(events))], [2]);
    assert.ok(scores(events).length >= 4);
    assert.ok(notes(events).includes('Each run begins with the caches that the start file\'s first run left: mine. That run was done again, so that it counts with them.'));
  });

  it('is dropped where it hides a broken file, and that is told', async () => {
    // Caches what it computed by the file's name, which is no way to cache.
    const scorer = 'mkdir -p mine; test -f mine/f || { echo "$(grep -o "[0-9]*" f.py || exit 9)" > mine/f; }; echo "score: $(cat mine/f)"';
    await lab.write('program.md', '---\ncache: [mine]\n---\n');
    const { events, code, stderr } = await lab.events('run', 'f.py', '--score', scorer, '--proposer', 'literals', '--attempts', '3', '--confirm', 'off');
    assert.equal(code, 0, stderr);
    assert.ok(notes(events).some((note) => /didn't notice that the file was broken: each run begins without them/.test(note)));
    assert.ok(scores(events).slice(1).some((score) => score !== 1), 'candidates are measured');
  });

  it('gives a run that is taken up again the same caches as before', async () => {
    await lab.write('program.md', '---\ncache: [mine]\n---\n');
    const going = lab.start(['run', 'f.py', '--score', SCORER, '--proposer', 'literals', '--attempts', '6', '--confirm', 'off', '--json']);
    await going.until((text) => verdictsOf(eventsOf(text.slice(0, text.lastIndexOf('\n') + 1))).length >= 3);
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
    await going.ended;
    const { events, stderr } = await lab.events('resume', 'last');
    const again = events.flatMap((event) => (event.type === 'measured' ? [event.score] : []));
    assert.ok(again.length >= 2, stderr);
    assert.deepEqual([...new Set(again)], [2]);
  });

  it('carries nothing that isn\'t named', async () => {
    const events = await run();
    assert.deepEqual([...new Set(scores(events))], [1]);
    assert.deepEqual(notes(events).filter((note) => note.includes('caches')), []);
  });

  it('can\'t name the target, nor what lies outside', async () => {
    for (const [names, said] of [['["*.py"]', /`cache` names f\.py, the file that changes/], ['[../x]', /`cache` must be paths below the root of the project/]] as const) {
      await lab.write('program.md', `---\ncache: ${names}\n---\n`);
      const { code, stderr } = await lab.ratchet('run', 'f.py', '--score', SCORER, '--proposer', 'literals', '--attempts', '1');
      assert.equal(code, 2);
      assert.match(stderr, said);
    }
  });
});
