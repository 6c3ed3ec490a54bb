import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { formatAddress, parseAddress, type Content } from '../../../src/editor/diff/address.ts';
import { readSubject } from '../../../src/editor/diff/argument.ts';

/** Plain objects, as a parser makes them. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> => fc.record<T>(model, { noNullPrototype: true });
const blob = fc.stringMatching(/^[0-9a-f]{64}$/);
const content: fc.Arbitrary<Content> = fc.oneof(
  record({ kind: fc.constantFrom('text' as const, 'file-text' as const), blob }),
  record({ kind: fc.constantFrom('inline' as const, 'file-inline' as const), parent: blob, candidate: blob }),
  record({ kind: fc.constant('output' as const), count: fc.nat(999) }),
  record({ kind: fc.constant('reply' as const), judged: fc.boolean() }),
  record({ kind: fc.constant('report' as const), blob }),
);
const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));

describe('the address of a document', () => {
  it('reads back as it was written', () => {
    fc.assert(fc.property(record({ run: fc.constant('20261130-120000-abcdef'), attempt: fc.nat(9999), name, content }), (address) => {
      assert.deepEqual(parseAddress(formatAddress(address)), address);
    }));
  });

  it('names the run, the attempt, the file and the text', () => {
    const id = 'ab'.repeat(32);
    assert.deepEqual(formatAddress({ run: 'r1', attempt: 12, name: 'f.py', content: { kind: 'text', blob: id } }), { path: '/r1/12/f.py', query: id });
  });

  it('is not read from anything else', () => {
    for (const [path, query] of [['/', ''], ['/r1', ''], ['/r1/12', ''], ['/r1/12/f.py', ''], ['/r1/12/f.py', 'abc'], ['/r1/x/f.py', 'output:1'], ['/r1/12/a/f.py', 'output:1'], ['/r1/12/f.py', 'output:-1'], ['/r1/12/f.py', 'report:12'], ['/r1/12/f.py', `${'a'.repeat(64)}..`]] as const)
      assert.equal(parseAddress({ path, query }), undefined);
  });
});

describe("a command's argument", () => {
  it('is a node, a plain object, or the URI of a document', () => {
    assert.deepEqual(readSubject({ kind: 'run', run: 'r1' }), { run: 'r1' });
    assert.deepEqual(readSubject({ kind: 'hunk', run: 'r1', attempt: 3, hunk: 1, preserveFocus: true }), { run: 'r1', attempt: 3, hunk: 1, preserveFocus: true });
    assert.deepEqual(readSubject({ scheme: 'ratchet', path: '/r1/12/x', query: 'output:2' }), { run: 'r1', attempt: 12, content: { kind: 'output', count: 2 } });
  });

  it('is nothing else', () => {
    for (const given of [undefined, null, 'r1', 5, {}, { run: 1 }, { scheme: 'file', path: '/r1/12/x', query: 'output:2' }, { scheme: 'ratchet', path: '/', query: '' }])
      assert.equal(readSubject(given), undefined);
    assert.deepEqual(readSubject({ run: 'r1', attempt: 1.5, hunk: '0' }), { run: 'r1' });
  });
});
