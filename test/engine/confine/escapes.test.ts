import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { openRuntime } from '../../../src/wire/runtime.ts';
import { type Bench, KINDS, NEVER, commitAll } from '../scratch/support.ts';
import { confinedSlot, useConfinedBench } from './bench.ts';
import { ESCAPES, type World } from './escapes.ts';

for (const kind of KINDS) describe(`ways out of a confined slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let world: World;
  let another: ChildProcess;
  const servers: Server[] = [];
  const made: string[] = [];
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });

  async function listen(at: string | number): Promise<Server> {
    const server = createServer((socket) => socket.on('error', () => undefined).end());
    servers.push(server);
    if (typeof at === 'number') server.listen(at, '127.0.0.1');
    else server.listen(at);
    await once(server, 'listening');
    return server;
  }

  beforeEach(async () => {
    const home = bench.folder;
    const top = bench.tree('project', {
      '.gitignore': '.env\n.ratchet/\n', 'target.txt': 'start', 'beside.txt': 'mine', '.env': 'A=1', '.ratchet/runs/1/ledger.jsonl': '{}', 'heldout/answers.txt': '42',
    });
    commitAll(top);
    bench.tree('', { '.ssh/id_ed25519': 'key', '.config/gh/hosts.yml': 'oauth_token: x', 'other/secret.txt': 'x', '.bashrc': '# mine\n', 'io/other/result.json': '{}' });
    const runtime = await openRuntime(top, { HOME: home }, process.platform);
    const name = randomUUID();
    const tcp = await listen(0);
    const sockets = { engine: runtime.socket, agent: join('/tmp', `ratchet-agent-${name}`), abstract: `ratchet-${name}` };
    await listen(sockets.engine);
    await listen(sockets.agent);
    await listen(`\0${sockets.abstract}`);
    made.push(sockets.agent);
    const inRun = join('/run', `ratchet-${name}`);
    const run = await listen(inRun).then(() => inRun, () => undefined);
    another = spawn('sleep', ['600'], { env: { RATCHET_SECRET_OF_ANOTHER: name }, stdio: 'ignore' });
    await once(another, 'spawn');
    const address = tcp.address();
    world = {
      home, top, port: typeof address === 'object' && address !== null ? address.port : 0, pid: another.pid ?? 0,
      sockets: { ...sockets, ...(run === undefined ? {} : { run }) }, otherResult: join(bench.folder, 'io', 'other', 'result.json'),
    };
  });

  afterEach(async () => {
    const ended = once(another, 'exit');
    another.kill();
    await ended;
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
    for (const path of made.splice(0)) rmSync(path, { force: true });
  });

  for (const { name, script } of ESCAPES)
    it(`with a person's rights a scorer ${name}, and confined it doesn't`, async function () {
      const source = script(world);
      if (source === undefined) return this.skip();
      const { top } = world;
      const { run } = await confinedSlot(bench, kind, probe, { root: top, top, target: join(top, 'target.txt') }, { heldOut: ['heldout'] });
      const io = join(bench.folder, 'io', 'mine');
      mkdirSync(io, { recursive: true });
      // What is written in vain, or into the slot's own copy, has changed nothing outside.
      const outside = ['outside.txt', '.bashrc', 'project/beside.txt', 'io/other/result.json'].map((path) => join(bench.folder, path));
      const look = (): readonly (string | undefined)[] => outside.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
      const before = look();
      const confined = await run([process.execPath, '-e', source], io);
      const isWriting = source.includes('writeFileSync');
      assert.deepEqual(look(), before);
      if (!isWriting) assert.notEqual(confined.exitCode, 0, `it got out: ${confined.stdout}`);
      assert.match(confined.stderr, /^ratchet: entered\n/, 'it ran');

      const open = await execute({ file: process.execPath, args: ['-e', source], cwd: top, env: bench.environment() }, { timeoutMs: 60_000, signal: NEVER, mark: bench.mark });
      if (isWriting) assert.notDeepEqual(look(), before);
      assert.equal(open.exitCode, 0, open.stderr);
    });
});
