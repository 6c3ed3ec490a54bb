import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { Lab, verdictsOf } from './lab.ts';

describe('ratchet clean', function () {
  this.timeout(120_000);
  let lab: Lab;
  before(async () => {
    lab = await Lab.open({ 'f.py': 'A = 1\nB = 2\n' });
  });
  after(() => lab.close());

  it('says what is held, asks, and drops the texts of discarded attempts; their record is shown all the same', async () => {
    const nothing = await lab.ratchet('clean');
    assert.equal(nothing.code, 0);
    assert.match(nothing.stdout, /^There is no run yet/);

    const { events } = await lab.events('run', 'f.py', '--score', 'python3 -c "import f; print(\'score:\', 50 - abs(f.A - 3) + 0 * f.B)"', '--proposer', 'literals', '--attempts', '8', '--confirm', 'off');
    const verdicts = verdictsOf(events);
    const discarded = verdicts.findIndex((verdict) => verdict === 'discarded');
    assert.ok(discarded > 0 && verdicts.includes('kept'), verdicts.join(' '));
    const log = await lab.ratchet('log');
    assert.match(log.stderr, /\.ratchet holds [\d.]+ KB\.\n$/);
    assert.match((await lab.ratchet('clean')).stdout, /no attempt that came to nothing more than 30 days ago has a text left/);

    const asked = await lab.ratchet('clean', '--days', '0');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /Scores, reasons and verdicts stay.*add --yes to drop them/);
    const before = await readdir(lab.path('.ratchet/blobs'));
    const dropped = await lab.ratchet('clean', '--days', '0', '--yes');
    assert.match(dropped.stdout, /^Dropped \d+ texts \(.*\)\.\n$/);
    assert.ok((await readdir(lab.path('.ratchet/blobs'))).length < before.length);

    const shown = await lab.ratchet('show', 'last', String(discarded));
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /The text .{7} was dropped on \d{4}-\d\d-\d\d to save space\. What is known of its attempt stays\./);
    assert.equal((await lab.ratchet('diff')).code, 0);
    assert.match((await lab.ratchet('show')).stdout, /not kept/);
    assert.equal((await lab.ratchet('clean', '--days', 'x', '--yes')).code, 2);
  });
});
