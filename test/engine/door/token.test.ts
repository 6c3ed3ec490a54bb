import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { sameToken } from '../../../src/engine/door/token.ts';

describe('the token', () => {
  it('is the one or it isn\'t', () => {
    assert.ok(sameToken('abc', 'abc'));
    for (const wrong of ['', 'ab', 'abd', 'abcd', 'ABC', 'abc\n']) assert.equal(sameToken(wrong, 'abc'), false, wrong);
  });

  it('is compared in constant time, whatever was given', () => {
    const own = crypto.timingSafeEqual;
    const lengths: [number, number][] = [];
    crypto.timingSafeEqual = (a, b) => {
      lengths.push([a.byteLength, b.byteLength]);
      return own(a, b);
    };
    syncBuiltinESMExports();
    try {
      for (const given of ['', 'a', 'abc', 'x'.repeat(1000)]) sameToken(given, 'abc');
    } finally {
      crypto.timingSafeEqual = own;
      syncBuiltinESMExports();
    }
    assert.deepEqual(lengths, Array.from({ length: 4 }, () => [32, 32]));
  });
});
