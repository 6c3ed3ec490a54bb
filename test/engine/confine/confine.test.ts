import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import { scorerEnvironment } from '../../../src/engine/execute/environment.ts';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { type Bench, KINDS, NEVER, commitAll, systemPython } from '../scratch/support.ts';
import { confinedSlot, useConfinedBench } from './bench.ts';

for (const kind of KINDS) describe(`a confined slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let top: string;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });
  beforeEach(() => {
    top = bench.tree('project', { 'target.txt': 'start', 'sub/beside.txt': 'beside' });
    commitAll(top);
  });
  const workspace = (): { root: string; top: string; target: string } => ({ root: top, top, target: join(top, 'target.txt') });

  it('shows the candidate, lets the slot, /tmp, the home folder and the result be written, and says what it exits with', async () => {
    const io = join(bench.folder, 'io');
    mkdirSync(io);
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace());
    const script = 'cat target.txt sub/beside.txt; echo a > new.txt; for at in /tmp /var/tmp /dev/shm ~; do echo a > $at/x && cat $at/x; done; echo r > "$RATCHET_RESULT"; exit 3';
    const { exitCode, stdout, stderr } = await run(['sh', '-c', script], io, { RATCHET_RESULT: join(io, 'result.json') });
    assert.deepEqual([exitCode, stdout, stderr], [3, 'candidate\nbesidea\na\na\na\n', 'ratchet: entered\n']);
    assert.equal(readFileSync(join(io, 'result.json'), 'utf8'), 'r\n');
    assert.deepEqual(await slot.changed(), ['new.txt']);
    assert.equal(existsSync(join(bench.folder, 'x')), false);
  });

  it('begins each run with an empty home folder and /tmp', async () => {
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace());
    await run(['sh', '-c', 'echo a > /tmp/x; echo a > ~/x; mkdir ~/.cache']);
    await slot.place('candidate\n');
    assert.equal((await run(['sh', '-c', 'ls /tmp/x ~/x ~/.cache 2>/dev/null; echo .'])).stdout, '.\n');
  });

  it('lets a scorer speak to a server of its own', async () => {
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const source = `const s = require('net').createServer((c) => c.end('heard')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); process.exit(0); }))`;
    assert.equal((await run([process.execPath, '-e', source])).stdout, 'heard\n');
  });

  it('ends what a scorer leaves behind', async () => {
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const { survivors } = await run(['sh', '-c', 'setsid sleep 600 & (setsid env -i sleep 600 &) & echo .']);
    assert.deepEqual(survivors, []);
  });

  it('opens the network where it is allowed', async () => {
    const server = createServer((socket) => socket.end('heard')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['net'] });
    const { stdout } = await run([process.execPath, '-e', `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d)))`]);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(stdout, 'heard\n');
  });

  it('shows a path that is allowed, and doesn\'t let it be written', async () => {
    bench.tree('models', { 'weights.bin': 'w' });
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['~/models'] });
    const { stdout, stderr } = await run(['sh', '-c', 'cat ~/models/weights.bin; echo x > ~/models/weights.bin']);
    assert.equal(stdout, 'w');
    assert.match(stderr, /Read-only file system/);
  });

  it('gives a private copy of a folder that may be written, anew for each run', async () => {
    bench.tree('cache', { 'kept.txt': 'mine' });
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace(), { allow: ['write:~/cache'] });
    const script = 'cat ~/cache/*; echo new > ~/cache/kept.txt; echo b > ~/cache/b; cat ~/cache/*';
    for (const round of [1, 2]) {
      assert.equal((await run(['sh', '-c', script])).stdout, 'mineb\nnew\n', `round ${round}`);
      await slot.place('candidate\n');
    }
    assert.equal(readFileSync(join(bench.folder, 'cache', 'kept.txt'), 'utf8'), 'mine');
  });

  it('follows the workspace\'s own links out, but not to a person\'s keys', async () => {
    bench.tree('', { 'datasets/a.txt': 'data', '.ssh/id': 'key', 'project/data': { link: '../datasets' }, 'project/keys': { link: '../.ssh' } });
    commitAll(top);
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    assert.equal((await run(['sh', '-c', 'cat data/a.txt keys/id'])).stdout, 'data');
  });

  it('shows what the project\'s environment names as its own elsewhere: editable installations, and no keys', async function () {
    const python = systemPython();
    if (python === undefined) return this.skip();
    for (const name of ['path', 'egg', 'finder', 'url']) bench.tree(`others/${name}`, { [`src/by_${name}.py`]: 'A = 1\n' });
    bench.tree('.ssh', { 'by_key.py': 'A = 1\n' });
    execFileSync(python, ['-m', 'venv', '--without-pip', join(top, '.venv')], { stdio: 'pipe' });
    const lib = readdirSync(join(top, '.venv', 'lib'))[0] ?? '';
    const at = (path: string): string => join(bench.folder, path);
    bench.tree(`project/.venv/lib/${lib}/site-packages`, {
      '__editable__.path-1.pth': `${at('others/path/src')}\n`, 'egg.egg-link': `${at('others/egg/src')}\n../`, 'easy-install.pth': `${at('others/egg/src')}\n`, 'key.pth': `${at('.ssh')}\n`,
      '__editable___finder_1_finder.py': `import sys\nMAPPING = {'by_finder': '${at('others/finder/src/by_finder.py')}'}\nsys.path.append(MAPPING['by_finder'].rsplit('/', 1)[0])\n`, 'finder.pth': 'import __editable___finder_1_finder\n',
      'url-1.dist-info/direct_url.json': JSON.stringify({ url: pathToFileURL(at('others/url')).href, dir_info: { editable: true } }), 'url.pth': `import sys; sys.path.append('${at('others/url/src')}')\n`,
    });
    const command = '.venv/bin/python -c "import by_path, by_egg, by_finder, by_url, sys; print(sys.prefix); import by_key"';
    const { run, slot } = await confinedSlot(bench, kind, probe, workspace(), { command });
    const { stdout, stderr } = await run(['sh', '-c', command]);
    assert.equal(stdout, `${slot.inside(join(top, '.venv'))}\n`, stderr);
    assert.match(stderr, /No module named 'by_key'/);
    assert.equal((await run(['sh', '-c', `echo x > ${at('others/path/src/by_path.py')}`])).exitCode, 2, 'to read alone');
  });

  it('shows packages that were installed for the user, whether or not their programs are on the PATH', async function () {
    const python = systemPython();
    if (python === undefined) return this.skip();
    const site = execFileSync(python, ['-m', 'site', '--user-site'], { env: bench.environment(), encoding: 'utf8' }).trim();
    assert.ok(site.startsWith(bench.folder));
    bench.tree('', { [`${site.slice(bench.folder.length + 1)}/of_user.py`]: 'A = "there"\n', '.local/share/token': 'x' });
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const { stdout, stderr } = await run(['sh', '-c', `${python} -c 'import of_user; print(of_user.A)'; cat ~/.local/share/token`]);
    assert.equal(stdout, 'there\n', stderr);
  });

  it('has the certificates of authorities without a network, and shared memory for any user', async function () {
    const python = systemPython();
    if (python === undefined || !existsSync('/etc/ssl/certs/ca-certificates.crt')) return this.skip();
    const { run } = await confinedSlot(bench, kind, probe, workspace());
    const { stdout, stderr } = await run(['sh', '-c', `stat -c %a /dev/shm; ${python} -c 'import ssl; print(ssl.create_default_context().cert_store_stats()["x509_ca"] > 0)'`]);
    assert.equal(stdout, '1777\nTrue\n', stderr);
  });

  it('leads no XDG folder astray: those of the person don\'t pass, and tools take the private home', async () => {
    const env = { XDG_CACHE_HOME: '/data/cache', XDG_CONFIG_HOME: '/data/config', XDG_RUNTIME_DIR: '/run/user/1000', XDG_DATA_HOME: '/data/share', XDG_STATE_HOME: '/data/state' };
    const { confinement } = await confinedSlot(bench, kind, probe, workspace(), { env });
    const told = { target: '', result: '', seed: 0, slot: 0 };
    const passed = scorerEnvironment({ ...env, HOME: bench.folder }, told, confinement.passes);
    assert.deepEqual(Object.keys(passed).filter((name) => name.startsWith('XDG_')), []);
    assert.equal(passed['HOME'], bench.folder);
    assert.equal(scorerEnvironment(env, told)['XDG_CACHE_HOME'], '/data/cache', 'with the person\'s rights they are there');
  });

  it('shows the folder of a program that the command names', async () => {
    bench.tree('tools', { 'lib/words.txt': 'w', 'bin/tool': '#!/bin/sh\ncat "$(dirname "$0")/../lib/words.txt"\n' });
    const tool = join(bench.folder, 'tools/bin/tool');
    const { run } = await confinedSlot(bench, kind, probe, workspace(), { command: `sh ${tool}` });
    assert.equal((await run(['sh', '-c', `sh ${tool}`])).stdout, 'w');
  });

  it('says where a folder of work is missing, as the command\'s own failure', async () => {
    const { slot, confinement } = await confinedSlot(bench, kind, probe, workspace());
    const gone = slot.enter({ file: 'true', args: [], cwd: join(slot.inside(top), 'gone'), env: bench.environment() }, confinement.confined);
    const { exitCode, stderr } = await execute(gone, { timeoutMs: 15_000, signal: NEVER, mark: bench.mark });
    assert.equal(exitCode, 125);
    assert.match(slot.ownStderr(stderr) ?? '', /there is no folder/);
  });
});
