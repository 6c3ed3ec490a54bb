import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cleanLine, oneLine } from '../../src/loop/one-line.ts';

describe('a foreign text as one line', () => {
  it('is one line without anything unseen, and bounded', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const line = cleanLine(text, max);
      assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f]/);
      assert.ok(line.length <= max + 1);
    }));
    assert.equal(cleanLine(' Try a\twider\nwindow\r\n\u202eevil\u2066 ', 100), 'Try a wider window evil');
  });

  it('is for a model the same text, with its spaces drawn together', () => {
    assert.equal(oneLine(' a\n\n- b\tc ', 100), 'a - b c');
    assert.equal(oneLine('one two three', 7), 'one two…');
    assert.equal(oneLine('ab\u{1f642}', 3), 'ab…', 'no half of a character');
  });
});
