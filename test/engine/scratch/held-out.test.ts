import assert from 'node:assert/strict';
import { chmodSync, existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HumanError } from '../../../src/errors.ts';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import { commitAll, fingerprint, KINDS, NEVER, useBench, type Bench } from './support.ts';

for (const kind of KINDS) {
  describe(`what is held out, in slots of the kind ${kind}`, function () {
    this.timeout(30_000);
    let bench: Bench;
    useBench(kind, (given) => (bench = given));

    const slotOf = async (top: string, heldOut: readonly string[], root = top): Promise<Slot> =>
      createSlot({ root, top, target: join(root, 'f.py'), heldOut }, await bench.probe(top, kind), bench.slotFolder, NEVER);
    const seen = async (slot: Slot, top: string, withHeldOut: boolean): Promise<string> => {
      await slot.place('A = 1\n', withHeldOut);
      return (await bench.sh(slot, top, 'find . -path ./.git -prune -o -type f -print | sort | tr "\\n" " "; cat held/a.txt 2>/dev/null')).stdout.trim();
    };

    it('is absent under its other names, too', async () => {
      const top = bench.tree('w', { 'f.py': 'A = 0\n', 'held/a.txt': 'SECRET', 'open.txt': 'x' });
      linkSync(join(top, 'held', 'a.txt'), join(top, 'copy.txt'));
      linkSync(join(top, 'open.txt'), join(top, 'other.txt'));
      commitAll(top);
      const slot = await slotOf(top, ['held']);
      try {
        assert.equal(await seen(slot, top, false), './f.py ./open.txt ./other.txt');
        assert.equal(await seen(slot, top, true), './copy.txt ./f.py ./held/a.txt ./open.txt ./other.txt SECRET');
      } finally {
        await slot.dispose();
      }
      linkSync(join(top, 'f.py'), join(top, 'held', 'twin.py'));
      await assert.rejects(slotOf(top, ['held']), /is another name of/);
    });

    it('is absent, and there again for the holdout, whatever was written in between', async () => {
      const top = bench.tree('w', { 'f.py': 'A = 0\n', 'held/a.txt': 'SECRET', 'held/deep/b.txt': 'x', 'tests/held_1.py': 'x', 'tests/open.py': 'x' });
      commitAll(top);
      const before = fingerprint(top);
      const slot = await slotOf(top, ['held', 'tests/held_*.py']);
      try {
        assert.equal(await seen(slot, top, false), './f.py ./tests/open.py');
        assert.equal(await seen(slot, top, true), './f.py ./held/a.txt ./held/deep/b.txt ./tests/held_1.py ./tests/open.py SECRET');
        await bench.sh(slot, top, 'echo changed > held/a.txt; rm -r held/deep; touch held/more');
        assert.equal(await seen(slot, top, false), './f.py ./tests/open.py');
        await bench.sh(slot, top, 'mkdir held; echo mine > held/a.txt');
        assert.equal(await seen(slot, top, true), './f.py ./held/a.txt ./held/deep/b.txt ./tests/held_1.py ./tests/open.py SECRET');
        assert.deepEqual((await slot.changed()).filter((path) => slot.showed(path)), []);
        assert.equal(fingerprint(top), before);
      } finally {
        await slot.dispose();
      }
    });

    it('is also a large ignored folder as a whole', async () => {
      const top = bench.tree('w', { 'f.py': 'A = 0\n', '.gitignore': 'data/\n' });
      commitAll(top);
      mkdirSync(join(top, 'data'));
      for (let file = 0; file < 1100; file++) writeFileSync(join(top, 'data', `${file}.txt`), 'x');
      const slot = await slotOf(top, ['data']);
      try {
        const count = async (withHeldOut: boolean): Promise<string> => {
          await slot.place('A = 1\n', withHeldOut);
          return (await bench.sh(slot, top, 'ls data 2>/dev/null | wc -l')).stdout.trim();
        };
        assert.deepEqual([await count(false), await count(true), await count(false)], ['0', '1100', '0']);
        assert.ok(existsSync(join(top, 'data', '7.txt')));
        await assert.rejects(slotOf(top, ['data/7.txt']), (error) => error instanceof HumanError && /files in data, which is shown as a whole/.test(error.message));
      } finally {
        await slot.dispose();
      }
    });

    it('is named from the root, also where that lies deeper than the repository', async () => {
      const top = bench.tree('w', { 'pkg/f.py': 'A = 0\n', 'pkg/held/a.txt': 'SECRET', 'held/a.txt': 'other' });
      commitAll(top);
      const slot = await slotOf(top, ['held'], join(top, 'pkg'));
      try {
        assert.equal(await seen(slot, join(top, 'pkg'), false), './f.py');
        assert.equal(await seen(slot, join(top, 'pkg'), true), './f.py ./held/a.txt SECRET');
      } finally {
        await slot.dispose();
      }
    });

    it('must be there, and can\'t be the target; nothing is left of a slot that wasn\'t made', async () => {
      const top = bench.tree('w', { 'f.py': 'A = 0\n', 'held/a.txt': 'x' });
      chmodSync(top, 0o755);
      const folder = bench.slotFolder;
      await assert.rejects(slotOf(top, ['nowhere/*.txt']), /names nowhere\/\*\.txt, which fits no file here/);
      mkdirSync(join(top, 'empty'));
      await assert.rejects(slotOf(top, ['empty']), /names empty, which fits no file here/);
      await assert.rejects(slotOf(top, ['held', 'nowhere/*.txt']), /names nowhere\/\*\.txt, which fits no file here/, 'others don\'t make up for it');
      await assert.rejects(slotOf(top, ['*.py']), /holds out f\.py, the file that changes/);
      assert.equal(existsSync(folder), false);
    });
  });
}
