import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../../../src/engine/execute.ts';
import { startGuard, type Guard } from '../../../src/engine/execute/guard.ts';
import { withDefaults } from '../../../src/engine/execute/limits.ts';
import { PipePool } from '../../../src/engine/execute/pipes.ts';
import { readScore } from '../../../src/loop/score.ts';
import { overLimit } from '../../../src/loop/score/over-limit.ts';
import type { ResourceLimits } from '../../../src/records.ts';
import { assertNoSurvivors } from '../../census.ts';

interface ProcessCase {
  readonly id: string;
  readonly title: string;
  readonly input: { readonly lang: 'sh' | 'node'; readonly script: string; readonly budgetMs: number; readonly pidFile?: string; readonly limits?: ResourceLimits };
  /** `gone`: files that the script removes when it is asked to end. */
  readonly expected: { readonly outcome: 'scored' | 'timeout' | 'crash'; readonly score?: number; readonly why?: string; readonly gone?: readonly string[] };
}

const cases = JSON.parse(readFileSync(join(import.meta.dirname, '../../cases/processes.json'), 'utf8')) as readonly ProcessCase[];
const OUTCOMES = { scored: 'scored', timeout: 'timed-out', crash: 'crashed' } as const;

describe('processes from public reports', function () {
  if (process.platform !== 'linux') return;
  this.timeout(150_000);
  const pipes = new PipePool();
  let guard: Guard;
  let folder: string;
  before(() => { guard = startGuard(); });
  after(async () => {
    pipes.dispose();
    await guard.dispose();
  });
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'ratchet-cases-')); });
  afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

  for (const { id, title, input, expected } of cases) it(`${id}: ${title}`, async () => {
    writeFileSync(join(folder, 'script'), input.script);
    const mark = randomUUID();
    const limits = withDefaults(input.limits);
    const result = await execute(
      { file: input.lang === 'sh' ? 'sh' : process.execPath, args: ['script'], cwd: folder, env: { PATH: process.env['PATH'] ?? '', CASE: folder } },
      { timeoutMs: input.budgetMs, signal: new AbortController().signal, mark, guard, pipes, limits },
    );
    const pids = input.pidFile === undefined ? [] : readFileSync(join(folder, input.pidFile), 'utf8').split('\n').filter((line) => line !== '').map(Number);
    if (input.pidFile !== undefined) assert.ok(pids.length > 0, 'the script got nowhere');
    assert.deepEqual(result.survivors, []);
    await assertNoSurvivors([mark, `CASE=${folder}`, ...pids]);

    const { stdout, stderr, exitCode, end } = result;
    const reading = readScore({ stdout, stderr, exitCode, end, ...(result.exceeded === undefined ? {} : { overLimit: overLimit(result.exceeded, limits) }) }, { name: 'score', direction: 'higher' });
    assert.deepEqual([reading.outcome, reading.score], [OUTCOMES[expected.outcome], expected.score], reading.why);
    if (expected.why !== undefined) assert.equal(reading.why, expected.why);
    for (const name of expected.gone ?? []) assert.equal(existsSync(join(folder, name)), false, name);
  });
});
