import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGuard, type Guard } from '../../../src/engine/execute/guard.ts';
import { PipePool } from '../../../src/engine/execute/pipes.ts';
import { measure, type Measurement } from '../../../src/engine/run/measure.ts';
import { leftOutSentence } from '../../../src/engine/run/left-out.ts';
import { whenOpen } from '../../../src/engine/run/reopen.ts';
import type { ResourceLimits } from '../../../src/records.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import { HumanError } from '../../../src/errors.ts';
import { SAMPLE_PLAN } from '../../loop/sample-plan.ts';
import { type Bench, KINDS, NEVER, commitAll, useBench } from '../scratch/support.ts';

for (const kind of KINDS) describe(`measuring in a slot of kind ${kind}`, function () {
  this.timeout(60_000);
  let bench: Bench;
  let guard: Guard;
  const pipes = new PipePool();
  useBench(kind, (made) => { bench = made; });
  before(() => { guard = startGuard(); });
  after(async () => {
    pipes.dispose();
    await guard.dispose();
  });

  function measuring(top: string, slot: Slot, command: string, notes: string[] = [], resources: ResourceLimits = {}, timeoutMs = 15_000): () => Promise<Measurement> {
    const ioFolder = join(bench.folder, 'io');
    mkdirSync(ioFolder, { recursive: true });
    const plan = { ...SAMPLE_PLAN, scorer: { kind: 'shell', command } as const, resources };
    const workspace = { root: top, top, target: slot.target };
    const tools = { node: process.execPath, python: 'python3' };
    return () => measure({ plan, workspace, slot, tools, env: bench.environment(), ioFolder, guard, pipes, mark: 'measure' }, 'candidate\n', 'candidate', timeoutMs, NEVER, (line) => notes.push(line));
  }

  it('leaves nothing of its own in what the scorer printed', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    const notes: string[] = [];
    const { outcome, output } = await measuring(top, await bench.slot(join(top, 'target.txt'), kind), 'echo note >&2; echo score: 3', notes)();
    assert.deepEqual([outcome, output.stdout, output.stderr], ['scored', 'score: 3\n', 'note\n']);
    assert.deepEqual(notes.sort(), ['note', 'score: 3']);
  });

  it('begins each run with an empty folder for its result, and follows no link that a scorer put in its place', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    bench.tree('elsewhere', { 'mine.txt': 'mine' });
    const run = measuring(top, await bench.slot(join(top, 'target.txt'), kind), 'cd "$(dirname "$RATCHET_RESULT")"; ls -A; mkdir planted; echo score: 3');
    await run();
    assert.equal((await run()).output.stdout, 'score: 3\n');
    const io = join(bench.folder, 'io');
    rmSync(io, { recursive: true });
    symlinkSync(join(bench.folder, 'elsewhere'), io);
    assert.equal((await run()).output.stdout, 'score: 3\n');
    assert.deepEqual(readdirSync(join(bench.folder, 'elsewhere')), ['mine.txt']);
  });

  it('gives the scorer a port that it can listen on', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    const serve = 'require("node:net").createServer().listen(process.env.PORT, () => { console.log("score: 5"); process.exit(); })';
    const { outcome, output } = await measuring(top, await bench.slot(join(top, 'target.txt'), kind), `"${process.execPath}" -e '${serve}'`)();
    assert.deepEqual([outcome, output.stdout], ['scored', 'score: 5\n']);
  });

  it('ends a scorer that uses too much, says so in one sentence, and takes no score from it', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    const hog = `"${process.execPath}" -e 'console.log("score: 99"); const all = []; setInterval(() => { all.push(Buffer.alloc(2e7, 1)); if (all.length > 100) process.exit(0); }, 20)'`;
    const crowd = 'echo score: 99; while :; do sleep 60 & done';
    if (process.platform === 'linux') for (const [command, resources, sentence] of [
      [hog, { memoryBytes: 300 * 1024 ** 2 }, 'It used more than 300 MB of memory, the limit.'], [crowd, { processes: 60 }, 'It started more than 60 processes, the limit.'],
    ] as const) {
      const { outcome, reading, survivors } = await measuring(top, slot, command, [], resources)();
      assert.deepEqual([outcome, reading.why, survivors], ['crashed', sentence, []]);
    }
    const { outcome, reading } = await measuring(top, slot, 'echo score: 99; while :; do :; done', [], { cpuS: 1 })();
    assert.deepEqual([outcome, reading.why], ['crashed', 'One of its processes used more than 1 s of processor time, the limit.']);
  });

  it('asks a scorer to end before it is ended, and gives it time to clean up', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    const script = "trap 'sleep 0.3; echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    // On a busy machine a short time may be over before the scorer is there.
    let result: Measurement;
    let timeoutMs = 1_000;
    do {
      result = await measuring(top, slot, script, [], {}, timeoutMs)();
      timeoutMs *= 3;
    } while (!result.output.stdout.includes('ready') && timeoutMs < 30_000);
    assert.deepEqual([result.outcome, result.output.stdout, result.survivors], ['timed-out', 'ready\ncleaned\n', []]);
  });

  it('takes what a scorer says about itself for its own words', async () => {
    const top = bench.tree('w', { 'target.txt': 'start' });
    commitAll(top);
    const { outcome } = await measuring(top, await bench.slot(join(top, 'target.txt'), kind), 'echo "ratchet: the private layers could not be mounted" >&2; exit 125')();
    assert.equal(outcome, 'crashed');
  });

  it('names the files of the workspace that a run changed, and no cache, build output or stand-in', async () => {
    const top = bench.tree('w', {
      '.gitignore': '__pycache__/\ndist/\nnode_modules/\n.venv/\n', 'target.txt': 'start', 'data.txt': 'data', 'gone.txt': 'gone', 'kept.pyc': 'tracked',
      '__pycache__/m.pyc': 'old', 'dist/out.js': 'old', 'node_modules/.cache/tool': 'old', 'node_modules/.vite/deps': 'old', '.venv/pyvenv.cfg': 'home = /usr', '.venv/lib/__pycache__/m.pyc': 'old', '.env': 'A=1',
    });
    commitAll(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    const own = kind === 'overlay' ? 'node_modules/.cache/tool node_modules/.vite/deps .venv/lib/__pycache__/m.pyc' : '';
    const script = `mkdir -p __pycache__ dist; for f in __pycache__/m.pyc dist/out.js .env .git/index new.txt ${own}; do echo new > $f; done; echo score: 1`;
    assert.deepEqual((await measuring(top, slot, script)()).altered, []);
    assert.deepEqual((await measuring(top, slot, `echo x > data.txt; echo x > kept.pyc; rm gone.txt; ${script}`)()).altered, ['data.txt', 'gone.txt', 'kept.pyc']);
  });

  it('says which file a scorer misses because it is not shown', async () => {
    const top = bench.tree('w', { '.gitignore': 'dist/\n.env\n.cache/\n', 'target.txt': 'start', 'dist/index.js': 'built', '.env': 'A=1', '.cache/data': 'x', 'out/tracked.js': 'x' });
    commitAll(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    const workspace = { root: top, top, target: join(top, 'target.txt') };
    const said = async (script: string): Promise<string | undefined> => {
      const { output } = await measuring(top, slot, script)();
      return leftOutSentence(`${output.stderr}\n${output.stdout}`, workspace, slot, top);
    };
    assert.match(await said(`"${process.execPath}" -e 'require("./dist/index.js")'`) ?? '', /^You have dist, but as an ignored build output/);
    assert.match(await said(`"${process.execPath}" -e 'require(process.cwd() + "/dist/index.js")'`) ?? '', /^You have dist, but/);
    assert.match(await said('. ./.env') ?? '', /^You have \.env, but files of secrets are never shown/);
    assert.match(await said('cat .cache/data') ?? '', /^You have \.cache, but as a cache/);
    for (const script of ['cat out/tracked.js; cat out/missing.js; exit 1', 'cat build/x', 'echo dist; exit 1', 'nothing-of-this-name']) assert.equal(await said(script), undefined, script);
  });

  if (kind === 'overlay') it('waits for a folder that is being made anew, and is nobody\'s crash meanwhile', async () => {
    const top = bench.tree('w', { '.gitignore': 'node_modules\n', 'target.txt': 'start', 'node_modules/dep/index.js': 'dep' });
    commitAll(top);
    const slot = await bench.slot(join(top, 'target.txt'), kind);
    const once = measuring(top, slot, 'test -s node_modules/dep/index.js && echo score: 1');
    const [here, away] = [join(top, 'node_modules'), join(bench.folder, 'away')];
    renameSync(here, away);
    const told: string[] = [];
    const sleep = (): Promise<void> => {
      told.push('slept');
      if (told.length === 4) {
        mkdirSync(here);
        for (const name of readdirSync(away)) renameSync(join(away, name), join(here, name));
      }
      return Promise.resolve();
    };
    const { outcome } = await whenOpen(once, { inVain: () => false, sleep, onWait: () => told.push('waits') });
    assert.deepEqual([outcome, told], ['scored', ['waits', 'slept', 'slept', 'slept']]);

    renameSync(here, `${away}-again`);
    writeFileSync(here, 'in the way');
    let slept = 0;
    const lasting = whenOpen(once, { inVain: () => slept === 3, sleep: () => Promise.resolve(void slept++), onWait: () => undefined });
    await assert.rejects(lasting, (error) => error instanceof HumanError && error.reason === 'no-scratch' && /^The private view of your files could not be opened \(mount: .*\)\. Start again when [^\n]*\.$/.test(error.message));
    assert.equal(slept, 3);
  });
});
