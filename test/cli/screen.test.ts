import assert from 'node:assert/strict';
import { Lab, reply } from './lab.ts';
import { atTerminal } from './pty.ts';

const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';

describe('foreign text on a screen', () => {
  let lab: Lab;
  before(async () => {
    lab = await Lab.open({
      'f.py': 'A = 10\n', 'score.py': `import f\nprint("\\x1b]0;printed\\x07")\nprint("score:", f.A)\n`,
      'r/1.md': reply('A = 10', `A = 20  #\t${EVIL}`, `Twice${EVIL} as much.`),
    });
    assert.equal((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'replay:r')).code, 0);
  });
  after(() => lab.close());

  for (const args of [['show', 'last', '1'], ['diff'], ['diff', 'last', '1'], ['show']])
    it(`ratchet ${args.join(' ')} commands no terminal`, async () => {
      const { shown, code } = await atTerminal(lab, args);
      assert.equal(code, 0);
      assert.match(shown, /Twice|#\t/);
      assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069]/, 'no text turns around');
      // Colours of ours are what is left.
      assert.doesNotMatch(shown.replaceAll(/\u001b\[(?:32|90|39)m/g, ''), /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
    });

  it('is shown with what is in it, so that a diff reads as it runs', async () => {
    const { shown } = await atTerminal(lab, ['diff']);
    assert.ok(shown.includes('#\t<U+001B>]0;owned<U+0007><U+001B>[2J<U+009B>31m<U+202E>'), shown);
  });

  it('ratchet apply commands no terminal', async () => {
    const { shown } = await atTerminal(lab, ['apply', 'f.py', '--reply', 'r/1.md']);
    assert.match(shown, /A = 20/);
    assert.ok(!shown.includes('\u001b') && !shown.includes('\u009b'));
  });

  it('stays byte for byte in a pipe', async () => {
    assert.ok((await lab.ratchet('diff')).stdout.includes(`+A = 20  #\t${EVIL}`));
    assert.ok((await lab.ratchet('apply', 'f.py', '--reply', 'r/1.md')).stdout.includes(EVIL));
  });

  it('is cleaned in the command that is shown before a question', async () => {
    await lab.write('program.md', '---\nscorer: "echo score: 1 #\\e[8mhidden"\n---\n');
    const { shown } = await atTerminal(lab, ['run', 'f.py', '--proposer', 'literals'], { when: '[Y/n]', send: 'n\r' });
    assert.match(shown, /hidden/);
    assert.ok(!shown.includes('\u001b[8m'));
  });
});
