import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findNode, findPython } from '../../src/engine/tools.ts';
import { assertNoSurvivors } from '../census.ts';

describe('tools', () => {
  let root: string;

  beforeEach(() => { root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-tools-'))); });
  afterEach(async () => {
    rmSync(root, { recursive: true, force: true });
    await assertNoSurvivors([`TOOLS_OF=${root}`]);
  });

  /** A program that prints a text. */
  function program(path: string, prints = ''): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho '${prints}'\n`);
    chmodSync(file, 0o755);
    return file;
  }

  describe('findPython', () => {
    const place = (): { root: string; folder: string } => ({ root: join(root, 'w'), folder: join(root, 'w/pkg/src') });

    it('takes the active virtual environment, then the active conda environment', async () => {
      const venv = program('v/bin/python');
      const conda = program('c/bin/python');
      program('w/.venv/bin/python');
      const env = { VIRTUAL_ENV: join(root, 'v'), CONDA_PREFIX: join(root, 'c'), CONDA_DEFAULT_ENV: 'mine' };
      const found = await findPython(place(), env, 'linux');
      assert.equal(found.path, venv);
      assert.match(found.why, /virtual environment/);
      assert.equal((await findPython(place(), { ...env, VIRTUAL_ENV: join(root, 'gone') }, 'linux')).path, conda);
    });

    it('takes the nearest .venv up to the root, and none above it', async () => {
      program('.venv/bin/python');
      const usual = program('bin/python3');
      const env = { PATH: `${join(root, 'nothing')}:${join(root, 'bin')}` };
      assert.equal((await findPython(place(), env, 'linux')).path, usual);
      const far = program('w/.venv/bin/python');
      assert.equal((await findPython(place(), env, 'linux')).path, far);
      const near = program('w/pkg/.venv/bin/python');
      const found = await findPython(place(), env, 'linux');
      assert.deepEqual(found, { path: near, why: `the project's .venv in ${join(root, 'w/pkg')}` });
      assert.equal((await findPython({ root: join(root, 'w'), folder: join(root, 'w') }, env, 'linux')).path, far);
      assert.equal((await findPython({ root: join(root, 'w'), folder: join(root, 'else') }, env, 'linux')).path, far);
    });

    it('takes conda\'s base only after .venv', async () => {
      const conda = program('c/bin/python');
      const env = { CONDA_PREFIX: join(root, 'c'), CONDA_DEFAULT_ENV: 'base', PATH: '' };
      assert.equal((await findPython(place(), env, 'linux')).path, conda);
      const venv = program('w/.venv/bin/python');
      assert.equal((await findPython(place(), env, 'linux')).path, venv);
    });

    it('passes over what cannot be run: a broken link, a folder, a file without the right', async () => {
      const usual = program('bin/python3');
      mkdirSync(join(root, 'w/pkg/src/.venv/bin/python'), { recursive: true });
      mkdirSync(join(root, 'w/pkg/.venv/bin'), { recursive: true });
      symlinkSync('/gone/python3', join(root, 'w/pkg/.venv/bin/python'));
      chmodSync(program('w/.venv/bin/python'), 0o644);
      assert.equal((await findPython(place(), { PATH: join(root, 'bin') }, 'linux')).path, usual);
    });

    it('says so where there is none', async () => {
      const found = await findPython(place(), { PATH: 'relative:' }, 'linux');
      assert.equal(found.path, 'python3');
      assert.match(found.why, /no Python was found/);
    });
  });

  describe('findNode', () => {
    const own = { path: '/e/engine', version: '22.19.0', isElectron: false };
    const env = (): Record<string, string> => ({ PATH: `${join(root, 'bin')}:/bin:/usr/bin`, TOOLS_OF: root });

    it('takes node on the PATH', async () => {
      const node = program('bin/node', 'v18.1.0');
      assert.deepEqual(await findNode(env(), false, own, 'linux'), { path: node, env: {}, why: 'node 18.1.0 on the PATH' });
    });

    it('for TypeScript only one that reads it, else the engine\'s', async () => {
      for (const [version, reads] of [['22.18.0', true], ['22.17.9', false], ['20.99.0', false], ['23.5.0', false], ['23.6.0', true], ['24.0.0', true], ['100.0.0', true]] as const) {
        const node = program('bin/node', `v${version}`);
        const found = await findNode(env(), true, own, 'linux');
        assert.equal(found.path, reads ? node : own.path, version);
        if (!reads) assert.match(found.why, new RegExp(`node on the PATH is ${version.replaceAll('.', '\\.')}, and TypeScript needs 22\\.18`));
      }
    });

    it('says so where none reads TypeScript', async () => {
      const node = program('bin/node', 'v20.1.0');
      const found = await findNode(env(), true, { ...own, version: '22.5.0' }, 'linux');
      assert.equal(found.path, node);
      assert.match(found.why, /cannot read TypeScript: that needs Node 22\.18/);
    });

    it('takes the engine\'s where there is none, or it does not run; Electron is told to be a Node', async () => {
      const nowhere = { PATH: join(root, 'bin'), TOOLS_OF: root };
      assert.deepEqual(await findNode(nowhere, false, own, 'linux'), { path: own.path, env: {}, why: 'Ratchet\'s own Node 22.19.0: there is no node on the PATH' });
      assert.deepEqual((await findNode(nowhere, false, { ...own, isElectron: true }, 'linux')).env, { ELECTRON_RUN_AS_NODE: '1' });
      program('bin/node', 'no version is set');
      assert.match((await findNode(env(), false, own, 'linux')).why, /does not run/);
      writeFileSync(join(root, 'bin/node'), '#!/bin/sh\nexit 126\n');
      assert.match((await findNode(env(), false, own, 'linux')).why, /does not run/);
    });

    it('finds the real one', async () => {
      const found = await findNode({ PATH: dirname(process.execPath), TOOLS_OF: root }, true);
      assert.equal(found.path, join(dirname(process.execPath), 'node'));
      assert.equal(found.why, `node ${process.versions.node} on the PATH`);
      assert.equal((await findNode({ TOOLS_OF: root }, true)).path, process.execPath);
    });
  });
});
