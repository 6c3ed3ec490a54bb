import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { foldersUp } from '../../src/engine/folders.ts';

describe('the folders up to a root', () => {
  it('come nearest first, with both ends', () => {
    assert.deepEqual(foldersUp('/w/a/b', '/w', posix), ['/w/a/b', '/w/a', '/w']);
    assert.deepEqual(foldersUp('/w', '/w', posix), ['/w']);
    assert.deepEqual(foldersUp('/a', '/', posix), ['/a', '/']);
    assert.deepEqual(foldersUp('/w/..a', '/w', posix), ['/w/..a', '/w']);
    assert.deepEqual(foldersUp('C:\\w\\a', 'C:\\w', win32), ['C:\\w\\a', 'C:\\w']);
  });

  it('are the root alone for a folder that isn\'t below it', () => {
    assert.deepEqual(foldersUp('/other', '/w', posix), ['/w']);
    assert.deepEqual(foldersUp('D:\\a', 'C:\\w', win32), ['C:\\w']);
  });
});
