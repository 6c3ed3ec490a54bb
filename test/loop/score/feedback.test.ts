import assert from 'node:assert/strict';
import fc from 'fast-check';
import { feedbackOf } from '../../../src/loop/score.ts';
import type { ScorerOutput } from '../../../src/loop/score.ts';

function ran(stdout: string, stderr: string): ScorerOutput {
  return { stdout, stderr, exitCode: 1, end: 'exited' };
}

describe('feedbackOf', () => {
  it('holds both streams, named', () => {
    assert.equal(feedbackOf(ran('one\n\n\n\ntwo\n', 'three  \r\n')), 'standard output:\none\n\ntwo\nstandard error:\nthree');
    assert.equal(feedbackOf(ran('', 'three\n')), 'standard error:\nthree');
    assert.equal(feedbackOf(ran('one\n', '')), 'standard output:\none');
    assert.equal(feedbackOf(ran('', '')), '');
  });

  it('strips terminal codes and what a progress bar overwrote', () => {
    assert.equal(feedbackOf(ran('\u001b[31m10%\r\u001b[32m100%\u001b[0m\n', '')), 'standard output:\n100%');
  });

  it('keeps beginning and end of each stream, and always the end of standard error', () => {
    const text = feedbackOf(ran(`first out\n${'o\n'.repeat(50_000)}last out\n`, `first err\n${'e\n'.repeat(50_000)}RuntimeError: out of memory at step 40\n`), 2_000);
    for (const part of ['first out', 'last out', 'first err', 'out of memory at step 40', 'left out']) assert.ok(text.includes(part), part);
    assert.ok(text.length <= 2_000);
  });

  it('gives the room that one stream leaves to the other', () => {
    const text = feedbackOf(ran('x'.repeat(10_000), 'short'), 4_000);
    assert.ok(text.length > 3_800 && text.endsWith('short'));
    assert.ok(feedbackOf(ran('short', 'x'.repeat(10_000)), 4_000).length > 3_800);
  });

  it('is never longer than asked, holds no half characters, and ends as standard error ends', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000 }), fc.string({ unit: 'grapheme', maxLength: 3_000 }), fc.integer({ min: 1, max: 2_000 }), (out, err, limit) => {
      const text = feedbackOf(ran(out, `${err}END`), limit);
      assert.ok(text.length <= limit);
      assert.equal(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text), false);
      if (limit >= 60) assert.ok(text.endsWith('END'));
    }));
  });

  it('takes a huge text in no time', () => {
    const huge = '\u001b[0mline\n'.repeat(1_500_000);
    assert.ok(feedbackOf(ran(huge, huge)).length <= 6_000);
  }).timeout(20_000);
});
