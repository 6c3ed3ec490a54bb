import assert from 'node:assert/strict';
import { filterOf, literalGlob } from '../../../src/editor/connection/selector.ts';

describe('the filter of one file', () => {
  it('names its folder and, taken literally, its name', () => {
    assert.deepEqual(filterOf('/w/a b/[id].ts'), { scheme: 'file', pattern: { baseUri: 'file:///w/a%20b', pattern: '[[]id[]].ts' } });
    assert.equal(literalGlob('a{b}*?.py'), 'a[{]b[}][*][?].py');
  });
});
