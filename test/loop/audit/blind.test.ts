import assert from 'node:assert/strict';
import { blindRegions, touchesOnlyBlind } from '../../../src/loop/audit/blind.ts';
import { findingsOf } from '../../../src/loop/audit/findings.ts';
import { referenceOf } from '../../../src/loop/audit/reference.ts';
import { AUDIT, F, G, sample } from './samples.ts';

const TEXT = 'A = 1\ndef f():\n    return A\n\ndef g():\n    x = 2\n    return x\n\nprint(f())\n';

describe('blind regions', () => {
  const reference = referenceOf([sample(5), sample(5)], { name: 'score', direction: 'higher' });
  const findings = findingsOf(AUDIT, new Map([[F.id, sample(1)], [G.id, sample(5)]]), reference);
  const now = [{ name: 'f', kind: 'function', from: 2, to: 3 }, { name: 'g', kind: 'function', from: 5, to: 7 }, { name: 'new', kind: 'function', from: 9, to: 9 }] as const;

  it('are found again by name where they lie now; what was not tried is in neither', () => {
    const found = blindRegions(findings, { regions: now });
    assert.deepEqual(found?.blind.map(({ name, from }) => [name, from]), [['g', 5]]);
    assert.deepEqual(found?.sensitive.map(({ name }) => name), ['f']);
    assert.equal(blindRegions([], { regions: now }), undefined);
  });

  it('mark an edit that touches nothing else', () => {
    const known = blindRegions(findings, { regions: now });
    assert.ok(known);
    const only = (after: string): boolean => touchesOnlyBlind(TEXT, after, known);
    assert.equal(only(TEXT.replace('x = 2', 'x = 3')), true);
    assert.equal(only(TEXT.replace('x = 2', 'x = 2\n    x += 1')), true);
    assert.equal(only(TEXT.replace('    return x', '    return 2')), true, 'its last line');
    assert.equal(only(TEXT.replace('    x = 2\n', '')), true);
    assert.equal(only(TEXT.replace('return A', 'return 1')), false);
    assert.equal(only(TEXT.replace('x = 2', 'x = 3').replace('A = 1', 'A = 2')), false);
    assert.equal(only(TEXT.replace('print', 'import os\nprint')), false, 'between the parts');
    assert.equal(only(TEXT), false, 'nothing changed');
    assert.equal(touchesOnlyBlind(TEXT, TEXT.replace('x = 2', 'x = 3'), { blind: [{ name: 'C', kind: 'class', from: 4, to: 8 }], sensitive: [{ name: 'C.g', kind: 'method', from: 5, to: 7 }] }), false, 'a method of a blind class');
  });
});
