import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { traces } from '../../bench/verifier/traces.ts';
import type { Explanation } from '../../src/loop/explain.ts';
import { resultLine } from '../../src/loop/results.ts';
import { Lab } from './lab.ts';

const HEAD = 'commit\tval_bpb\tmemory_gb\tstatus\tdescription\n';

describe('ratchet explain', () => {
  let lab: Lab;
  before(async () => {
    const [h100] = await traces();
    assert.ok(h100);
    const columns = HEAD.trimEnd().split('\t');
    lab = await Lab.open({
      'results.tsv': HEAD + h100.table.rows.map((row) => resultLine(row, columns)).join(''),
      'loss.tsv': 'status\tloss\r\nkeep\t3\r\ndiscard\t3.1\r\nkeep\t2\r\nwhat\t1\r\nkeep\t1.9',
      'up-and-down.tsv': 'status\tloss\nkeep\t3\nkeep\t2\nkeep\t3\n',
      'empty.tsv': '',
      'note.md': '# A note\n',
      'one.tsv': `${HEAD}a\t1.1\t44\tkeep\tbaseline\n`,
      'discards.tsv': `${HEAD}a\t1.1\t44\tdiscard\tx\nb\t1.2\t44\tdiscard\ty\n`,
      'nan.tsv': `${HEAD}a\tnan\t44\tkeep\tbaseline\nb\tNaN\t44\tkeep\ty\n`,
      'unread.tsv': 'score\tstatus\tdescription\n90\tkeep\tbaseline\n98,5\tkeep\ta\nn/a\tdiscard\tb\n\tkeep\tc\n1e308\tkeep\td\n95\twhat\te\n\tdiscard\tcancelled\n\tcrash\tf\n97\tkeep\tg\n9',
      'commas.tsv': 'score\tstatus\n1,5\tkeep\n1,6\tkeep\n',
      'binary.tsv': '', 'huge.tsv': '',
    });
    await writeFile(lab.path('binary.tsv'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]));
    await truncate(lab.path('huge.tsv'), 200_000_000);
  });
  after(() => lab.close());

  it('says of a published log which keeps are likely real, and what would settle the others', async () => {
    const { code, stdout, stderr } = await lab.ratchet('explain', 'results.tsv');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^125 scored rows of val_bpb \(lower is better\); the start scored 0\.9979 and 22 more were kept\.\nOne run varies by ±0\.000/);
    assert.match(stdout, /\n +2 +0\.986041 +\+0\.0119 .*likely real/);
    assert.match(stdout, /\n +41 +0\.972694 .*within noise +more than 100 runs of each +attempt 40\n/);
    assert.match(stdout, /\nOf 22 kept, 3 are likely real, \d+ are within noise.* Expected false keeps: about \d+\.\n(?:The \d+ kept .* together .*\n)*In all: val_bpb 0\.9979 → 0\.969686, a gain of 0\.0282; chance that so much is luck: <0\.1 %\.\n$/);
  });

  it('takes what a person knows of noise and direction, and prints JSON', async () => {
    const { code, stdout } = await lab.ratchet('explain', 'results.tsv', '--noise', '0.01', '--json');
    assert.equal(code, 0);
    const told = JSON.parse(stdout) as Explanation;
    assert.deepEqual([told.noise?.source, told.noise?.sd, told.direction, told.keeps.length], ['given', 0.01, 'lower', 22]);
    assert.equal(told.counts['likely real'], 0);
    const up = await lab.ratchet('explain', 'up-and-down.tsv', '--direction', 'higher', '--noise', '0', '--json');
    assert.deepEqual((JSON.parse(up.stdout) as Explanation).counts, { 'likely real': 1, 'within noise': 0, "can't be told": 0, 'not better': 1 });
  });

  it('reads other columns, CRLF and a torn row, and says what it left out and what it supposed', async () => {
    const { code, stdout, stderr } = await lab.ratchet('explain', 'loss.tsv');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Line 5 is left out: it has no status keep, discard or crash\./);
    assert.match(stdout, /^4 scored rows of loss \(lower is better: the kept rows say so\); .* 1 more row can't be read and is left out\.\n/);
    assert.match(stdout, /can't be told: too few attempts .*--noise/);
  });

  it('says of every row that it can\'t read what is wrong with it, and counts them', async () => {
    const { code, stdout, stderr } = await lab.ratchet('explain', 'unread.tsv', '--noise', '1');
    assert.equal(code, 0, stderr);
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      'Line 3 is left out: `98,5` isn\'t a number: write 98.5.', 'Line 4 is left out: `n/a` isn\'t a number.', 'Line 5 is left out: it was kept, and has no value of score.', 'Line 6 is left out: `1e308` is too large to compare.',
      'Line 7 is left out: it has no status keep, discard or crash.', 'And 1 more line is left out.',
    ]);
    assert.match(stdout, /^2 scored rows of score \(higher is better\); the start scored 90 and 1 more was kept\. 6 more rows can't be read and are left out\.\n/);
    const json = await lab.ratchet('explain', 'unread.tsv', '--noise', '1', '--json');
    assert.equal((JSON.parse(json.stdout) as Explanation).leftOut, 6);
    const all = await lab.ratchet('explain', 'commas.tsv');
    assert.equal(all.code, 2);
    assert.match(all.stderr, /^Line 2 is left out: `1,5` isn't a number: write 1\.5\.\nLine 3 .*\n.* has no row with /);
  });

  for (const [file, flags, why] of [
    ['nothing.tsv', [], /There is no file .*nothing\.tsv/],
    ['.', [], /is a folder\. Name a file/],
    ['empty.tsv', [], /is not a results\.tsv: its first line must name the columns/],
    ['note.md', [], /is not a results\.tsv: its first line must name the columns/],
    ['one.tsv', [], /has only one row with a score/],
    ['discards.tsv', [], /has no row that was kept/],
    ['nan.tsv', [], /has no row with .* a number as its score/],
    ['binary.tsv', [], /is not a text in UTF-8/],
    ['huge.tsv', [], /has more than 50 MB\. Name a smaller file/],
    ['up-and-down.tsv', [], /Say it with --direction higher or --direction lower/],
    ['results.tsv', ['--noise', '-1'], /--noise is the standard deviation of one run/],
    ['results.tsv', ['--noise', 'much'], /must be a number/],
    ['results.tsv', ['--direction', 'up'], /--direction is higher or lower, not up/],
  ] as const)
    it(`refuses ${[file, ...flags].join(' ')} in one sentence`, async () => {
      const { code, stdout, stderr } = await lab.ratchet('explain', file, ...flags);
      assert.match(stderr, why);
      assert.doesNotMatch(stderr, /\n\s+at /);
      assert.equal(stdout, '');
      assert.equal(code, 2);
    });
});
