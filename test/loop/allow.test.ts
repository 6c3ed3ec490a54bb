import assert from 'node:assert/strict';
import { allowedWords, NOTHING_ALLOWED, readAllowed } from '../../src/loop/allow.ts';

describe('allow', () => {
  it('reads what the words open', () => {
    assert.deepEqual(readAllowed([]), NOTHING_ALLOWED);
    assert.deepEqual(readAllowed(['net', '/data/', '/data', '~/models', 'write:~/out', 'env:SETTING', 'gpu']), {
      net: true, gpu: true, read: ['/data', '~/models'], write: ['~/out'], env: ['SETTING'],
    });
  });

  it('says them to a person', () => {
    assert.equal(allowedWords(['net', '~/models', 'write:/out', 'env:A']), 'the network · to read ~/models · to write /out (a private copy) · the variable A');
  });
});
