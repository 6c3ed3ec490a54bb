import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { LedgerEvent } from '../../src/records.ts';
import { eventsOf, Lab } from './lab.ts';

/** A reply that replaces one line. */
const reply = (search: string, replace: string): string => `Try.\n\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`;

const finalVerdicts = (events: readonly LedgerEvent[]): readonly string[] => events.flatMap((event) => (event.type === 'judged' && event.attempt > 0 ? [`${event.attempt} ${event.verdict}`] : []));

describe('confirm: night', () => {
  let lab: Lab;

  afterEach(() => lab.close());

  it('runs each attempt once from the same parent, and settles the best ones in the last quarter, one on top of the other', async () => {
    lab = await Lab.open({
      's.py': 'import f\nprint("score:", f.A + f.B + f.C)\n', 'f.py': 'A = 10\n#\n#\nB = 0\n#\n#\nC = 0\n',
      'r/1.md': reply('B = 0', 'B = 5'), 'r/2.md': reply('C = 0', 'C = -1'), 'r/3.md': reply('A = 10', 'A = 20'), 'r/4.md': reply('A = 10', 'A = 12'), 'r/5.md': reply('C = 0', 'C = 1'), 'r/6.md': reply('C = 0', 'C = -2'),
    });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '6', '--confirm', 'night');
    assert.ok(events.filter((event) => event.type === 'attempt-started').every((event) => event.attempt === 0 || event.parent === 0), 'all from the start file');
    assert.deepEqual(finalVerdicts(events), ['2 discarded', '6 discarded', '3 kept', '1 kept', '4 discarded', '5 kept'], 'the largest gain first; attempt 4 meets attempt 3');
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.reason === 'attempts', JSON.stringify(end));
    await lab.ratchet('accept');
    assert.equal(await lab.read('f.py'), 'A = 20\n#\n#\nB = 5\n#\n#\nC = 1\n');
    assert.match((await lab.ratchet('show')).stdout, /#4 {2}not kept .*same lines/);
  });

  it('settles when another rule ends it early, whatever looked better before', async () => {
    lab = await Lab.open({
      's.py': 'import f\nprint("score:", f.A)\n', 'f.py': 'A = 10\n', 'program.md': '---\npatience: 2\n---\n',
      'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 10', 'A = 9'), 'r/3.md': reply('A = 10', 'A = 8'), 'r/4.md': reply('A = 10', 'A = 7'),
    });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '40', '--confirm', 'night');
    assert.deepEqual(finalVerdicts(events), ['2 discarded', '3 discarded', '1 kept']);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.reason === 'patience', JSON.stringify(end));
  });

  it('gives the attempt that is being settled its verdict when the run is stopped', async () => {
    // The third run of the better file never ends.
    lab = await Lab.open({
      's.sh': 'a=$(sed "s/A = //" f.py); [ "$a" = 20 ] && [ "$(cat "$LOG")" = xx ] && sleep 600; [ "$a" = 20 ] && printf x >> "$LOG"; echo "score: $a"\n', 'f.py': 'A = 10\n', 'r/1.md': reply('A = 10', 'A = 20'),
    });
    lab.unconfined();
    const log = `${lab.folder}/../seen`;
    await writeFile(log, '');
    const going = lab.start(['run', 'f.py', '--score', `LOG=${log} sh s.sh`, '--proposer', 'replay:r', '--attempts', '9', '--confirm', 'night', '--json', '--yes']);
    await going.until((stdout) => stdout.split('"type":"edited"').length > 2);
    await lab.ratchet('stop');
    assert.deepEqual(finalVerdicts(eventsOf((await going.ended).stdout)), ['1 cancelled']);
  });

  it('settles early where nothing is left to try', async () => {
    lab = await Lab.open({ 's.py': 'import f\nprint("score:", f.A)\n', 'f.py': 'A = 10\n', 'r/1.md': reply('A = 10', 'A = 20') });
    const { events } = await lab.events('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '9', '--confirm', 'night');
    assert.deepEqual(finalVerdicts(events), ['1 kept']);
  });
});
