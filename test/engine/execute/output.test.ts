import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BoundedOutput } from '../../../src/engine/execute/output.ts';

describe('bounded output', () => {
  it('keeps the first and last half of what comes, in whatever pieces, and counts the rest', () => {
    fc.assert(fc.property(fc.array(fc.stringMatching(/^[a-z]{0,40}$/), { maxLength: 30 }), fc.integer({ min: 2, max: 200 }), (pieces, maxBytes) => {
      const output = new BoundedOutput(maxBytes);
      assert.equal(pieces.map((piece) => output.push(Buffer.from(piece))).join(''), pieces.join(''));
      const all = pieces.join('');
      const dropped = Math.max(0, all.length - maxBytes);
      const head = Math.floor(maxBytes / 2);
      assert.equal(output.droppedBytes, dropped);
      assert.equal(output.text(), dropped === 0
        ? all
        : `${all.slice(0, head)}[… ${String(dropped)} bytes left out …]${all.slice(all.length - (maxBytes - head))}`);
    }));
  });

  it('gives characters whole, however the bytes are cut', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
      const output = new BoundedOutput(1_000_000);
      const bytes = Buffer.from(text);
      let told = '';
      for (let at = 0; at < bytes.length; at += size) told += output.push(bytes.subarray(at, at + size));
      assert.equal(told + output.rest(), bytes.toString());
      assert.equal(output.text(), bytes.toString());
    }));
  });

  it('does not make a whole line of a torn one', () => {
    const output = new BoundedOutput(20);
    output.push(Buffer.from(`${'x'.repeat(30)} score: 99`));
    assert.doesNotMatch(output.text(), /^score: 99$/m);
  });
});
