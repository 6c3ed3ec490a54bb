import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesBetween, changeWords, inventoryText, readInventory } from '../../../src/loop/inventory.ts';
import { readLive, readShown } from '../../../src/engine/run/inventory.ts';

describe('the inventory of what a scorer is shown', () => {
  let top: string;
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), 'ratchet-inventory-'));
    await mkdir(join(top, 'node_modules/@s/p'), { recursive: true });
    for (const [name, text] of [['a.txt', 'one'], ['b.txt', 'two'], ['program.md', 'be quick'], ['node_modules/@s/p/package.json', '{}'], ['node_modules/.package-lock.json', '{}'], ['weights.bin', 'w']] as const) await writeFile(join(top, name), text);
    await symlink('a.txt', join(top, 'link'));
  });
  afterEach(() => rm(top, { recursive: true, force: true }));

  const shown = () => ({ top, copied: [{ folder: top, files: ['a.txt', 'b.txt', 'link', 'program.md'] }], live: ['node_modules'], large: ['weights.bin'] });
  const files = (known?: Awaited<ReturnType<typeof readShown>>) => readShown(shown(), ['program.md'], known);
  const live = () => readLive(shown(), { python: 'python3', node: process.execPath });
  const later = new Date(Date.now() + 5000);

  it('is read back as it was written', async () => {
    const both = new Map([...await files(), ...await live()]);
    assert.deepEqual(readInventory(inventoryText(both)), new Map([...both].sort(([a], [b]) => (a < b ? -1 : 1))));
    assert.ok(!both.has('program.md'));
    for (const text of ['{', '["a"]\n', '["a",{"kind":"file"}]\n']) assert.equal(readInventory(text), undefined);
  });

  it('tells content from time, and names what is new and gone', async () => {
    const before = await files();
    await utimes(join(top, 'a.txt'), later, later);
    assert.deepEqual(changesBetween(before, await files(before)), []);
    await writeFile(join(top, 'b.txt'), 'TWO');
    await utimes(join(top, 'b.txt'), later, later);
    await rm(join(top, 'link'));
    await symlink('b.txt', join(top, 'link'));
    await rm(join(top, 'a.txt'));
    assert.deepEqual(changesBetween(before, await files(before)), ['a.txt', 'b.txt', 'link']);
  });

  it('reads no file again whose size and time are the same', async () => {
    const entry = { kind: 'file', size: 3, mtimeMs: 1_700_000_000_000, hash: 'known' } as const;
    await utimes(join(top, 'a.txt'), new Date(entry.mtimeMs), new Date(entry.mtimeMs));
    assert.deepEqual((await files(new Map([['a.txt', entry]]))).get('a.txt'), entry);
  });

  it('sees an installation, and no cache', async () => {
    const before = await live();
    await mkdir(join(top, 'node_modules/.cache'));
    await mkdir(join(top, 'node_modules/.vite'));
    assert.deepEqual(changesBetween(before, await live()), []);
    await writeFile(join(top, 'node_modules/.package-lock.json'), '{"p":2}');
    await mkdir(join(top, 'node_modules/@s/q'));
    await writeFile(join(top, 'weights.bin'), 'other');
    assert.deepEqual(changesBetween(before, await live()), ['node_modules/.package-lock.json', 'node_modules/@s/q', 'weights.bin']);
  });

  it('is told in one sentence, however many there are', () => {
    const { why, changed } = changeWords(Array.from({ length: 100 }, (_, index) => `f${index}`));
    assert.match(why, /changed: f0, f1, f2 and 97 more\./);
    assert.equal(changed.length, 20);
  });
});
