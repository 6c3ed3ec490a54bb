import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyReply } from '../../src/loop/edit.ts';
import { keyOf } from '../../src/search/literal-search.ts';
import { renderReply } from '../../src/search/reply.ts';

describe('reply', () => {
  it('is the hypothesis and one block with the changed line', () => {
    assert.equal(renderReply('A = 1\nB = 2\n', 'A = 1\nB = 3\n', 'B: 2 -> 3, more of it.'),
      'B: 2 -> 3, more of it.\n\n```\n<<<<<<< SEARCH\nB = 2\n=======\nB = 3\n>>>>>>> REPLACE\n```\n');
  });

  it('adds neighbours until the lines fit one place', () => {
    const reply = renderReply('x\na = 1\ny\nx\na = 1\nz\n', 'x\na = 1\ny\nx\na = 2\nz\n', 'h');
    assert.match(reply, /SEARCH\nx\na = 1\nz\n=======\nx\na = 2\nz\n>/);
  });

  it('uses a fence that nothing in the text can close', () => {
    assert.match(renderReply('a = 1 # ````\n', 'a = 2 # ````\n', 'h'), /^`````\n<{7} SEARCH[^]*\n`````$/m);
  });

  it('fits exactly one place in any text, and gives the new one', () => {
    const line = fc.constantFrom<string[]>('a = 1', 'b = 1', '', '  c', 'x');
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 25 }), fc.nat(), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, where, end, final) => {
      const at = where % lines.length;
      const join = (all: readonly string[]): string => all.join(end) + (final ? end : '');
      const text = join(lines);
      // An empty last line is nothing but the line end before it.
      fc.pre(lines.at(-1) !== '');
      const newText = join(lines.with(at, 'changed = 7'));
      const applied = applyReply(text, renderReply(text, newText, 'A: 1 -> 7, more of it.'), { path: 'a.py' });
      assert.ok(applied.ok, JSON.stringify(applied));
      assert.equal(applied.text, newText);
      assert.equal(keyOf(applied.hypothesis), 'A: 1 -> 7');
    }), { seed: 2 });
  });
});
