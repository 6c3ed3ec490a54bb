import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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

  it('keeps what only looks like a slot: another name, a link, a file, somebody else\'s folder', async () => {
    const top = bench.tree('w', { 'target.txt': 'x' });
    const base = await slotBase(top, { HOME: bench.folder });
    const { pid: dead } = spawnSync('true');
    const name = (end: string): string => `${HERE}-${dead}-${end}`;
    const mine = bench.tree('mine', { 'a.txt': 'mine' });
    const kept = [name('1'.repeat(11)), name(`${'1'.repeat(12)}-mine`), `x${name('1'.repeat(12))}`, `${HERE}-x${dead}-${'1'.repeat(12)}`, `${HERE.toUpperCase()}G-${dead}-${'1'.repeat(12)}`, 'notes'];
    for (const folder of kept) mkdirSync(join(base, folder));
    symlinkSync(mine, join(base, name('2'.repeat(12))));
    writeFileSync(join(base, name('3'.repeat(12))), 'a file');
    kept.push(name('2'.repeat(12)), name('3'.repeat(12)));
    if (process.getuid?.() === 0) {
      mkdirSync(join(base, name('4'.repeat(12))));
      chownSync(join(base, name('4'.repeat(12))), 65534, 65534);
      kept.push(name('4'.repeat(12)));
    }
    const gone = name('5'.repeat(12));
    mkdirSync(join(base, gone, 's', 'deep'), { recursive: true });
    symlinkSync(mine, join(base, gone, 's', 'link'));
    await sweepSlots(base);
    assert.deepEqual(readdirSync(base).sort(), kept.sort());
    assert.equal(readFileSync(join(mine, 'a.txt'), 'utf8'), 'mine', 'a link in a slot is no way out');
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
