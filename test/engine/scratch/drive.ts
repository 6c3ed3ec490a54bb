// A process of its own for tests that need one: `probe TOP` prints what can be here; `hold TARGET` starts a family in a slot and waits to be killed.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createSlot, probeScratch } from '../../../src/engine/scratch/create.ts';
import { newSlotFolder } from '../../../src/engine/scratch/place.ts';

const { signal } = new AbortController();
const [what, path = ''] = process.argv.slice(2);
const top = what === 'probe' ? path : dirname(path);
const probe = await probeScratch(top, process.env, signal);
if (what === 'probe') {
  process.stdout.write(JSON.stringify({ kind: probe.kind, how: probe.how }));
} else {
  const slot = await createSlot({ root: top, top, target: path }, probe, await newSlotFolder(top, process.env), signal);
  await slot.place('candidate');
  // One in the group, one that left group, session and environment.
  const script = 'setsid env -i STRAY=$0 sh -c "echo born; exec sleep 4712" & sleep 4712 & cat target.txt; echo; wait';
  const command = slot.enter({ file: 'sh', args: ['-c', script, path], cwd: top, env: { PATH: '/usr/bin:/bin', STRAY: path } });
  spawn(command.file, command.args, { cwd: command.cwd, env: command.env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
}
