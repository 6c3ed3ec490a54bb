import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { deviationOnScale, offScale, onScale, scaleOf } from '../../../src/loop/verifier/scale.ts';

/** Within a thousandth of the start's 10 and any height. */
const positive = fc.double({ min: 0.01, max: 1e6, noNaN: true });

describe('the scale of comparison', () => {
  it('is logarithmic for times, sizes and rates, and linear for scores and losses', () => {
    for (const [name, unit] of [['ms', undefined], ['run_time', undefined], ['anything', 'ms'], ['throughput', 'ops/s'], ['size', 'bytes'], ['mean', 's']] as const)
      assert.equal(scaleOf({ name, direction: 'lower', ...(unit === undefined ? {} : { unit }) }, 10).logarithmic, true, name);
    for (const name of ['score', 'val_bpb', 'loss', 'accuracy', 'errors']) assert.equal(scaleOf({ name, direction: 'lower' }, 10).logarithmic, false, name);
    assert.equal(scaleOf({ name: 'ms', direction: 'lower' }, 0).logarithmic, false, 'there is no logarithm of nothing');
  });

  it('puts what is better higher, and leads back to the value', () => {
    fc.assert(fc.property(positive, positive, fc.constantFrom('ms', 'loss'), fc.constantFrom('higher' as const, 'lower' as const), (a, b, name, direction) => {
      const scale = scaleOf({ name, direction }, 10);
      const better = direction === 'higher' ? a > b : a < b;
      if (a !== b && Math.abs(Math.log(a / b)) > 1e-12) assert.equal(onScale(scale, a) > onScale(scale, b), better);
      assert.ok(Math.abs(offScale(scale, onScale(scale, a)) / a - 1) < 1e-9);
    }));
  });

  it('has a place for nought', () => {
    const nought = onScale(scaleOf({ name: 'ms', direction: 'lower' }, 50), 0);
    assert.equal(nought, onScale(scaleOf({ name: 'ms', direction: 'lower' }, 50), 0.05), 'a thousandth of the start');
    assert.ok(nought > onScale(scaleOf({ name: 'ms', direction: 'lower' }, 50), 1));
  });

  it('takes a spread as a share of the value where it is logarithmic', () => {
    assert.equal(deviationOnScale(scaleOf({ name: 'ms', direction: 'lower' }, 50), 5, 50), 0.1);
    assert.equal(deviationOnScale(scaleOf({ name: 'loss', direction: 'lower' }, 50), 5, 50), 5);
  });
});
