import assert from 'node:assert/strict';
import { Lab } from './lab.ts';
import { atTerminal } from './pty.ts';

/** A reply that replaces one line. */
const reply = (search: string, replace: string): string => `Try.\n\n\`\`\`\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\`\`\`\n`;

describe('ratchet keep', () => {
  let lab: Lab;

  afterEach(() => lab.close());

  const SCORER = 'import f\nprint("score:", f.A + f.B)\n';

  it('makes a suspicious attempt the best so far, and then it can be accepted', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': 'A = 10\nB = 0\n', 'r/1.md': reply('A = 10', 'print("score: 99")\nA = 20') });
    await lab.ratchet('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '1');
    const before = await lab.ratchet('accept', 'last', '1');
    assert.equal(before.code, 4);
    assert.match(before.stderr, /suspicious .* must be confirmed first.*ratchet keep \S+ 1/);
    const kept = await lab.ratchet('keep', 'last', '1');
    assert.equal(kept.code, 0, kept.stderr);
    assert.match(kept.stdout, /is the best so far now, by your word/);
    assert.equal((await lab.ratchet('accept')).code, 0);
    assert.match(await lab.read('f.py'), /A = 20/);
    const again = await lab.ratchet('keep', 'last', '1');
    assert.match(again.stderr, /is the best so far already/);
    assert.match((await lab.ratchet('log')).stdout, / 1 kept of 1\n/);
    assert.match((await lab.ratchet('show')).stdout, /#1 {2}kept by you/);
  });

  it('asks for a word where the verifier decided against it, and says why it did', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': 'A = 10\nB = 0\n', 'r/1.md': reply('A = 10', 'A = 9') });
    await lab.ratchet('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '1');
    const { code, stderr } = await lab.ratchet('keep', 'last', '1');
    assert.equal(code, 2);
    assert.equal(stderr, 'ratchet: Attempt 1 was not kept: It scores worse than its parent. If you mean it, add --yes to keep it all the same.\n');
    const asked = await atTerminal(lab, ['keep', 'last', '1'], { when: '[y/N]', send: '\r' });
    assert.match(asked.shown, /It scores worse than its parent\.\r\n[^]*Keep it all the same\? \[y\/N\]/);
    assert.equal(asked.code, 4, 'nothing typed is no');
    assert.match((await lab.ratchet('log')).stdout, / 0 kept of 1\n/);
    assert.equal((await lab.ratchet('keep', 'last', '1', '--yes')).code, 0);
    assert.match((await lab.ratchet('log')).stdout, / 1 kept of 1\n/);
  });

  it('asks for a word where it leaves out what was kept since', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': 'A = 10\nB = 0\n', 'r/1.md': reply('A = 10', 'print("score: 99")\nA = 20'), 'r/2.md': reply('B = 0', 'B = 5') });
    await lab.ratchet('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '2');
    const { code, stderr } = await lab.ratchet('keep', 'last', '1');
    assert.equal(code, 2);
    assert.match(stderr, /doesn't build on attempt 2, .* add --yes/);
    assert.equal((await lab.ratchet('keep', 'last', '1', '--yes')).code, 0);
    assert.match((await lab.ratchet('diff')).stdout, /\+A = 20/);
  });

  it('waits for the attempt in flight of a run that goes on, which then builds on it', async () => {
    lab = await Lab.open({
      // What comes after attempt 1 goes on when its word was given.
      's.py': 'import os, time\nimport f\nwhile f.B < 0 and not os.path.exists(os.environ["XDG_CACHE_HOME"] + "/chosen"):\n    time.sleep(0.01)\nprint("score:", f.A + f.B)\n', 'f.py': 'A = 10\nB = 0\n', '../cache/x': '',
      'r/1.md': reply('A = 10', 'print("score: 99")\nA = 20'), 'r/2.md': reply('B = 0', 'B = -5'), 'r/3.md': reply('B = 0', 'B = -6'), 'r/4.md': reply('A = 20', 'A = 30'),
    });
    lab.unconfined();
    const going = lab.start(['run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '4', '--timeout', '60', '--json']);
    await going.until((stdout) => /"type":"edited","attempt":2/.test(stdout));
    const { code, stdout } = await lab.ratchet('keep', 'last', '1');
    assert.equal(code, 0);
    assert.match(stdout, /becomes the best so far/);
    await lab.write('../cache/chosen', '');
    const ended = await going.ended;
    assert.match(ended.stdout, /"type":"reviewed","attempt":1,"action":"kept"/);
    assert.match(ended.stdout, /"attempt":4,"verdict":"kept"/, 'its edit fits only where A is 20');
  });

  it('says what can\'t be kept', async () => {
    lab = await Lab.open({ 's.py': SCORER, 'f.py': 'A = 10\nB = 0\n', 'r/1.md': reply('A = 10', 'A = 1 / 0') });
    await lab.ratchet('run', 'f.py', '--score', 'python3 s.py', '--proposer', 'replay:r', '--attempts', '1');
    assert.match((await lab.ratchet('keep', 'last', '1')).stderr, /has no score/);
    assert.match((await lab.ratchet('keep', 'last', '7')).stderr, /has no attempt 7/);
    assert.match((await lab.ratchet('keep', 'last')).stderr, /attempt/);
  });
});
