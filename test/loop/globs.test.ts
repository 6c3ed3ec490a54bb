import assert from 'node:assert/strict';
import { isGlob, matcher } from '../../src/loop/globs.ts';

describe('patterns of files', () => {
  it('name a file, a folder with all in it, or what fits', () => {
    const fits = (pattern: string, path: string): boolean => matcher([pattern])(path);
    for (const [pattern, path] of [['a.py', 'a.py'], ['tests', 'tests/x/y.py'], ['tests/', 'tests/y.py'], ['./tests', 'tests/y.py'], ['t/*.py', 't/a.py'], ['**/held_*.py', 'held_a.py'], ['**/held_*.py', 'a/b/held_a.py'], ['a/**', 'a/b/c'], ['{a,b}.py', 'b.py'], ['a?.py', 'ab.py'], ['t/h*', 't/held/x.txt'], ['a[12].py', 'a2.py'], ['a\\b', 'a/b']] as const)
      assert.ok(fits(pattern, path), `${pattern} ${path}`);
    for (const [pattern, path] of [['a.py', 'axpy'], ['a.py', 'b/a.py'], ['tests', 'tests2/a'], ['t/*.py', 't/a/b.py'], ['a?.py', 'a/.py'], ['(x)', 'x'], ['a+', 'aa']] as const)
      assert.ok(!fits(pattern, path), `${pattern} ${path}`);
    assert.equal(matcher([])('a'), false);
    assert.deepEqual([isGlob('a/*'), isGlob('a/b')], [true, false]);
  });
});
