// Overhead per attempt: wall time less the proposer and less a bare run of the scorer, over 1,000 attempts on a 500-line
// target in a workspace of 1,000 files, read off the ledger's own times. Entering the slot counts as overhead.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEvent } from '../src/records.ts';
import { median, quantile } from './figures.ts';

const ATTEMPTS = 1000;
const CLI = join(import.meta.dirname, '../dist/cli.js');
/** A scorer that costs little and depends on every byte of the target. */
const SCORER = 'echo "score: $(( $(cksum < target.py | cut -d" " -f1) % 90 ))"';

const folder = await mkdtemp(join(tmpdir(), 'ratchet-bench-'));
try {
  await fill(folder);
  const bare = Array.from({ length: 100 }, () => {
    const startMs = performance.now();
    spawnSync('sh', ['-c', SCORER], { cwd: folder });
    return performance.now() - startMs;
  });
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'run', 'target.py', '--score', SCORER, '--proposer', 'literals', '--attempts', String(ATTEMPTS), '--json'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  const events = stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as LedgerEvent);
  const bareMs = median(bare);
  const rows = overheads(events, bareMs);
  if (rows.length < ATTEMPTS * 0.9) throw new Error(`Only ${rows.length} attempts were measured.\n${stderr}`);
  const around = (from: number, to: number): number => median(rows.slice(from, to).map((row) => row.overheadMs));
  const scorer = rows.map((row) => row.scorerMs);
  const all = rows.map((row) => row.overheadMs);
  const opened = events.find((event) => event.type === 'scratch-opened');
  console.log(`scratch: ${opened?.scratch ?? '?'}; ${rows.length} attempts; 500-line target, 1,000 files`);
  console.log(`overhead per attempt   median ${median(all).toFixed(1)} ms   90 % ${quantile(all, 0.9).toFixed(1)} ms   (goal: median ≤ 60 ms)`);
  console.log(`attempts 80–120        median ${around(80, 120).toFixed(1)} ms`);
  console.log(`attempts 960–1000      median ${around(960, 1000).toFixed(1)} ms   ratio ${(around(960, 1000) / around(80, 120)).toFixed(2)} (goal: ≤ 1.2)`);
  console.log(`scorer inside          median ${median(scorer).toFixed(1)} ms   bare spawn ${bareMs.toFixed(1)} ms`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Row {
  readonly overheadMs: number;
  readonly scorerMs: number;
}

/** One row for each attempt that was measured, from the times of the verdicts. */
function overheads(events: readonly LedgerEvent[], bareMs: number): readonly Row[] {
  const rows: Row[] = [];
  let lastMs: number | undefined;
  let proposerMs = 0;
  let scorerMs = 0;
  let runs = 0;
  for (const event of events) {
    if (event.type === 'proposed') proposerMs = event.durationMs;
    if (event.type === 'measured') {
      scorerMs = event.durationMs;
      runs++;
    }
    if (event.type !== 'judged') continue;
    const nowMs = Date.parse(event.at);
    // What looks better is run several times: the overhead is that of one run.
    if (lastMs !== undefined && runs > 0) rows.push({ overheadMs: (nowMs - lastMs - proposerMs) / runs - bareMs, scorerMs });
    lastMs = nowMs;
    runs = 0;
  }
  return rows;
}

async function fill(top: string): Promise<void> {
  const lines = Array.from({ length: 500 }, (_, index) => (index % 5 === 0 ? `VALUE_${index} = ${index + 10}` : `# line ${index} of a file that has some length to it`));
  await writeFile(join(top, 'target.py'), `${lines.join('\n')}\n`);
  for (let index = 0; index < 1000; index++) {
    const below = join(top, `part${index % 20}`);
    await mkdir(below, { recursive: true });
    await writeFile(join(below, `file${index}.txt`), `${index}\n`.repeat(50));
  }
  spawnSync('git', ['init', '-q'], { cwd: top });
}
