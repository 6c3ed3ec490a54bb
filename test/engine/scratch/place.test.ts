import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSlotFolder } from '../../../src/engine/scratch/place.ts';
import { Bench } from './support.ts';

describe('the place of slots', () => {
  let bench: Bench;

  beforeEach(() => { bench = new Bench(); });
  afterEach(() => bench.dispose());

  it('is the cache folder of the user', async () => {
    const top = bench.tree('w', { 'target.txt': 'x' });
    const folder = await newSlotFolder(top, { HOME: bench.folder });
    assert.ok(folder.startsWith(join(bench.folder, '.cache/ratchet/slots', `${String(process.pid)}-`)));
    assert.ok(!existsSync(folder));
    const other = await newSlotFolder(top, { HOME: bench.folder, XDG_CACHE_HOME: join(bench.folder, 'xdg') });
    assert.ok(other.startsWith(join(bench.folder, 'xdg/ratchet/slots')));
    assert.notEqual(await newSlotFolder(top, { HOME: bench.folder }), folder);
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
