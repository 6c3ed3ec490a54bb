import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { compose, hunksOf, type Block, type Inline } from '../../../src/editor/diff/inline.ts';

const without = ({ text, blocks }: Inline, kind: Block['kind']): string => {
  const lines = text.split('\n');
  return blocks.filter((block) => block.kind !== kind).flatMap((block) => lines.slice(block.line, block.line + block.count)).join('\n');
};
const plainEnds = (text: string): string => text.replace(/\r\n|\r/g, '\n');

/** Few different lines, so that texts share some, repeat some and differ in others. */
const text = fc.array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c', '  return x', '}', '\ufeffd', '\u2028'), fc.constantFrom('\n', '\n', '\r\n', '\r', '')), { maxLength: 40 })
  .map((lines) => lines.map(([line, end]) => line + end).join(''));

describe('an inline diff', () => {
  it('is the candidate without the removed lines, and the parent without the added ones', () => {
    fc.assert(fc.property(text, text, (parent, candidate) => {
      const inline = compose(parent, candidate);
      assert.equal(without(inline, 'removed'), plainEnds(candidate));
      assert.equal(without(inline, 'added'), plainEnds(parent));
    }), { numRuns: 2000 });
  });

  it('covers every line once, and knows the line numbers of both sides', () => {
    fc.assert(fc.property(text, text, (parent, candidate) => {
      const { text: composed, blocks } = compose(parent, candidate);
      let [line, parentLine, candidateLine] = [0, 1, 1];
      for (const block of blocks) {
        assert.deepEqual([block.line, block.parentLine, block.candidateLine], [line, parentLine, candidateLine]);
        line += block.count;
        if (block.kind !== 'added') parentLine += block.count;
        if (block.kind !== 'removed') candidateLine += block.count;
      }
      assert.equal(line, composed.split('\n').length);
    }), { numRuns: 2000 });
  });

  it('marks no line of equal texts, whatever their line ends', () => {
    assert.deepEqual(compose('a\r\nb\n', 'a\nb\r\n').blocks.map(({ kind }) => kind), ['same']);
  });

  it('puts removed lines in place, before what was added instead', () => {
    const inline = compose('one\ntwo\nthree\n', 'one\n2\nthree\nfour\n');
    assert.equal(inline.text, 'one\ntwo\n2\nthree\nfour\n');
    assert.deepEqual(inline.blocks.filter(({ kind }) => kind !== 'same').map(({ kind, line, count }) => [kind, line, count]), [['removed', 1, 1], ['added', 2, 1], ['added', 4, 1]]);
  });

  it('stays quick on a megabyte: few changes, each third line changed, everything changed', () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `    value_${i} = compute(${i % 700}, "x")`);
    const changed = (every: number): string => lines.map((line, i) => (i % every === 0 ? `${line}  # changed` : line)).join('\n');
    const startedMs = performance.now();
    for (const [every, count] of [[5000, 6], [3, 10_000], [1, 30_000]] as const) {
      const inline = compose(lines.join('\n'), changed(every));
      assert.equal(inline.blocks.reduce((sum, { kind, count: n }) => sum + (kind === 'added' ? n : 0), 0), count);
    }
    // Seconds would be a different algorithm; this bound only tells those apart.
    assert.ok(performance.now() - startedMs < 5_000);
  });

  it('gives a rewritten text without anything in common as one change', () => {
    const inline = compose(Array(5_000).fill('a').join('\n'), Array(5_000).fill('b').join('\n'));
    assert.deepEqual(inline.blocks.map(({ kind, count }) => [kind, count]), [['removed', 5_000], ['added', 5_000]]);
  });
});

describe('hunks', () => {
  const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i + 1}`);
  const hunks = (change: (lines: string[]) => void) => {
    const lines = numbered(40);
    change(lines);
    return hunksOf(compose(numbered(40).join('\n'), lines.join('\n')));
  };

  it('name the lines of the candidate, and count what was added and removed', () => {
    const [hunk, ...more] = hunks((lines) => lines.splice(11, 2, 'x', 'y', 'z'));
    assert.deepEqual(more, []);
    assert.deepEqual(hunk, { line: 11, count: 5, added: 3, removed: 2, from: 12, to: 14, candidateLine: 12 });
  });

  it('name the lines of the parent where lines were removed only', () => {
    const found = hunks((lines) => { lines.splice(29, 1); lines.splice(4, 3); });
    assert.deepEqual(found.map(({ from, to, added, removed, candidateLine }) => [from, to, added, removed, candidateLine]), [[5, 7, 0, 3, 5], [30, 30, 0, 1, 27]]);
  });

  it('join changes that are close, and part those that are not', () => {
    const found = hunks((lines) => { lines[9] = 'x'; lines[13] = 'y'; lines[18] = 'z'; });
    assert.deepEqual(found.map(({ from, to, added, removed, count }) => [from, to, added, removed, count]), [[10, 14, 2, 2, 7], [19, 19, 1, 1, 2]]);
  });

  it('hold every changed line', () => {
    fc.assert(fc.property(text, text, (parent, candidate) => {
      const inline = compose(parent, candidate);
      const changed = (kind: Block['kind']): number => inline.blocks.reduce((sum, block) => sum + (block.kind === kind ? block.count : 0), 0);
      const found = hunksOf(inline);
      assert.equal(found.reduce((sum, { added }) => sum + added, 0), changed('added'));
      assert.equal(found.reduce((sum, { removed }) => sum + removed, 0), changed('removed'));
      for (const { from, to } of found) assert.ok(from >= 1 && to >= from);
    }));
  });
});
