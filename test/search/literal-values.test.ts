import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatLike, isFloat, numberOf } from '../../src/search/literal-values.ts';

describe('literal values', () => {
  it('reads decimal numbers and nothing else', () => {
    const values: readonly (readonly [string, number | undefined])[] = [
      ['0', 0], ['64', 64], ['1_000', 1000], ['3e-4', 3e-4], ['1E6', 1e6], ['0.1', 0.1], ['.5', 0.5], ['5.', 5], ['1_0.5', 10.5],
      ['0xFF', undefined], ['0b1', undefined], ['0o7', undefined], ['017', undefined], ['10n', undefined], ['3j', undefined], ['1e999', undefined],
      ['9007199254740993', undefined], ['', undefined], ['.', undefined], ['abc', undefined], ['e5', undefined], ['1__0', undefined],
    ];
    for (const [text, value] of values) assert.equal(numberOf(text), value, text);
  });

  it('keeps the style', () => {
    const written: readonly (readonly [string, number, string])[] = [
      ['3e-4', 6e-4, '6e-4'], ['3e-4', 4.5e-4, '4.5e-4'], ['3E-4', 6e-3, '6E-3'], ['1.0e-4', 2e-4, '2.0e-4'], ['1e-04', 2e-4, '2e-04'], ['1e+3', 2e3, '2e+3'],
      ['0.1', 0.2, '0.2'], ['0.1', 1, '1.0'], ['1.0', 2, '2.0'], ['.5', 0.25, '.25'], ['.5', 1.5, '1.5'], ['5.', 10, '10.'], ['0.0001', 0.00005, '0.00005'],
      ['0.95', 0.975, '0.975'], ['0.999', 0.9995, '0.9995'], ['0.1', 1 / 3, '0.333'],
      ['64', 128, '128'], ['7', 7.6, '8'], ['1_000', 1500, '1_500'], ['1_000', 500, '500'], ['1_000', 2e6, '2_000_000'], ['300', 333, '330'], ['1234', 1851, '1850'],
      ['65536', 131072, '131072'],
    ];
    for (const [original, value, text] of written) assert.equal(formatLike(original, value), text, `${original} to ${value}`);
  });

  it('writes a number of the same kind, near the value, whatever the style', () => {
    const originals = fc.constantFrom('3e-4', '1.5E+10', '0.1', '.5', '5.', '1.0', '64', '7', '1_000', '300', '0.999');
    fc.assert(fc.property(originals, fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (original, value) => {
      const text = formatLike(original, value);
      const read = numberOf(text);
      assert.ok(read !== undefined, text);
      assert.equal(isFloat(text), isFloat(original));
      if (isFloat(original)) assert.ok(Math.abs(read - value) <= value * 0.01, `${text} for ${value}`);
      else assert.ok(Math.abs(read - value) <= Math.max(0.5, value * 0.051), `${text} for ${value}`);
    }), { seed: 11 });
  });
});
