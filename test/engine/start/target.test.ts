import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTarget } from '../../../src/engine/start/target.ts';
import { chooseScorer } from '../../../src/engine/start/scorer-choice.ts';

describe('what can be a target', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ratchet-target-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const put = async (name: string, bytes: string | Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };

  it('is a text file, with its byte-order mark, or the editor\'s unsaved text', async () => {
    const path = await put('a.py', '\uFEFFA = 1\r\n');
    assert.equal(await readTarget(path), '\uFEFFA = 1\r\n');
    assert.equal(await readTarget(path, 'B = 2'), 'B = 2');
    await symlink(path, join(folder, 'link.py'));
    assert.equal(await readTarget(join(folder, 'link.py')), '\uFEFFA = 1\r\n');
  });

  it('is nothing else, with a sentence each', async () => {
    await mkdir(join(folder, 'd'));
    const wrong: readonly (readonly [Promise<string> | string, RegExp])[] = [
      [join(folder, 'gone'), /There is no file/], [join(folder, 'd'), /is a folder/], ['/dev/null', /not a plain file/],
      [put('empty', ' \n\t'), /is empty/], [put('nul', 'a\0b'), /binary/], [put('latin1', Uint8Array.from([65, 0xe9, 10])), /UTF-8/],
      [put('big', 'x'.repeat(1024 * 1024 + 1)), /larger than 1 MB/],
    ];
    for (const [path, sentence] of wrong) await assert.rejects(readTarget(await path), sentence);
  });
});

describe('how a scorer is named', () => {
  let root: string;
  const tools = { python: '/usr/bin/python3', node: '/usr/bin/node' };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-scorer-'));
    await mkdir(join(root, 'pkg'));
    await writeFile(join(root, 'pkg/score.mjs'), 'console.log("score: 1")\n');
    await writeFile(join(root, 'mod.mjs'), 'export default () => 1\n');
    await writeFile(join(root, 'mod.py'), 'def score(path):\n    return 1\n');
    await writeFile(join(root, 'plain.py'), 'print("score: 1")\n');
    await writeFile(join(root, 'run.sh'), 'echo score: 1\n', { mode: 0o755 });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  const choose = (choice: string | readonly string[], chosen?: string) => chooseScorer(choice, root, { others: [join(root, 'pkg')], ...(chosen === undefined ? {} : { chosen }) }, tools);

  it('is a shell command, or a list without a shell', async () => {
    assert.deepEqual(await choose('make bench'), { spec: { kind: 'shell', command: 'make bench' }, cwd: '' });
    assert.deepEqual(await choose(['node', 'x y.js']), { spec: { kind: 'argv', argv: ['node', 'x y.js'] }, cwd: '' });
  });

  it('is a script by its language where it is just its name', async () => {
    assert.deepEqual((await choose('mod.mjs')).spec, { kind: 'module', file: 'mod.mjs', language: 'node' });
    assert.deepEqual((await choose('mod.py')).spec, { kind: 'module', file: 'mod.py', language: 'python' });
    assert.deepEqual((await choose('plain.py')).spec, { kind: 'argv', argv: [tools.python, join(root, 'plain.py')] });
    assert.deepEqual((await choose('run.sh')).spec, { kind: 'argv', argv: [join(root, 'run.sh')] });
  });

  it('runs in the root, unless its files lie in another folder alone or a person chose one', async () => {
    assert.equal((await choose('node score.mjs')).cwd, 'pkg');
    assert.equal((await choose('node mod.mjs')).cwd, '');
    assert.equal((await choose('node mod.mjs', join(root, 'pkg'))).cwd, 'pkg');
    assert.equal((await choose('npx vitest')).cwd, '');
  });
});
