import assert from 'node:assert/strict';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { linksSentence } from '../../../src/engine/run/links-sentence.ts';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { type Bench, KINDS, commitAll } from '../scratch/support.ts';
import { confinedSlot, useConfinedBench } from './bench.ts';

for (const kind of KINDS) describe(`what links of the project open, in a confined slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let top: string;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });
  beforeEach(() => {
    bench.tree('', {
      '.some-vault-token': 'secret', '.vault/token': 'secret', '.nvm/versions/x.txt': 'tool', '.cache/torch/w.bin': 'cached', 'data/a.txt': 'data', 'data/.env.local': 'secret', 'data/sub/.env': 'secret', 'data/repo.txt': 'data',
      'work/other/a.txt': 'other', 'work/lib/package.json': '{"name":"lib"}', 'work/lib/a.txt': 'lib', 'work/lib/.env': 'secret', 'venvs/one/pyvenv.cfg': 'home = /usr/bin\n', '.cache/shared/node_modules/p/index.js': 'package',
    });
    for (const name of ['other', 'lib']) commitAll(join(bench.folder, 'work', name));
    const to = (path: string): { readonly link: string } => ({ link: join(bench.folder, path) });
    top = bench.tree('work/project', {
      '.gitignore': 'node_modules\n', 'target.txt': 'start', 'token': to('.some-vault-token'), 'vault': to('.vault'), 'nvm': to('.nvm/versions'), 'torch': to('.cache/torch'), 'data': to('data'), 'env': to('data/.env.local'),
      'other': to('work/other'), 'up': to('work'), 'home': to(''), 'venv': to('venvs/one'), 'modules': to('.cache/shared/node_modules'), 'gone': to('nowhere'),
      'node_modules/lib': to('work/lib'), 'node_modules/dep/index.js': 'x',
    });
    commitAll(top);
  });
  const workspace = (): { root: string; top: string; target: string } => ({ root: top, top, target: join(top, 'target.txt') });
  const look = 'cat token vault/token nvm/x.txt torch/w.bin data/a.txt data/.env.local data/sub/.env env other/a.txt up/other/a.txt home/.vault/token venv/pyvenv.cfg modules/p/index.js node_modules/lib/a.txt node_modules/lib/.env; ls node_modules/lib/.git';

  it('is data, tools, caches and linked packages: nothing that begins with a dot, no other project, and no secrets in what it is', async () => {
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const { stdout, stderr } = await run(['sh', '-c', look]);
    assert.equal(stdout, 'toolcacheddatahome = /usr/bin\npackagelib', stderr);
    assert.equal((await run(['sh', '-c', 'echo x > data/new.txt'])).exitCode, 2, 'to read alone');
  });

  it('is no folder in which somebody listens', async () => {
    const folder = join(bench.tree('services', { 'one/readme.txt': 'x' }), 'one');
    const server = createServer((socket) => socket.end()).listen(join(folder, 's'));
    await once(server, 'listening');
    try {
      symlinkSync(join(bench.folder, 'services'), join(top, 'services'));
      const { run } = await confinedSlot(bench, kind, probe, workspace());
      const connect = `require('net').connect(${JSON.stringify(join(folder, 's'))}).on('connect', () => process.exit(0)).on('error', () => process.exit(7))`;
      assert.equal((await run([process.execPath, '-e', connect])).exitCode, 7);
      assert.equal((await run(['cat', 'services/one/readme.txt'])).stdout, '');
    } finally {
      server.close();
    }
  });

  it('is said, and how another project is opened', async () => {
    const { slot, confinement } = await confinedSlot(bench, kind, probe, workspace());
    const told = slot.links(confinement.confined);
    assert.deepEqual(told, { opened: ['data', 'work/lib'].map((path) => join(bench.folder, path)), closed: ['work', 'work/other'].map((path) => join(bench.folder, path)) });
    assert.equal(linksSentence(told, bench.folder), 'The project\'s links open to the scorer, to read: ~/data, ~/work/lib. Its links don\'t open other projects: to open one, add --allow \'~/work\' or --allow \'~/work/other\'.');
    assert.equal(linksSentence({ opened: [], closed: [] }, bench.folder), undefined);
  });

  it('is another project where a person allows it', async () => {
    const { run, slot, confinement } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['~/work/other', '~/data/sub/.env'] });
    assert.equal((await run(['sh', '-c', 'cat other/a.txt data/sub/.env'])).stdout, 'othersecret');
    assert.deepEqual(slot.links(confinement.confined).closed, [join(bench.folder, 'work')]);
  });
});
