import assert from 'node:assert/strict';
import { MARKED, OUTSIDE, markedLines, markerProblem } from '../../src/loop/protect-markers.ts';
import { protectedLines, touchesProtected } from '../../src/loop/protect.ts';

/** Comment syntaxes: what opens and what closes a line. */
const STYLES = [['# ', ''], ['// ', ''], ['-- ', ''], ['; ', ''], ['/* ', ' */'], ['<!-- ', ' -->']] as const;
const NO_TRAIN = { trainPy: false, projectModules: new Set<string>() };

describe('markers of protection', () => {
  const touched = (before: string, after: string): string | undefined =>
    touchesProtected(before, after, protectedLines(before, undefined, NO_TRAIN), protectedLines(after, undefined, NO_TRAIN))?.why;

  for (const [open, close] of STYLES) {
    const comment = (words: string): string => `${open}${words}${close}`;
    const evolving = ['head', comment('EVOLVE-BLOCK-START'), 'a', 'b', comment('EVOLVE-BLOCK-END'), 'middle', comment('EVOLVE-BLOCK-START rates'), 'c', comment('EVOLVE-BLOCK-END'), 'tail', ''].join('\n');

    it(`leaves only the inside of ${comment('EVOLVE-BLOCK')} free`, () => {
      assert.deepEqual([...markedLines(evolving)], [1, 2, 5, 6, 7, 9, 10, 11].map((line) => [line, OUTSIDE]));
      for (const [from, to] of [['a\nb', 'new'], ['c', 'c\nc\nd'], ['a\n', ''], ['b', `${comment('about b')}\nb`]] as const)
        assert.equal(touched(evolving, evolving.replace(from, to)), undefined, to);
      const refused = [
        ['head', 'HEAD'], ['head', 'new\nhead'], ['tail', 'tail\nnew'], ['middle', ''], ['middle', 'middle\nnew'], ['tail\n', 'tail'],
        [comment('EVOLVE-BLOCK-START rates'), comment('EVOLVE-BLOCK-START')], [`a\nb\n${comment('EVOLVE-BLOCK-END')}`, `${comment('EVOLVE-BLOCK-END')}\na\nb`],
        ['a\n', `a\n${comment('EVOLVE-BLOCK-END')}\n${comment('EVOLVE-BLOCK-START')}\n`], ['middle', `${comment('EVOLVE-BLOCK-START')}\nmiddle\n${comment('EVOLVE-BLOCK-END')}`],
      ] as const;
      for (const [from, to] of refused) {
        assert.notEqual(evolving.replace(from, to), evolving);
        assert.notEqual(touched(evolving, evolving.replace(from, to)), undefined, JSON.stringify(to));
      }
    });

    it(`protects from ${comment('ratchet: protect')} to its end`, () => {
      const text = ['a', comment('ratchet: protect'), 'b', comment('ratchet: end'), 'c'].join('\n');
      assert.deepEqual([...markedLines(text)], [2, 3, 4].map((line) => [line, MARKED]));
      assert.equal(touched(text, text.replace('a', 'x').replace(/c$/, 'y\nz')), undefined);
      assert.equal(touched(text, text.replace('\nb', '\nx')), MARKED);
      assert.equal(touched(text, text.replace(comment('ratchet: end'), '')), MARKED);
      assert.equal(touched(text, `${text}\n${comment('ratchet: protect')}\n${comment('ratchet: end')}`), MARKED);
    });
  }

  it('keeps a part inside of an evolving block', () => {
    const text = ['# EVOLVE-BLOCK-START', 'a', '# ratchet: protect', 'b', '# ratchet: end', 'c', '# EVOLVE-BLOCK-END'].join('\n');
    assert.equal(touched(text, text.replace('\na', '\nx').replace('\nc', '\ny')), undefined);
    assert.equal(touched(text, text.replace('\nb', '\nx')), MARKED);
  });

  it('says what is wrong with markers, and which line to look at', () => {
    const problems: readonly (readonly [readonly string[], RegExp | undefined])[] = [
      [['a'], undefined],
      [['# ratchet: protect', 'a', '# ratchet: end'], undefined],
      [['# EVOLVE-BLOCK-START', '# ratchet: protect', '# ratchet: end', '# EVOLVE-BLOCK-END', '# EVOLVE-BLOCK-START', '# EVOLVE-BLOCK-END'], undefined],
      [['x = 1  # ratchet: protect', 'y = "EVOLVE-BLOCK-START"'], undefined],
      [['a', '# ratchet: protect', 'b'], /^Line 2 says `ratchet: protect`, but no `ratchet: end` follows\./],
      [['# ratchet: protect', '// ratchet: protect', '# ratchet: end'], /^Line 2 says .* inside of the part that line 1 opened\./],
      [['a', '-- ratchet: end'], /^Line 2 says `ratchet: end`, but no `ratchet: protect` is open there\./],
      [['<!-- EVOLVE-BLOCK-START -->', 'a'], /^Line 1 says `EVOLVE-BLOCK-START`, but no `EVOLVE-BLOCK-END` follows\./],
      [['/* EVOLVE-BLOCK-END */'], /^Line 1 says `EVOLVE-BLOCK-END`, but no/],
      [['# EVOLVE-BLOCK-START', '# EVOLVE-BLOCK-START', '# EVOLVE-BLOCK-END'], /^Line 2 .* nested\.$/],
    ];
    for (const [lines, problem] of problems) {
      const found = markerProblem(lines.join('\n'));
      if (problem === undefined) assert.equal(found, undefined);
      else assert.match(found ?? '', problem);
    }
  });
});
