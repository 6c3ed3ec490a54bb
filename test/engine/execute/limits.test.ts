import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, type ExecuteOptions, type Execution } from '../../../src/engine/execute.ts';
import { openCgroup } from '../../../src/engine/execute/cgroup.ts';
import { cgroupPlaces } from '../../../src/engine/execute/cgroup-places.ts';
import { withDefaults } from '../../../src/engine/execute/limits.ts';
import { PipePool } from '../../../src/engine/execute/pipes.ts';
import type { ResourceLimits } from '../../../src/records.ts';
import { assertNoSurvivors } from '../../census.ts';

const SRC = join(import.meta.dirname, '../../../src/engine');
const MB = 1024 ** 2;

/** All in one group, which one signal ends. */
const BOMB = 'bomb() { bomb | bomb & wait; }; bomb';
/** Each in a session of its own, with its parents gone. */
const SPREADING = "echo 'setsid sh $0 & setsid sh $0 & sleep 30' > bomb.sh; sh bomb.sh; sleep 30";

/** Only a wall, so that a mistake here doesn't end this machine: it limits nothing that a test looks at. */
const openWall: typeof openCgroup = (_, mark) => {
  const group = openCgroup({ processes: 400 }, mark);
  return group === undefined ? undefined : { ...group, controllers: [], members: () => [], exceeded: () => undefined, close: () => undefined };
};

