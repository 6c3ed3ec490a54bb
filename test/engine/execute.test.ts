import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { execute } from '../../src/engine/execute.ts';
import type { ExecuteOptions, Execution } from '../../src/engine/execute.ts';
import { PipePool } from '../../src/engine/execute/pipes.ts';
import { assertNoSurvivors, census } from '../census.ts';

const handed = (JSON.parse(readFileSync(join(import.meta.dirname, '../cases/handed.json'), 'utf8')) as readonly ProcessCase[])
  .filter((each) => each.kind === 'process');

interface ProcessCase {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly input: { readonly lang: 'sh' | 'node'; readonly script: string; readonly budgetMs: number; readonly pidFile?: string; readonly cancelAfterMs?: number };
  readonly expected: { readonly outcome: 'scored' | 'timeout' | 'cancelled' | 'crash'; readonly score?: number; readonly maxTotalMs: number };
}

/** What no ending takes on any machine; one that waits for what it must end takes 300 s. */
const GENEROUS_MS = 15_000;

/** A pool that has none, as on other systems: Node's own sockets are used. */
const NO_PIPES = Object.assign(new PipePool(), { open: () => undefined });

describe('execute', () => {
  const pool = new PipePool();
  let folder: string;
  let marks: string[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-execute-')));
    marks = [];
  });
  after(() => { pool.dispose(); });
  afterEach(async () => {
    rmSync(folder, { recursive: true, force: true });
    await assertNoSurvivors([...marks, `STRAY_OF=${folder}`]);
  });

  /** Runs a program; every process of it also carries STRAY_OF, unless it empties its environment. */
  async function run(file: string, args: readonly string[], options: Partial<ExecuteOptions> = {}, cwd = folder): Promise<Execution & { readonly totalMs: number }> {
    const mark = randomUUID();
    marks.push(mark);
    const startMs = performance.now();
    const execution = await execute(
      { file, args, cwd, env: { PATH: process.env['PATH'] ?? '', STRAY_OF: folder } },
      { timeoutMs: 15_000, signal: new AbortController().signal, mark, pipes: pool, ...options },
    );
    const totalMs = performance.now() - startMs;
    assert.deepEqual(execution.survivors, []);
    await assertNoSurvivors([mark, ...pids()]);
    return { ...execution, totalMs };
  }
  const sh = (script: string, options: Partial<ExecuteOptions> = {}): ReturnType<typeof run> => run('sh', ['-c', script], options);
  /**
   * A run whose time is over only after the script has got where the test wants it: on a busy machine a short time may be
   * over before, and then it gets more.
   */
  const late = async (timed: (timeoutMs: number) => ReturnType<typeof run>, isThere: (result: Execution) => boolean): ReturnType<typeof run> => {
    for (let timeoutMs = 400; ; timeoutMs *= 4) {
      rmSync(join(folder, 'pids.txt'), { force: true });
      const result = await timed(timeoutMs);
      assert.equal(result.end, 'timed-out');
      assert.ok(result.totalMs < timeoutMs + GENEROUS_MS, `took ${String(result.totalMs)} ms`);
      if (isThere(result)) return result;
      assert.ok(timeoutMs < GENEROUS_MS, 'the script never got there');
    }
  };
  const pids = (): readonly number[] => {
    const file = join(folder, 'pids.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map(Number) : [];
  };

  describe('handed cases', () => {
    for (const { id, title, input, expected } of handed) {
      it(`${id}: ${title}`, async () => {
        writeFileSync(join(folder, 'script'), input.script);
        const stop = new AbortController();
        if (input.cancelAfterMs !== undefined) setTimeout(() => { stop.abort(); }, input.cancelAfterMs);
        const result = await run(input.lang, ['script'], { timeoutMs: input.budgetMs, signal: stop.signal });
        const ends = { scored: 'exited', timeout: 'timed-out', cancelled: 'cancelled', crash: 'exited' };
        assert.equal(result.end, ends[expected.outcome]);
        if (expected.score !== undefined) assert.match(result.stdout, new RegExp(`^score: ${String(expected.score)}$`, 'm'));
        if (expected.outcome === 'scored') assert.equal(result.exitCode, 0);
        assert.ok(result.totalMs < expected.maxTotalMs, `took ${String(result.totalMs)} ms`);
      });
    }
  });

  describe('how a command ends', () => {
    it('gives the exit code and both streams', async () => {
      const result = await sh('echo out; echo err >&2; exit 3');
      assert.deepEqual(
        [result.end, result.exitCode, result.signal, result.stdout, result.stderr, result.droppedBytes],
        ['exited', 3, null, 'out\n', 'err\n', 0],
      );
    });

    it('gives the signal that ended it', async () => {
      const result = await sh('kill -SEGV $$');
      assert.deepEqual([result.end, result.exitCode, result.signal], ['exited', null, 'SIGSEGV']);
    });

    it('calls a command timed out that exits with 0 when it is asked to end', async () => {
      const result = await late((timeoutMs) => sh('trap "echo score: 99; exit 0" TERM; echo $$ > pids.txt; while :; do sleep 0.05; done', { timeoutMs }), () => pids().length > 0);
      assert.deepEqual([result.exitCode, result.stdout], [0, 'score: 99\n']);
    });

    it('does not start anything once it is cancelled', async () => {
      const result = await sh('echo $$ > pids.txt', { signal: AbortSignal.abort() });
      assert.equal(result.end, 'cancelled');
      assert.deepEqual(pids(), []);
    });

    it('ends what it started if it is cancelled in the same turn', async () => {
      for (let round = 0; round < 20; round += 1) {
        const stop = new AbortController();
        const running = sh('echo $$ >> pids.txt; setsid sleep 300 & echo $! >> pids.txt; wait', { signal: stop.signal });
        stop.abort();
        assert.equal((await running).end, 'cancelled');
      }
    });

    it('lets a result stand when it is cancelled afterwards', async () => {
      const stop = new AbortController();
      const result = await sh('echo done', { signal: stop.signal });
      stop.abort();
      assert.equal(result.end, 'exited');
    });

    it('measures the command alone, not what it leaves behind', async () => {
      const result = await sh('setsid sleep 300 & sleep 0.3');
      assert.ok(result.durationMs >= 300 && result.durationMs < result.totalMs, `${String(result.durationMs)} of ${String(result.totalMs)} ms`);
    });

    it('waits without a limit when it is told so', async () => {
      assert.equal((await sh('sleep 0.1', { timeoutMs: Infinity })).end, 'exited');
    });
  });

  describe('what it leaves behind', () => {
    const leftovers: Readonly<Record<string, string>> = {
      'a child that holds the output open': 'sleep 300 & echo $! >> pids.txt; echo score: 42',
      'a daemon: new session, parents gone': '(setsid sh -c "echo \\$\\$ >> pids.txt; sleep 300 & echo \\$! >> pids.txt; wait" > /dev/null 2>&1 &); while [ ! -s pids.txt ]; do sleep 0.01; done; echo score: 42',
      'a daemon with an emptied environment that holds the output open': '(env -i setsid sh -c "echo \\$\\$ >> pids.txt; exec /bin/sleep 300" &); while [ ! -s pids.txt ]; do sleep 0.01; done; echo score: 42',
      'a job in a group of its own, with an emptied environment': 'set -m; env -i sleep 300 > /dev/null 2>&1 & echo $! >> pids.txt; echo score: 42',
      'a child that ignores every polite signal': 'sh -c "trap \'\' TERM INT HUP; echo \\$\\$ >> pids.txt; while :; do sleep 1; done" & while [ ! -s pids.txt ]; do sleep 0.01; done; echo score: 42',
      'a stopped child': 'sleep 300 & echo $! >> pids.txt; kill -STOP $!; echo score: 42',
      'a child that goes on printing': 'yes & echo $! >> pids.txt; echo score: 42',
      'children that go on starting children': 'sh -c "while :; do setsid sleep 30 & sleep 0.01; done" & sleep 0.2; echo score: 42',
    };
    for (const [what, script] of Object.entries(leftovers)) {
      it(`ends ${what}, without real pipes too`, async () => {
        assert.match((await sh(script, { pipes: NO_PIPES })).stdout, /^score: 42$/m);
      });

      it(`ends ${what}, and lets the result stand`, async () => {
        const result = await sh(script);
        assert.deepEqual([result.end, result.exitCode], ['exited', 0]);
        assert.match(result.stdout, /^score: 42$/m);
        assert.ok(result.totalMs - result.durationMs < GENEROUS_MS, `${String(result.totalMs - result.durationMs)} ms after the exit`);
      });

      it(`ends ${what} on time-out`, async () => {
        await late((timeoutMs) => sh(`${script}; while :; do sleep 1; done`, { timeoutMs }), ({ stdout }) => /^score: 42$/m.test(stdout));
      }).timeout(60_000);
    }

    it('finds a daemon whose parents go while it looks', async () => {
      for (let round = 0; round < 40; round += 1) await sh('(setsid sh -c "sleep 300 &" > /dev/null 2>&1 &)');
      // Nothing may come up later either, from a process that was half born.
      await new Promise((resolve) => setTimeout(resolve, 200));
    });

    it('ends a stopped command', async () => {
      await late((timeoutMs) => sh('echo $$ > pids.txt; kill -STOP $$', { timeoutMs }), () => pids().length > 0);
    });

    it('ends a child that left group, session and environment but not its parent', async () => {
      await late((timeoutMs) => sh('env -i setsid sleep 300 > /dev/null 2>&1 & echo $! >> pids.txt; wait', { timeoutMs }), () => pids().length > 0);
    });

    it('finds strays after long runs too, when process numbers may have begun again', async () => {
      await sh('setsid sleep 300 > /dev/null 2>&1 & echo $! >> pids.txt; sleep 1.1');
    });

    it('leaves another execution alone', async () => {
      const other = new AbortController();
      let running: ReturnType<typeof run> | undefined;
      await new Promise<void>((resolve) => {
        running = sh('setsid sleep 300 & echo ready; wait', { signal: other.signal, onOutput: () => { resolve(); } });
      });
      // The shell says so before its child has become another program.
      while (!census(marks[0] ?? '').some(({ command }) => command === 'sleep 300')) await setImmediate();
      await execute(
        { file: 'sh', args: ['-c', 'setsid sleep 300 &'], cwd: folder, env: { PATH: process.env['PATH'] ?? '' } },
        { timeoutMs: 5_000, signal: new AbortController().signal, mark: randomUUID() },
      );
      assert.equal(census(marks[0] ?? '').filter(({ command }) => command === 'sleep 300').length, 1);
      other.abort();
      assert.equal((await running)?.end, 'cancelled');
    });

    it('ends everything in a pid namespace by ending the group', async function () {
      const enter = ['-Ur', '--fork', '--pid', '--mount-proc', 'sh', '-c'];
      if (spawnSync('unshare', [...enter, 'true']).status !== 0) this.skip();
      const script = '(env -i setsid sleep 300 > /dev/null 2>&1 &); echo score: 42';
      const done = await run('unshare', [...enter, script]);
      assert.deepEqual([done.end, done.exitCode, done.stdout], ['exited', 0, 'score: 42\n']);
      await late((timeoutMs) => run('unshare', [...enter, `${script}; while :; do sleep 1; done`], { timeoutMs }), ({ stdout }) => stdout === 'score: 42\n');
    });
  });

  describe('what it may rely on', () => {
    it('gives exactly the environment it was given, and the mark', async () => {
      const result = await run(process.execPath, ['-e', 'console.log(Object.keys(process.env).sort().join())']);
      assert.equal(result.stdout.trim(), 'PATH,RATCHET_MARK,STRAY_OF');
    });

    it('has an empty input and no terminal', async () => {
      assert.equal((await sh('cat; test -t 0 || echo none')).stdout, 'none\n');
    });

    it('passes arguments on untouched', async () => {
      assert.equal((await run('printf', ['%s|', 'a b', '$HOME', '*', '', '"'])).stdout, 'a b|$HOME|*||"|');
    });

    it('can open its output by name', async function () {
      if (process.platform !== 'linux') this.skip();
      for (let round = 0; round < 3; round += 1) {
        const result = await sh('echo a > /dev/stderr; echo b | tee /dev/stderr; echo c > /dev/stdout');
        assert.deepEqual([result.exitCode, result.stdout, result.stderr], [0, 'b\nc\n', 'a\nb\n']);
      }
    });

    it('survives a script that removes its folder', async () => {
      const result = await sh('rm -r "$PWD"; echo score: 42');
      assert.deepEqual([result.exitCode, result.stdout], [0, 'score: 42\n']);
    });
  });

  for (const [how, pipes] of [['', pool], [' by sockets', NO_PIPES]] as const) describe(`output${how}`, () => {
    it('gives output without a line end', async () => {
      assert.equal((await sh('printf "score: 42"', { pipes })).stdout, 'score: 42');
    });

    it('gives all that came before the streams were closed', async () => {
      const result = await sh('echo score: 42; exec >&- 2>&-; sleep 0.1; exit 4', { pipes });
      assert.deepEqual([result.exitCode, result.stdout], [4, 'score: 42\n']);
    });

    it('reads bytes that are not UTF-8', async () => {
      assert.equal((await sh("printf 'a\\377b\\nscore: 42\\n\\303'", { pipes })).stdout, 'a\uFFFDb\nscore: 42\n\uFFFD');
    });

    it('keeps the beginning and the end of huge output and counts the rest', async () => {
      const result = await sh('echo first; head -c 50000000 /dev/zero | tr "\\0" "x"; echo; echo score: 42', { pipes, maxBytes: 10_000 });
      assert.equal(result.droppedBytes, 6 + 50_000_001 + 10 - 10_000);
      assert.match(result.stdout, /^first\nx+\[… 49990017 bytes left out …\]x+\nscore: 42\n$/);
      assert.equal(result.stdout.replace(/\[.*\]/, '').length, 10_000);
    });

    it('takes a gigabyte without holding it', async () => {
      let most = 0;
      const before = process.memoryUsage().rss;
      const result = await sh('echo first; head -c 1000000000 /dev/zero; echo; echo score: 42', { pipes, timeoutMs: 120_000, onOutput: () => { most = Math.max(most, process.memoryUsage.rss()); } });
      assert.equal(result.droppedBytes, 6 + 1_000_000_001 + 10 - 2 ** 20);
      assert.ok(result.stdout.startsWith('first\n') && result.stdout.endsWith('\nscore: 42\n'));
      assert.ok(most - before < 250 * 2 ** 20, `${String(Math.round((most - before) / 2 ** 20))} MB more`);
    }).timeout(130_000);

    it('gives all of a large output when the command ends with it unread', async () => {
      const lines = 20_000;
      const result = await sh(`seq ${String(lines)}; sleep 300 & echo score: 42`, { pipes });
      assert.equal(result.stdout, `${Array.from({ length: lines }, (_, index) => `${String(index + 1)}\n`).join('')}score: 42\n`);
    });

    it('tells output as it comes, without tearing characters', async () => {
      const told: string[] = [];
      await sh("printf '\\303'; sleep 0.1; printf '\\244'; echo >&2 late; printf '\\303'", { pipes, onOutput: (text, stream) => { told.push(`${stream} ${text}`); } });
      assert.deepEqual(told.filter((line) => line.startsWith('stdout')), ['stdout ä', 'stdout \uFFFD']);
      assert.deepEqual(told.filter((line) => line.startsWith('stderr')), ['stderr late\n']);
    });
  });

  describe('what cannot be started', () => {
    const cases: readonly (readonly [string, RegExp, () => ReturnType<typeof run>])[] = [
      ['a missing program', /^The program no-such-program was not found/, () => run('no-such-program', [])],
      ['a missing file', /^The program \.\/none was not found/, () => run('./none', [])],
      ['a file that is not executable', /^The program \.\/plain may not be executed: make it executable/, () => {
        writeFileSync(join(folder, 'plain'), 'echo hi\n');
        return run('./plain', []);
      }],
      ['a folder', /^\.\/sub is a folder, not a program/, () => {
        mkdirSync(join(folder, 'sub'));
        return run('./sub', []);
      }],
      ['a missing interpreter', /^The interpreter that the first line of \.\/script names was not found/, () => {
        writeFileSync(join(folder, 'script'), '#!/no/such/interpreter\n');
        chmodSync(join(folder, 'script'), 0o755);
        return run('./script', []);
      }],
      ['a missing folder', /^The folder to run in does not exist: /, () => run('sh', ['-c', 'true'], {}, join(folder, 'gone'))],
      ['a file as the folder', /^The place to run in is not a folder: /, () => {
        writeFileSync(join(folder, 'plain'), '');
        return run('sh', ['-c', 'true'], {}, join(folder, 'plain'));
      }],
      ['an argument that is too long', /too long for the system/, () => run('true', ['x'.repeat(4_000_000)])],
      ['an argument with a zero byte', /^The program true could not be started: /, () => run('true', ['a\0b'])],
    ];
    for (const [what, sentence, start] of cases) {
      it(`says so of ${what}`, async () => {
        const result = await start();
        assert.deepEqual([result.end, result.exitCode, result.durationMs], ['not-started', null, 0]);
        assert.match(result.startError ?? '', sentence);
      });
    }

    it('runs an executable script without a first line, as a shell does', async () => {
      writeFileSync(join(folder, 'script'), 'echo score: 42\n', { mode: 0o755 });
      assert.equal((await run('./script', [])).stdout, 'score: 42\n');
    });
  });

  it('costs less than 5 ms over a bare start, among many processes', async () => {
    const others = Array.from({ length: 120 }, () => spawn('sleep', ['300'], { stdio: 'ignore' }));
    const gone = Promise.all(others.map((other) => once(other, 'exit')));
    const bare = async (): Promise<number> => {
      const startMs = performance.now();
      await once(spawn('true', [], { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
      return performance.now() - startMs;
    };
    const ours = async (): Promise<number> => {
      const startMs = performance.now();
      await execute({ file: 'true', args: [], cwd: folder, env: { PATH: process.env['PATH'] ?? '' } }, { timeoutMs: 5_000, signal: new AbortController().signal, mark: randomUUID(), pipes: pool });
      return performance.now() - startMs;
    };
    const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
    try {
      // The machine may be busy with something else: the best of three tries counts, and as much as a bare start takes is always allowed.
      const tries: { readonly bare: number; readonly over: number }[] = [];
      for (let round = 0; round < 3; round += 1) {
        const pairs: { readonly bare: number; readonly ours: number }[] = [];
        for (let pair = 0; pair < 25; pair += 1) pairs.push({ bare: await bare(), ours: await ours() });
        const usual = median(pairs.map((pair) => pair.bare));
        tries.push({ bare: usual, over: median(pairs.map((pair) => pair.ours)) - usual });
      }
      assert.ok(tries.some(({ bare: usual, over }) => over <= Math.max(5, usual)), JSON.stringify(tries));
    } finally {
      for (const other of others) other.kill('SIGKILL');
      await gone;
    }
  });
});
