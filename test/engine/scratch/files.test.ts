import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../../../src/engine/scratch/files.ts';
import type { Listing } from '../../../src/engine/scratch/files.ts';
import { Bench, NEVER, commitAll, fingerprint } from './support.ts';

describe('what a scorer sees', () => {
  let bench: Bench;

  beforeEach(() => { bench = new Bench(); });
  afterEach(() => bench.dispose());

  const many = (folder: string): Record<string, string> => Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${folder}/${String(index)}`, 'x']));
  const list = (top: string, target = 'target.ts'): Promise<Listing> => listFiles(top, target, NEVER);

  it('is copied where git knows it or does not ignore it, and live where it is heavy', async () => {
    const top = bench.tree('w', {
      '.gitignore': 'node_modules/\n/data\nvenv\n*.bin\n/light\ndist\n*.so\ncoverage\n',
      'target.ts': 'x', 'build/tracked.ts': 'x', 'a/target.so': 'x', 'a/node_modules/p/index.js': 'x', 'node_modules/p/index.js': 'x',
      'venv/pyvenv.cfg': 'x', 'venv/bin/python': 'x', 'light/only/one.txt': 'x', 'dist/old.js': 'x', 'coverage/report': 'x', 'model.bin': 'x',
      ...many('data'),
    });
    commitAll(top);
    const before = fingerprint(top);
    writeFileSync(join(top, 'untracked.ts'), 'x');
    writeFileSync(join(top, 'a/old.pyc'), 'x');
    truncateSync(join(top, 'model.bin'), 40 * 2 ** 20);
    const listing = await list(top);
    assert.deepEqual(listing, {
      files: ['.gitignore', 'a/target.so', 'build/tracked.ts', 'light/only/one.txt', 'target.ts', 'untracked.ts'],
      folders: [],
      large: ['model.bin'],
      modules: ['a/node_modules', 'node_modules'],
      live: ['data', 'venv'],
      repos: [''],
      unnamed: [],
    });
    rmSync(join(top, 'untracked.ts'));
    rmSync(join(top, 'a/old.pyc'));
    truncateSync(join(top, 'model.bin'), 1);
    assert.notEqual(fingerprint(top), before, 'times of the test\'s own changes');
  });

  it('always has the target, ignored as it may be', async () => {
    const top = bench.tree('w', { '.gitignore': 'experiments\ndist\n', 'experiments/target.ts': 'x', 'dist/target.ts': 'x', ...many('experiments/runs') });
    commitAll(top);
    const listing = await list(top, 'experiments/target.ts');
    assert.ok(listing.files.includes('experiments/target.ts') && listing.files.includes('experiments/runs/0'));
    assert.deepEqual(listing.live, []);
    assert.ok((await list(top, 'dist/target.ts')).files.includes('dist/target.ts'));
  });

  it('goes into submodules and nested repositories, each by its own rules', async () => {
    const inner = bench.tree('inner', { '.gitignore': 'data\n', 'lib.ts': 'x' });
    commitAll(inner);
    const top = bench.tree('w', { 'target.ts': 'x' });
    commitAll(top);
    const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
    execFileSync('git', ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub'], { cwd: top, env, stdio: 'pipe' });
    bench.tree('w/nested', { '.gitignore': '*.tmp\n', 'own.ts': 'x', 'no.tmp': 'x' });
    commitAll(join(top, 'nested'));
    bench.tree('w/sub', many('data'));
    const listing = await list(top);
    assert.deepEqual(listing.files, ['.gitmodules', 'nested/.gitignore', 'nested/no.tmp', 'nested/own.ts', 'sub/.gitignore', 'sub/lib.ts', 'target.ts']);
    assert.deepEqual(listing.live, ['sub/data']);
    assert.deepEqual(listing.repos, ['', 'nested', 'sub']);
  });

  it('takes names for rules where there is no git', async () => {
    const top = bench.tree('w', {
      'target.ts': 'x', 'dist/source.ts': 'x', 'a/node_modules/p/index.js': 'x', 'a/__pycache__/x.pyc': 'x', '.env': 'x', '.ratchet/x': 'x',
      '.env-py/pyvenv.cfg': 'x', 'datasets/small.csv': 'x', ...many('data'),
    });
    assert.deepEqual(await list(top), {
      files: ['datasets/small.csv', 'dist/source.ts', 'target.ts'], folders: [], large: [], modules: ['a/node_modules'], live: ['.env-py', 'data'], repos: [], unnamed: [],
    });
  });

  it('reads odd names, and drops what git remembers below something that is a link now', async () => {
    const top = bench.tree('w', { 'target.ts': 'x', 'ü ,:#\n"\'.txt': 'x', 'was/a.txt': 'x', 'other/a.txt': 'x' });
    commitAll(top);
    rmSync(join(top, 'was'), { recursive: true });
    symlinkSync('other', join(top, 'was'));
    const { files } = await list(top);
    assert.deepEqual(files, ['other/a.txt', 'target.ts', 'was', 'ü ,:#\n"\'.txt']);
  });

  it('names what can\'t be named, with git and without', async function () {
    if (process.platform !== 'linux') this.skip();
    for (const withGit of [true, false]) {
      const top = bench.tree(`w${String(withGit)}`, { 'target.ts': 'x', 'sub/a.txt': 'x', '\uFFFD.txt': 'a name that can be', '.gitignore': 'out\n' });
      const latin = (path: string): Buffer => Buffer.from(join(top, path), 'latin1');
      writeFileSync(latin('caf\xe9.txt'), 'x');
      mkdirSync(latin('sub/\xff'));
      writeFileSync(latin('sub/\xff/in.txt'), 'x');
      if (withGit) commitAll(top);
      const { files, folders, unnamed } = await list(top);
      assert.deepEqual([files, folders], [['.gitignore', 'sub/a.txt', 'target.ts', '\uFFFD.txt'], []]);
      assert.deepEqual(unnamed, ['caf\uFFFD.txt', withGit ? 'sub/\uFFFD/in.txt' : 'sub/\uFFFD']);
    }
  });

  it('is listed whoever owns the repository, without running what its configuration names', async () => {
    const top = bench.tree('w', { 'target.ts': 'x', '.gitignore': 'x/\n', 'x/ignored': 'x' });
    commitAll(top);
    execFileSync('git', ['config', 'core.fsmonitor', `touch ${join(bench.folder, 'ran')}; false`], { cwd: top });
    const before = fingerprint(top);
    assert.deepEqual((await list(top)).files, ['.gitignore', 'target.ts', 'x/ignored']);
    assert.equal(fingerprint(top), before);
    assert.throws(() => rmSync(join(bench.folder, 'ran')), { code: 'ENOENT' });
  });
});