describe('limits of what a command may use', function () {
  if (process.platform !== 'linux') return;
  this.timeout(90_000);
  const pool = new PipePool();
  let folder: string;
  let marks: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ratchet-limits-'));
    marks = [];
  });
  after(() => { pool.dispose(); });
  afterEach(async () => {
    await assertNoSurvivors([...marks, `STRAY_OF=${folder}`]);
    rmSync(folder, { recursive: true, force: true });
    const left = cgroupPlaces(['memory', 'pids']).flatMap((place) => readdirSync(place.folder)).filter((name) => name.startsWith(`ratchet-${String(process.pid)}-`));
    assert.deepEqual(left, [], 'control groups are left');
  });

  async function run(file: string, args: readonly string[], limits: ResourceLimits, options: Partial<ExecuteOptions> = {}): Promise<Execution> {
    const mark = randomUUID();
    marks.push(mark);
    const execution = await execute({ file, args, cwd: folder, env: { PATH: process.env['PATH'] ?? '', STRAY_OF: folder } }, { timeoutMs: 60_000, signal: new AbortController().signal, mark, pipes: pool, limits, ...options });
    assert.deepEqual(execution.survivors, []);
    await assertNoSurvivors([mark]);
    return execution;
  }
  const ended = ({ end, exceeded }: Execution): readonly unknown[] => [end, exceeded];

  const ways = { 'by a control group': openCgroup, 'by counting': openWall } as const;
  for (const [way, cgroup] of Object.entries(ways)) describe(way, () => {
    const isGrouped = way !== 'by counting';
    before(function () {
      // What a machine's own group may do shows only when one is made.
      const group = openCgroup({ memoryBytes: 2 ** 30, processes: 1_000 }, 'probe');
      group?.dispose();
      if (group === undefined || !group.controllers.includes('pids') || !group.controllers.includes('memory')) {
        console.log('      no control group can be made here');
        this.skip();
      }
    });

    it('ends a fork bomb', async () => {
      assert.deepEqual(ended(await run('sh', ['-c', BOMB], { processes: 150 }, { cgroup })), ['over-limit', 'processes']);
    });

    it('ends many processes that came one by one', async () => {
      assert.deepEqual(ended(await run('sh', ['-c', 'while :; do sleep 60 & done'], { processes: 100 }, { cgroup })), ['over-limit', 'processes']);
    });

    it('ends what takes too much memory', async () => {
      const script = `const all = []; setInterval(() => { all.push(Buffer.alloc(${String(20 * MB)}, 1)); if (all.length > 200) process.exit(0); }, 40);`;
      assert.deepEqual(ended(await run(process.execPath, ['-e', script], { memoryBytes: 300 * MB }, { cgroup })), ['over-limit', 'memory']);
    });

    it('ends what takes too much memory in many processes', async () => {
      const script = `const all = []; setInterval(() => { all.push(Buffer.alloc(${String(5 * MB)}, 1)); if (all.length > 200) process.exit(0); }, 40);`;
      const command = `for i in 1 2 3 4; do "$0" -e '${script}' & done; wait`;
      assert.deepEqual(ended(await run('sh', ['-c', command, process.execPath], { memoryBytes: 500 * MB }, { cgroup })), ['over-limit', 'memory']);
    });

    it('counts memory once that workers share', async function () {
      if (spawnSync('python3', ['-c', '']).status !== 0) this.skip();
      const script = `import os, time
data = b"x" * ${String(200 * MB)}
for worker in range(4):
    if os.fork() == 0:
        time.sleep(2); os._exit(0)
for worker in range(4): os.wait()
print("score: 42")`;
      const result = await run('python3', ['-c', script], { memoryBytes: 500 * MB }, { cgroup });
      assert.deepEqual([...ended(result), result.stdout], ['exited', undefined, 'score: 42\n']);
    });

    it('leaves alone what stays below, address space and all', async () => {
      // WebAssembly reserves gigabytes that it never uses.
      const script = 'const memories = Array.from({ length: 4 }, () => new WebAssembly.Memory({ initial: 1, maximum: 65536 })); console.log(`score: ${memories.length}`)';
      const result = await run(process.execPath, ['-e', script], { memoryBytes: 1024 * MB, processes: 50 }, { cgroup });
      assert.deepEqual([...ended(result), result.stdout], ['exited', undefined, 'score: 4\n']);
    });

    it('says of a time-out that it is one', async () => {
      assert.deepEqual(ended(await run('sleep', ['300'], { memoryBytes: 1024 * MB, processes: 50 }, { cgroup, timeoutMs: 300 })), ['timed-out', undefined]);
    });

    if (isGrouped) {
      it('ends a fork bomb that spreads over sessions, while other commands run', async () => {
        const bomb = run('sh', ['-c', SPREADING], { processes: 150 }, { cgroup });
        while (!existsSync(join(folder, 'bomb.sh'))) await new Promise((resolve) => setImmediate(resolve));
        assert.equal((await run('sh', ['-c', 'sh -c "echo alive"'], {})).stdout, 'alive\n');
        assert.deepEqual(ended(await bomb), ['over-limit', 'processes']);
      });

      it('ends a daemon that hides from everything else', async () => {
        const result = await run('sh', ['-c', '(env -i setsid sh -c "echo \\$\\$ > pid; exec sleep 300" > /dev/null 2>&1 &); while [ ! -s pid ]; do sleep 0.01; done; echo score: 42'], { processes: 50 }, { cgroup });
        assert.equal(result.stdout, 'score: 42\n');
        // Nothing of its environment says whose it is.
        await assertNoSurvivors([Number(spawnSync('cat', [join(folder, 'pid')], { encoding: 'utf8' }).stdout)]);
      });
    }
  });

  describe('by the system, for each process', () => {
    it('ends what takes too much processor time, even below a shell', async () => {
      assert.deepEqual(ended(await run('sh', ['-c', 'while :; do :; done'], { cpuS: 1 })), ['over-limit', 'cpu']);
      assert.deepEqual(ended(await run('sh', ['-c', 'sh -c "while :; do :; done"; exit $?'], { cpuS: 1 })), ['over-limit', 'cpu']);
    });

    it('ends what writes too large a file', async () => {
      assert.deepEqual(ended(await run('sh', ['-c', 'head -c 3000000 /dev/zero > big; exit $?'], { fileBytes: MB })), ['over-limit', 'file-size']);
      assert.ok(statSync(join(folder, 'big')).size <= MB);
      assert.deepEqual(ended(await run('sh', ['-c', 'head -c 300000 /dev/zero > small'], { fileBytes: MB })), ['exited', undefined]);
      // Python ignores the signal, and tells of it.
      const python = (script: string): Promise<Execution> => run('python3', ['-c', script], { fileBytes: MB });
      assert.deepEqual(ended(await python('open("large", "wb").write(b"x" * 3000000)')), ['over-limit', 'file-size']);
      assert.deepEqual(ended(await python('import sys; sys.stderr.write("File too large")')), ['exited', undefined]);
    });

    it('says of a command that it can\'t be started what the system says', async () => {
      const missing = await run('no-such-program', [], { cpuS: 1 });
      assert.deepEqual([missing.end, missing.startError], ['not-started', 'The program no-such-program was not found: check its name, and that its folder is on the PATH.']);
      writeFileSync(join(folder, 'plain'), 'echo hi\n');
      assert.match((await run('./plain', [], { cpuS: 1 })).startError ?? '', /may not be executed/);
      chmodSync(join(folder, 'plain'), 0o755);
      assert.equal((await run('./plain', [], { cpuS: 1 })).stdout, 'hi\n');
    });

    it('passes arguments on untouched', async () => {
      assert.equal((await run('printf', ['%s|', 'a b', '$HOME', '*', '', '"'], { cpuS: 10, fileBytes: MB })).stdout, 'a b|$HOME|*||"|');
    });

    it('is the wall behind a fork bomb for anybody but root, where there is no control group', async function () {
      if (process.getuid?.() !== 0) this.skip();
      const mark = randomUUID();
      marks.push(mark);
      chmodSync(folder, 0o777);
      const program = `
        import { execute } from ${JSON.stringify(join(SRC, 'execute.ts'))};
        const result = await execute(
          { file: 'sh', args: ['-c', ${JSON.stringify(SPREADING)}], cwd: ${JSON.stringify(folder)}, env: { PATH: process.env.PATH, STRAY_OF: ${JSON.stringify(folder)} } },
          { timeoutMs: 60_000, signal: new AbortController().signal, mark: ${JSON.stringify(mark)}, limits: { processes: 60 }, cgroup: () => undefined },
        );
        process.stdout.write(JSON.stringify([result.end, result.exceeded, result.survivors]));
      `;
      const wall = openWall({}, randomUUID());
      if (wall === undefined) this.skip();
      const child = spawn(
        'sh', ['-c', 'echo 0 > "$0/cgroup.procs"; exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"', wall.folders[0] ?? '', process.execPath, '--input-type=module', '-e', program],
        { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', env: { PATH: process.env['PATH'] } },
      );
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => { said += text; });
      await once(child, 'close');
      await assertNoSurvivors([mark], 5_000);
      wall.dispose();
      assert.equal(said, '["over-limit","processes",[]]');
    });
  });

  it('has defaults that a person\'s choice replaces', () => {
    const { memoryBytes = 0, processes } = withDefaults();
    assert.ok(memoryBytes > 256 * MB);
    assert.equal(processes, 1_000);
    assert.deepEqual(withDefaults({ memoryBytes: 5, processes: 7, cpuS: 9 }), { memoryBytes: 5, processes: 7, cpuS: 9 });
  });
});
