import assert from 'node:assert/strict';
import { isNeverSeen, namesOneOf } from '../../../src/engine/scratch/names.ts';

describe('names in a workspace', () => {
  it('are the target\'s in any case where the disk ignores case, and in its own alone elsewhere', () => {
    const files = ['Src/Target.ts', 'node_modules/a/target.ts', 'src/\u00FCber.ts'];
    for (const name of ['Src/Target.ts', 'src/target.ts', 'SRC/TARGET.TS', 'node_modules/a/Target.ts', 'src/u\u0308ber.ts']) assert.equal(namesOneOf(files, true)(name), true, name);
    assert.equal(namesOneOf(files, true)('src/target.tsx'), false);
    assert.deepEqual(['Src/Target.ts', 'src/target.ts'].map(namesOneOf(files, false)), [true, false]);
  });

  it('are secrets in any case', () => {
    assert.deepEqual(['.env', '.ENV', '.Env.local', '.envrc', 'env', '.git', '.ratchet'].map(isNeverSeen), [true, true, true, true, false, true, true]);
  });
});
