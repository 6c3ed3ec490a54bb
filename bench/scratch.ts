// The private view of a workspace: what making it costs, and putting it back between attempts. For 10,000 files, by size, for both kinds.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../src/engine/execute.ts';
import { createSlot, probeScratch } from '../src/engine/scratch/create.ts';
import { newSlotFolder } from '../src/engine/scratch/place.ts';
import { median, quantile } from './figures.ts';

const ROUNDS = 21;
const { signal } = new AbortController();
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: process.env['HOME'] ?? '/' };

/** Workspaces: so many files of code, and bytes of data in files of 8 MB beside them. */
const SIZES = [
  { files: 1_000, dataMb: 0 },
  { files: 10_000, dataMb: 0 },
  { files: 10_000, dataMb: 1_000 },
  { files: 30_000, dataMb: 0 },
];

for (const { files, dataMb } of SIZES) {
  const top = await mkdtemp(join(tmpdir(), 'ratchet-bench-'));
  try {
    await fill(top, files, dataMb);
    const layers = await probeScratch(top, env, signal);
    for (const scratch of [layers, { kind: 'copy', how: '' } as const]) {
      const startMs = performance.now();
      const slot = await createSlot({ root: top, top, target: join(top, 'target.py') }, scratch, await newSlotFolder(top, env), signal);
      const madeMs = performance.now() - startMs;
      // What was written by making it is on the disk before the resets are timed.
      spawnSync('sync');
      const resets: number[] = [];
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const resetMs = performance.now();
          await slot.place(`A = ${round}\n`);
          resets.push(performance.now() - resetMs);
          // Each run leaves something to put back, changed, made and deleted.
          await execute(slot.enter({ file: 'sh', args: ['-c', 'for i in 1 2 3 4 5 6 7 8 9; do echo x > part$i/file$i.txt; echo x > new$i; done; rm -r part10'], cwd: slot.inside(top), env }), { timeoutMs: 60_000, signal, mark: `bench-${round}` });
        }
      } finally {
        await slot.dispose();
      }
      console.log(`${slot.kind.padEnd(8)} ${String(files).padStart(6)} files, ${String(dataMb).padStart(4)} MB of data: made in ${(madeMs / 1000).toFixed(2)} s; put back in ${median(resets).toFixed(1)} ms (90 %: ${quantile(resets, 0.9).toFixed(1)})`);
    }
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

async function fill(top: string, files: number, dataMb: number): Promise<void> {
  for (let part = 0; part < 200; part++) await mkdir(join(top, `part${part}`));
  for (let index = 0; index < files; index++) await writeFile(join(top, `part${index % 200}`, `file${index}.txt`), `${index}\n`.repeat(50));
  await mkdir(join(top, 'large'));
  const bytes = Buffer.alloc(8 * 2 ** 20, 'data');
  for (let index = 0; index < dataMb / 8; index++) await writeFile(join(top, 'large', `${index}.bin`), bytes);
  await writeFile(join(top, 'target.py'), 'A = 1\n');
  spawnSync('git', ['init', '-q'], { cwd: top });
}
