import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, isWithin, rootOf, topOf } from '../../src/wire/root.ts';
import { Bench } from '../engine/scratch/support.ts';

describe('the root', () => {
  let bench: Bench;
  let repo: string;

  beforeEach(() => {
    bench = new Bench();
    repo = bench.tree('repo', { '.git/HEAD': 'x', 'apps/one/src/target.ts': 'x', 'apps/two/.ratchet/x': 'x', 'apps/two/src/target.ts': 'x' });
  });
  afterEach(() => bench.dispose());

  it('is the nearest parent that has .ratchet, before all else', async () => {
    const target = join(repo, 'apps/two/src/target.ts');
    assert.equal(await rootOf(target), join(repo, 'apps/two'));
    assert.equal(await rootOf(target, 'file', repo), join(repo, 'apps/two'));
  });

  it('is the editor\'s folder, when the target lies in it', async () => {
    const target = join(repo, 'apps/one/src/target.ts');
    assert.equal(await rootOf(target, 'file', join(repo, 'apps')), join(repo, 'apps'));
    assert.equal(await rootOf(target, 'file', join(repo, 'apps/on')), repo);
  });

  it('is the git root, else the target\'s folder', async () => {
    assert.equal(await rootOf(join(repo, 'apps/one/src/target.ts')), repo);
    assert.equal(await rootOf(join(repo, 'apps/one/src'), 'folder'), repo);
    const plain = bench.tree('plain', { 'deep/target.ts': 'x' });
    assert.equal(await rootOf(join(plain, 'deep/target.ts')), join(plain, 'deep'));
    assert.equal(await rootOf(plain, 'folder'), plain);
  });

  it('is the nearest folder with a package file where there is no git, but never the home folder', async () => {
    const home = bench.tree('home', { 'package.json': '{}', 'proj/package.json': '{}', 'proj/src/target.ts': 'x', 'loose/target.ts': 'x' });
    assert.equal(await rootOf(join(home, 'proj/src/target.ts'), 'file', undefined, home), join(home, 'proj'));
    assert.equal(await rootOf(join(home, 'proj/src'), 'folder', undefined, home), join(home, 'proj'));
    assert.equal(await rootOf(join(home, 'loose/target.ts'), 'file', undefined, home), join(home, 'loose'));
  });

  it('takes no link for .ratchet, and the .git file of a worktree for a git root', async () => {
    const tree = bench.tree('tree', { '.git': 'gitdir: elsewhere', 'sub/.ratchet': { link: '/tmp' }, 'sub/target.ts': 'x' });
    assert.equal(await rootOf(join(tree, 'sub/target.ts')), tree);
  });

  it('is shown to scorers from the git root above it on', async () => {
    assert.equal(await topOf(join(repo, 'apps/two')), repo);
    assert.equal(await topOf(repo), repo);
    const plain = bench.tree('plain', { 'target.ts': 'x' });
    assert.equal(await topOf(plain), plain);
  });

  it('keeps its data in .ratchet, or in the state folder where it can not be written', async function () {
    const state = join(bench.folder, 'state');
    assert.equal(await dataOf(repo, state), join(repo, '.ratchet'));
    if (process.getuid?.() === 0) return;
    chmodSync(repo, 0o555);
    const data = await dataOf(repo, state);
    chmodSync(repo, 0o755);
    assert.ok(isWithin(state, data) && data !== state);
  });

  it('knows what is within', () => {
    assert.ok(isWithin('/a/b', '/a/b'));
    assert.ok(isWithin('/a/b', '/a/b/..c/d'));
    assert.ok(isWithin('/', '/a'));
    assert.ok(!isWithin('/a/b', '/a/bc'));
    assert.ok(!isWithin('/a/b', '/a'));
  });
});
