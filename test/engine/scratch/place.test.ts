import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HERE } from '../../../src/engine/claim.ts';
import { newSlotFolder, slotBase, sweepSlots } from '../../../src/engine/scratch/place.ts';
import { Bench } from './support.ts';

describe('the place of slots', () => {
  let bench: Bench;

  beforeEach(() => { bench = new Bench(); });
  afterEach(() => bench.dispose());

  it('is the cache folder of the user', async () => {
    const top = bench.tree('w', { 'target.txt': 'x' });
    const folder = await newSlotFolder(top, { HOME: bench.folder });
    assert.ok(folder.startsWith(join(bench.folder, '.cache/ratchet/slots', `${HERE}-${String(process.pid)}-`)));
    assert.ok(!existsSync(folder));
    const other = await newSlotFolder(top, { HOME: bench.folder, XDG_CACHE_HOME: join(bench.folder, 'xdg') });
    assert.ok(other.startsWith(join(bench.folder, 'xdg/ratchet/slots')));
    assert.notEqual(await newSlotFolder(top, { HOME: bench.folder }), folder);
  });

  it('is swept of the slots of dead engines, and of no other machine\'s but the forgotten ones', async () => {
    const top = bench.tree('w', { 'target.txt': 'x' });
    const base = await slotBase(top, { HOME: bench.folder });
    const { pid: dead } = spawnSync('true');
    const elsewhere = HERE.replaceAll(/./g, 'e');
    const hour = new Date(Date.now() - 3_600_000);
    const names = { own: `${HERE}-${process.pid}-${'0'.repeat(12)}`, dead: `${HERE}-${dead}-${'1'.repeat(12)}`, theirs: `${elsewhere}-${dead}-${'2'.repeat(12)}`, forgotten: `${elsewhere}-${process.pid}-${'3'.repeat(12)}` };
    for (const name of Object.values(names)) mkdirSync(join(base, name));
    for (const name of [names.own, names.dead, names.forgotten]) utimesSync(join(base, name), hour, hour);
    await sweepSlots(base);
    assert.deepEqual(readdirSync(base).sort(), [names.own, names.theirs].sort());
  });

  it('is elsewhere where that lies in the workspace or can not be written', async () => {
    bench.tree('.', { 'target.txt': 'x' });
    const whenHome = await newSlotFolder(bench.folder, { HOME: bench.folder });
    assert.ok(!whenHome.startsWith(`${bench.folder}/`));
    assert.ok(!existsSync(join(bench.folder, '.cache')), 'nothing was made in the workspace');
    writeFileSync(join(bench.folder, 'file'), '');
    const top = bench.tree('w', { 'target.txt': 'x' });
    assert.ok(!(await newSlotFolder(top, { HOME: join(bench.folder, 'file') })).includes(bench.folder));
  });
});
