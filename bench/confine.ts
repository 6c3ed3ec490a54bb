// What confinement adds to a run: the same small command in the same slot, in turns with and without, as root or not.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confinementOf } from '../src/engine/confine/confinement.ts';
import { probeConfinement } from '../src/engine/confine/probe.ts';
import { execute } from '../src/engine/execute.ts';
import { createSlot, probeScratch } from '../src/engine/scratch/create.ts';
import { newSlotFolder } from '../src/engine/scratch/place.ts';
import { median } from './figures.ts';

const ROUNDS = 100;
const { signal } = new AbortController();
const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
const top = await mkdtemp(join(tmpdir(), 'ratchet-bench-'));
try {
  await mkdir(join(top, 'src'));
  await writeFile(join(top, 'src', 'target.py'), 'A = 1\n');
  const layers = await probeScratch(top, env, signal);
  for (const scratch of [layers, { kind: 'copy', how: '' } as const]) {
    const probe = await probeConfinement(scratch, top, env, signal);
    const plan = { scorer: { kind: 'shell', command: 'true' }, cwd: '' } as const;
    const confinement = await confinementOf({ plan, probe, top, root: top, tools: { node: process.execPath, python: 'python3' }, env });
    if (confinement === undefined) {
      console.log(`${scratch.kind}: ${probe.how}`);
      continue;
    }
    const { privately, caches, confined } = confinement;
    const slot = await createSlot({ root: top, top, target: join(top, 'src', 'target.py'), privately, caches }, scratch, await newSlotFolder(top, env), signal);
    const command = { file: 'true', args: [], cwd: slot.inside(top), env };
    const times = { open: [] as number[], confined: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.open.push((await execute(slot.enter(command), { timeoutMs: 60_000, signal, mark: `open-${round}` })).durationMs);
      times.confined.push((await execute(slot.enter(command, confined), { timeoutMs: 60_000, signal, mark: `confined-${round}` })).durationMs);
    }
    await slot.dispose();
    const [open, walled] = [median(times.open), median(times.confined)];
    console.log(`${slot.kind}: a run of \`true\` ${open.toFixed(1)} ms open, ${walled.toFixed(1)} ms confined: ${(walled - open).toFixed(1)} ms more (goal: ≤ 30 ms), ratio ${(walled / open).toFixed(2)}`);
  }
} finally {
  await rm(top, { recursive: true, force: true });
}
