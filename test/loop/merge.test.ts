import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mergeInto } from '../../src/loop/merge.ts';

const base = 'a\nb\nc\nd\ne\nf\n';

describe('accepting into a file that changed', () => {
  it('takes the champion where nobody changed the file', () => {
    assert.deepEqual(mergeInto(base, base, 'x\n'), { ok: true, text: 'x\n' });
  });

  it('keeps both sides\' changes where they lie apart', () => {
    assert.deepEqual(mergeInto('A\nb\nc\nd\ne\nf\n', base, 'a\nb\nc\nd\ne\nF\n'), { ok: true, text: 'A\nb\nc\nd\ne\nF\n' });
  });

  it('takes a change that both made once', () => {
    assert.deepEqual(mergeInto('A\nb\nc\nd\ne\nf\n', base, 'A\nb\nc\nd\ne\nf\n'), { ok: true, text: 'A\nb\nc\nd\ne\nf\n' });
  });

  it('goes on from what was accepted before, where the baseline meets both sides', () => {
    const mine = 'a\nfirst\nc\nd\ne\nMINE\n';
    assert.equal(mergeInto(mine, base, 'a\nsecond\nc\nd\ne\nf\n').ok, false);
    assert.deepEqual(mergeInto(mine, base, 'a\nsecond\nc\nd\ne\nf\n', ['x\n', 'a\nfirst\nc\nd\ne\nf\n']), { ok: true, text: 'a\nsecond\nc\nd\ne\nMINE\n' });
  });

  it('marks a conflict with both sides, and never chooses', () => {
    const merge = mergeInto('a\nMINE\nc\nd\ne\nf\n', base, 'a\nTHEIRS\nc\nd\ne\nf\n');
    assert.ok(!merge.ok && merge.conflicts === 1);
    assert.equal(merge.text, 'a\n<<<<<<< your file\nMINE\n=======\nTHEIRS\n>>>>>>> best so far\nc\nd\ne\nf\n');
  });

  it('keeps marker lines whole where a side has no final line end, and CRLF files CRLF', () => {
    const merge = mergeInto('a\r\nmine', 'a\r\nb', 'a\r\ntheirs');
    assert.equal(merge.text, 'a\r\n<<<<<<< your file\r\nmine\r\n=======\r\ntheirs\r\n>>>>>>> best so far\r\n');
  });

  it('loses no line of the person\'s file, whatever both sides did', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 }).map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(fc.property(text, text, text, (current, before, champion) => {
      const merge = mergeInto(current, before, champion);
      if (current === before) assert.equal(merge.text, champion);
      else if (champion === before) assert.equal(merge.text, current);
      const added = current.split('\n').filter((line) => !before.includes(line));
      for (const line of added) assert.ok(merge.text.includes(line));
    }));
  });
});
