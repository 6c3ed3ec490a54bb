import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { Lab } from './lab.ts';
import { atTerminal } from './pty.ts';

const FILES = { 'f.py': 'A = 2\n', 'score.py': 'import f\nprint("ms:", f.A)\n' };
const PROGRAM = '---\nscorer: touch "$MARK" && python3 score.py\nmetric: ms\ndirection: lower\nunit: s\n---\n';

describe('ratchet score', () => {
  let lab: Lab;
  afterEach(() => lab.close());
  const open = async (files: Readonly<Record<string, string>>): Promise<Lab> => {
    const opened = await Lab.open({ ...FILES, ...files });
    opened.env['MARK'] = opened.path('../ran');
    opened.unconfined();
    return opened;
  };
  /** Whether the scorer ran. */
  const ran = async (): Promise<boolean> => access(lab.path('../ran')).then(() => true, () => false);

  it('says what a train.py measures', async () => {
    lab = await Lab.open({ 'train.py': 'print("---")\nprint("val_bpb: 2.65")\n' });
    const { code, stdout } = await lab.ratchet('score', 'train.py');
    assert.match(stdout, /^val_bpb: 2\.65 \(lower is better\)\n/);
    assert.equal(code, 0);
  });

  it('runs a command of program.md only when it is confirmed, and takes its metric and unit', async () => {
    lab = await open({ 'program.md': PROGRAM });
    for (const json of [[], ['--json']]) {
      const refused = await lab.ratchet('score', 'f.py', ...json);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /program\.md names it.*python3 score\.py.*--yes/);
    }
    const { code, stdout, stderr } = await lab.ratchet('score', 'f.py', '--yes');
    assert.match(stderr, /^Run +.*python3 score\.py/, 'it is shown');
    assert.match(stdout, /^ms: 2 s \(lower is better\)\n/);
    assert.equal(code, 0);
  });

  it('asks at a terminal, does nothing on no, and asks no more after yes', async () => {
    lab = await open({ 'program.md': PROGRAM });
    const no = await atTerminal(lab, ['score', 'f.py'], { when: '[Y/n]', send: 'n\r' });
    assert.equal(no.code, 4, no.shown);
    assert.equal(await ran(), false);
    const left = await atTerminal(lab, ['score', 'f.py'], { when: '[Y/n]', send: '\u0003' });
    assert.equal(left.code, 130, left.shown);
    assert.doesNotMatch(left.shown, /fault/);
    const yes = await atTerminal(lab, ['score', 'f.py'], { when: '[Y/n]', send: '\r' });
    assert.equal(yes.code, 0, yes.shown);
    assert.equal((await lab.ratchet('score', 'f.py', '--json')).code, 0);
  });

  it('needs no confirmation of a command that the person typed', async () => {
    lab = await open({ 'program.md': PROGRAM });
    const { code } = await lab.ratchet('score', 'f.py', '--score', 'python3 score.py');
    assert.equal(code, 0);
    assert.equal(await ran(), false);
  });

  it('ends with 130 on Ctrl-C, whether the slot is made or the scorer runs', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`d${index}/x.txt`, 'x'.repeat(1000)]));
    lab = await open(many);
    for (const when of ['Confined', 'ran']) {
      const going = lab.start(['score', 'f.py', '--score', 'touch "$MARK"; sleep 100']);
      if (when === 'Confined') await going.until((_, stderr) => stderr.includes(when));
      else while (!(await ran())) await new Promise((resolve) => setTimeout(resolve, 10));
      going.process.kill('SIGINT');
      const { code, stderr } = await going.ended;
      assert.doesNotMatch(stderr, /fault/);
      assert.equal(code, 130);
    }
  });

  it('ends with 130 at the question of a run too', async () => {
    lab = await open({ 'program.md': PROGRAM });
    const { code, shown } = await atTerminal(lab, ['run', 'f.py', '--proposer', 'literals'], { when: '[Y/n]', send: '\u0003' });
    assert.doesNotMatch(shown, /fault/);
    assert.equal(code, 130);
  });
});
