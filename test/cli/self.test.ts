import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ownName } from '../../src/cli/self.ts';
import { CLI } from './lab.ts';

describe('how the program is called', () => {
  let base: string;
  const at = (...names: string[]): string => join(base, ...names);
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'ratchet-self-')));
    for (const folder of ['new', 'old', 'linked', 'own', 'p/node_modules/.bin', 'a b']) await mkdir(at(folder), { recursive: true });
    for (const node of ['new/node', 'old/node', 'a b/node', 'own/ratchet', 'cli.js']) await writeFile(at(node), '');
    await symlink(at('new/node'), at('linked/node'));
    await symlink(at('new/node'), at('p/node_modules/.bin/node'));
  });
  afterEach(() => rm(base, { recursive: true }));
  const named = (folders: readonly string[], node = 'new/node', cwd = ''): string =>
    ownName({ env: { PATH: folders.map((folder) => at(folder)).join(delimiter) }, cwd: at(cwd), node: at(node), script: at('cli.js'), platform: 'linux' });

  it('is ratchet where that is on the PATH', () => {
    assert.equal(named(['old', 'own']), 'ratchet');
  });

  it('is its script with node where that is the Node that runs', () => {
    assert.equal(named(['new', 'old']), 'node cli.js');
    assert.equal(named(['linked']), 'node cli.js');
    assert.equal(named(['new'], 'new/node', 'old'), `node ${at('cli.js')}`);
  });

  it('has the path of the Node that runs where a shell would find another one, or none', () => {
    assert.equal(named(['old', 'new']), `${at('new/node')} cli.js`);
    assert.equal(named([]), `${at('new/node')} cli.js`);
    assert.equal(named(['p/node_modules/.bin']), `${at('new/node')} cli.js`, 'what npm adds for its scripts is on no PATH of a person');
    assert.equal(named(['old'], 'a b/node'), `'${at('a b/node')}' cli.js`);
  });
});

describe('an old Node', () => {
  it('is told by what command a newer one starts it', async () => {
    const preload = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })")}`;
    const stderr = await new Promise<string>((resolve) => execFile(process.execPath, ['--import', preload, CLI, 'log'], (_error, _stdout, text) => resolve(text)));
    const script = await realpath(CLI);
    const [, node = '', named = ''] = /^ratchet: Node 22 or newer is needed; this is Node 20\.1\.0\. Start it with the one of this package: "([^"]+)" "([^"]+)"\n$/.exec(stderr) ?? assert.fail(stderr);
    assert.equal(named, script);
    assert.equal(await realpath(node), await realpath(process.execPath));
  });
});
