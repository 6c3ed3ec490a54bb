import assert from 'node:assert/strict';
import { quoted } from '../../../src/loop/new-scorer/arguments.ts';
import { cursorAt, fill } from '../../../src/loop/new-scorer/fill.ts';

describe('a template that is filled in', () => {
  it('keeps what its comments say, and all that isn\'t named', () => {
    const template = "const TARGET = 'a.js'; // the file\nconst input = () => ['x']; // made anew\nconst RUNS = 7;\nconst other = 'a.js';\n";
    assert.equal(fill(template, 'javascript', { TARGET: "'b.js'", input: '[1, 2]', RUNS: '3' }), "const TARGET = 'b.js'; // the file\nconst input = () => [1, 2]; // made anew\nconst RUNS = 3;\nconst other = 'a.js';\n");
    assert.equal(fill('BUILD = ""  # as in: cc "$OUT"\nmake_input = lambda: ["x"]  # anew\nN = 3\n', 'python', { BUILD: '"make # all"', make_input: '[1]' }), 'BUILD = "make # all"  # as in: cc "$OUT"\nmake_input = lambda: [1]  # anew\nN = 3\n');
    assert.equal(fill("BUILD='' # '' for none\ninput() { \"$@\" 'x y'; } # calls\nRUNS=7\n", 'shell', { BUILD: "'cc a.c'", input: "'z'", RUNS: '3' }), "BUILD='cc a.c' # '' for none\ninput() { \"$@\" 'z'; } # calls\nRUNS=3\n");
  });

  it('takes any text as a literal of its language', () => {
    for (const text of ['it\'s "so" \\ $HOME `x`', 'a\nb', '\u00fc']) {
      // Only the literal is run, and it is ours.
      assert.equal((0, eval)(quoted(text, 'javascript')), text);
      assert.equal(JSON.parse(quoted(text, 'python')), text);
    }
    assert.equal(quoted("it's", 'shell'), "'it'\\''s'");
  });

  it('is edited at the value of a constant, or after a line', () => {
    assert.deepEqual(cursorAt("a\nconst COMMAND = 'x';\n", 'javascript', ['COMMAND']), { line: 1, column: 16 });
    assert.deepEqual(cursorAt('CHECKS = [\n    # ([1], 2),\n]\n', 'python', ['LACKING', '    # ([']), { line: 1, column: 15 });
    assert.deepEqual(cursorAt('nothing\n', 'shell', ['COMMAND']), { line: 0, column: 0 });
  });
});
