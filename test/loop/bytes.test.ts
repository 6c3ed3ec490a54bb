import assert from 'node:assert/strict';
import { bytesInWords, readBytes } from '../../src/loop/bytes.ts';

describe('sizes', () => {
  it('are read with their unit', () => {
    assert.deepEqual(['2 GB', '512MB', '1.5g', '1 KiB', '1t'].map(readBytes), [2 ** 31, 2 ** 29, 1.5 * 2 ** 30, 1024, 2 ** 40]);
  });

  it('are none without a unit, or without a size', () => {
    for (const text of ['2', '', 'GB', '-1 GB', '0 MB', '2 XB', '1e3 MB', '80 %']) assert.equal(readBytes(text), undefined, text);
  });

  it('are shown in the largest unit of which there is one', () => {
    assert.deepEqual([1, 1023, 1024, 2 ** 31, 1.5 * 2 ** 30, 1000 * 2 ** 20, 19.28 * 2 ** 30].map(bytesInWords), ['1 bytes', '1023 bytes', '1 KB', '2 GB', '1.5 GB', '1000 MB', '19.3 GB']);
  });
});
