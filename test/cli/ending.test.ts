import assert from 'node:assert/strict';
import { Lab, reply } from './lab.ts';
import { atTerminal } from './pty.ts';

const RUN = ['run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r'];
const SCORER = 'import f\nprint("score:", f.A + f.B + f.C)\n';
const TARGET = 'A = 10\n#\n#\nB = 0\n#\n#\nC = 0\n';

describe('what a run says of itself', () => {
  let lab: Lab;

  afterEach(() => lab.close());

  it('names what waits for a person, and how to decide it', async () => {
    // Its seed can't be varied: what is better is one draw.
    lab = await Lab.open({ 's.py': 'import f\nprint("score:", f.A)\n', 'f.py': 'SEED = 4711\nif SEED != 4711:\n    raise SystemExit("there is no such data")\nA = 10\n', 'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 10', 'A = 9') });
    const { stdout, code } = await lab.ratchet(...RUN, '--attempts', '2');
    assert.equal(code, 3);
    const [run = ''] = /\d{8}-\d{6}-\w+/.exec(stdout) ?? [];
    assert.match(stdout, /^ {2}#1 {2}waits for you {2}10 → 20, 2\.0× /m);
    assert.match(stdout, / {2}0 kept of 2, 1 waits for your word\nEnded: all 2 attempts are done\.\n/);
    const [, show = '', keep = ''] = /^1 waits for your word: (.+), then (.+) N$/m.exec(stdout) ?? assert.fail(stdout);
    assert.ok(show.endsWith(` show ${run}`) && keep.endsWith(` keep ${run}`), show);
    assert.match((await lab.ratchet('log')).stdout, / {2}0 kept of 2, 1 waits for your word\n$/);
    assert.match((await lab.ratchet('show')).stdout, /\n1 waits for your word: /);
    assert.equal((await lab.ratchet('keep', run, '1')).code, 0);
    const after = (await lab.ratchet('show')).stdout;
    assert.match(after, / {2}1 kept of 2\n/);
    assert.match(after, /#1 {2}kept by you/);
    assert.doesNotMatch(after, /waits/);
  });

  it('tells every attempt of a night as it comes, and when settling begins', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': TARGET, 'r/1.md': reply('B = 0', 'B = 5'), 'r/2.md': reply('C = 0', 'C = -1'), 'r/3.md': reply('A = 10', 'A = 20') });
    const { stdout } = await lab.ratchet(...RUN, '--attempts', '3', '--confirm', 'night');
    const told = stdout.split('\n').flatMap((line) => /^(?: {2}#\d {2}[a-z ]+?(?= {2})|Settling.*)/.exec(line)?.[0].trim() ?? []);
    assert.deepEqual(told, ['#0  start', '#1  looks better', '#2  not kept', '#3  looks better', 'Settling what looked better, the largest gain first.', '#3  kept', '#1  kept']);
    assert.match(stdout, / {2}2 kept of 3\n/);
  });

  it('says once, and at length, why it did not begin', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `a_rather_long_name_${index}`);
    lab = await Lab.open({ 's.py': `import f\n${names.map((name) => `print("${name}:", f.A)\n`).join('')}`, 'f.py': TARGET, 'r/1.md': reply('A = 10', 'A = 20') });
    const { code, stdout } = await lab.ratchet(...RUN);
    assert.equal(code, 4);
    assert.match(stdout, /^No run started, because [^\n]+\n$/);
    assert.match((await lab.ratchet('log')).stdout, / {2}f\.py {2}did not begin\n$/);
    assert.equal((await lab.ratchet('show')).stdout.split(stdout.trimEnd()).length, 2);
  });

  it('is cut to the terminal\'s width, by what a person set, and never on its way into a file', async () => {
    const hypothesis = `It should help, ${'really, '.repeat(40)}it should.`;
    lab = await Lab.open({ 's.py': SCORER, 'f.py': TARGET, 'r/1.md': reply('A = 10', 'A = 20', hypothesis) });
    const { stdout } = await lab.ratchet(...RUN, '--attempts', '1');
    assert.ok(stdout.includes(hypothesis));
    lab.env['COLUMNS'] = '70';
    const { shown } = await atTerminal(lab, ['show']);
    const row = shown.replaceAll(/\u001b\[\d+m/g, '').split('\r\n').find((line) => line.includes('#1'));
    assert.equal(row?.length, 70);
    assert.match(row, /…$/);
    assert.ok((await lab.ratchet('show')).stdout.includes(hypothesis), 'whatever the variable says');
  });

  it('ends by the time that its flags say', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': TARGET, 'r/1.md': reply('A = 10', 'A = 20') });
    for (const [flag, value, words] of [['--hours', '0', /`--hours` must be more than 0/], ['--hours', 'x', /must be a number/], ['--until', '24:10', /`--until` must be a clock time such as 08:00/]] as const) {
      const { code, stderr } = await lab.ratchet(...RUN, flag, value);
      assert.match(stderr, words);
      assert.equal(code, 2);
    }
    const { code, stderr } = await lab.ratchet(...RUN, '--hours', '2', '--until', '08:00');
    assert.match(stderr, /^Stop {7}after 2 h, or at 08:00/m);
    assert.equal(code, 0);
  });
});
