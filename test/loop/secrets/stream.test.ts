import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskOf } from '../../../src/loop/secrets.ts';
import { MaskedStream } from '../../../src/loop/secrets/stream.ts';
import { HARMLESS, SECRETS } from './samples.ts';

const VALUE = 'the-person\'s-own-1';
const mask = maskOf([VALUE]);

describe('secrets in an output that comes in pieces', () => {
  it('are masked as in the whole, wherever it is torn', () => {
    const part = fc.oneof(fc.constantFrom(VALUE, ...HARMLESS, ...SECRETS.map(([, secret]) => secret)), fc.constantFrom('\n', '\r\n', '\r', ' '), fc.string({ maxLength: 30 }));
    fc.assert(fc.property(fc.array(part, { maxLength: 10 }), fc.array(fc.nat(60)), (parts, cuts) => {
      const whole = parts.join('');
      const stream = new MaskedStream(mask);
      let shown = '';
      let at = 0;
      for (const length of cuts) shown += stream.push(whole.slice(at, at += length));
      assert.equal(shown + stream.push(whole.slice(at)) + stream.rest(), mask(whole));
    }), { numRuns: 1000 });
  });

  it('are torn at every place without showing a part', () => {
    for (const [name, secret, core = secret.slice(-10)] of SECRETS)
      for (let cut = 1; cut < secret.length; cut++) {
        const stream = new MaskedStream(mask);
        const shown = stream.push(`a\n${secret.slice(0, cut)}`) + stream.push(`${secret.slice(cut)}\nb`) + stream.rest();
        assert.ok(!shown.includes(core), `${name} at ${cut}: ${shown}`);
      }
  });

  it('hold back a line without an end only for a while', () => {
    const stream = new MaskedStream(mask);
    let shown = 0;
    for (let n = 0; n < 200; n++) shown += stream.push('x'.repeat(1000)).length;
    assert.ok(shown >= 100_000, String(shown));
    assert.equal(shown + stream.rest().length, 200_000);
  });
});
