import assert from 'node:assert/strict';
import { resourceWords } from '../../src/loop/resource-words.ts';

describe('what a run may use, in words', () => {
  it('names each limit that stands, and nothing else', () => {
    assert.equal(resourceWords({}), '');
    assert.equal(resourceWords({ memoryBytes: 2 ** 31, processes: 1000 }), '2 GB of memory, 1000 processes');
    assert.equal(resourceWords({ cpuS: 60, fileBytes: 2 ** 20 }), '60 s of processor time for each, files of 1 MB');
  });
});
