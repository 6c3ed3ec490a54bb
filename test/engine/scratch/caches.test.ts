import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createSlot } from '../../../src/engine/scratch/create.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import type { ConfinementProbe } from '../../../src/engine/confine/probe.ts';
import { confinedSlot, useConfinedBench } from '../confine/bench.ts';
import { type Bench, KINDS, NEVER, commitAll, fingerprint, useBench } from './support.ts';

const FILES = {
  '.gitignore': 'node_modules\n__pycache__\n.pytest_cache\nmine\n', 'pkg/target.py': 'A = 0\n', 'pkg/helper.py': 'B = 1\n',
  '.pytest_cache/stale': 'stale', 'pkg/__pycache__/helper.cpython-311.pyc': 'stale', 'node_modules/dep/index.js': 'x', 'node_modules/.vite/deps/stale.js': 'stale',
};

/** What a start file's run leaves, and how a run sees it. */
const FILL = [
  'mkdir -p .pytest_cache/v pkg/__pycache__ node_modules/.vite/deps mine/deep new/.vite', 'echo start | tee .pytest_cache/v/last pkg/__pycache__/helper.cpython-311.pyc pkg/__pycache__/target.cpython-311.pyc',
  'echo start | tee pkg/__pycache__/made.cpython-311.pyc node_modules/.vite/deps/react.js mine/deep/a.bin mine/b.bin new/.vite/x left.txt out.tsbuildinfo',
].join(' && ');
const LOOK = 'for at in .pytest_cache pkg/__pycache__ node_modules/.vite mine new; do find $at -type f 2>/dev/null; done | sort | xargs grep -H .; ls left.txt out.tsbuildinfo 2>/dev/null; echo .';
const SPOIL = 'echo mine > .pytest_cache/v/last; echo more > .pytest_cache/more; rm -r mine/deep new; echo x > mine/b.bin; rm pkg/__pycache__/*; echo x > node_modules/.vite/deps/vue.js; echo evil > node_modules/.vite/deps/react.js';

for (const kind of KINDS) {
  describe(`caches in a slot of kind ${kind}`, function () {
    this.timeout(60_000);
    let bench: Bench;
    useBench(kind, (given) => { bench = given; });

    const open = async (carried: readonly string[]): Promise<{ readonly slot: Slot; readonly top: string }> => {
      const top = bench.tree('w', FILES);
      commitAll(top);
      const slot = bench.keep(await createSlot({ root: top, top, target: join(top, 'pkg/target.py'), carried }, await bench.probe(top, kind), bench.slotFolder, NEVER));
      return { slot, top };
    };

    it('are for each run as the start file\'s run left them, whatever runs in between wrote', async () => {
      const { slot, top } = await open(['mine']);
      const before = fingerprint(top);
      await slot.place('A = 0\n');
      assert.equal((await bench.sh(slot, top, FILL)).exitCode, 0);
      const kept = await slot.keepCaches();
      assert.deepEqual([...kept].sort(), ['.pytest_cache', 'mine', 'new/.vite', 'node_modules/.vite', 'pkg/__pycache__/helper.cpython-311.pyc']);
      const seen: string[] = [];
      for (const text of ['A = 1\n', 'A = 2\n']) {
        await slot.place(text);
        assert.deepEqual(await slot.changed(), []);
        seen.push((await bench.sh(slot, top, LOOK)).stdout);
        assert.equal((await bench.sh(slot, top, SPOIL)).exitCode, 0);
        const changed = await slot.changed();
        assert.ok(changed.some((path) => path.startsWith('mine')));
        assert.deepEqual(changed.filter((path) => slot.showed(path)), [], 'what a run does to a cache is no change of the person\'s files');
      }
      const own = seen[0]?.split('\n').filter((line) => !line.includes('stale'));
      assert.deepEqual(own, [
        '.pytest_cache/v/last:start', 'mine/b.bin:start', 'mine/deep/a.bin:start', 'new/.vite/x:start', 'node_modules/.vite/deps/react.js:start',
        'pkg/__pycache__/helper.cpython-311.pyc:start', '.', '',
      ]);
      assert.equal(seen[1], seen[0]);
      assert.equal(fingerprint(top), before);
    });

    it('are gone again when they are dropped', async () => {
      const top = bench.tree('w', { ...FILES, 'mine/had.txt': 'had' });
      commitAll(top);
      const slot = bench.keep(await createSlot({ root: top, top, target: join(top, 'pkg/target.py'), carried: ['mine'] }, await bench.probe(top, kind), bench.slotFolder, NEVER));
      assert.equal(await slot.dropCaches(), false);
      await slot.place('A = 0\n');
      const before = (await bench.sh(slot, top, LOOK)).stdout;
      await bench.sh(slot, top, `${FILL}; echo start > mine/had.txt`);
      await slot.keepCaches();
      await slot.place('A = 0\n');
      assert.match((await bench.sh(slot, top, LOOK)).stdout, /mine\/had\.txt:start/);
      assert.equal(await slot.dropCaches(), true);
      assert.equal(await slot.dropCaches(), false);
      await slot.place('A = 0\n');
      assert.deepEqual(await slot.changed(), []);
      assert.equal((await bench.sh(slot, top, LOOK)).stdout, before);
      await bench.sh(slot, top, 'mkdir -p .pytest_cache; echo again > .pytest_cache/x');
      assert.deepEqual(await slot.keepCaches(), ['.pytest_cache'], 'and can be kept anew');
      await slot.place('A = 0\n');
      assert.equal((await bench.sh(slot, top, 'cat .pytest_cache/x')).stdout, 'again\n');
    });

    it('are gone where nobody kept them, and are kept once', async () => {
      const { slot, top } = await open([]);
      await slot.place('A = 0\n');
      await bench.sh(slot, top, FILL);
      await slot.place('A = 0\n');
      assert.doesNotMatch((await bench.sh(slot, top, LOOK)).stdout, /start/);
      assert.deepEqual(await slot.keepCaches(), []);
      await bench.sh(slot, top, FILL);
      assert.deepEqual(await slot.keepCaches(), []);
      await slot.place('A = 0\n');
      assert.doesNotMatch((await bench.sh(slot, top, LOOK)).stdout, /start/);
    });

    it('may hide what the person has in a place that is carried, as the start file\'s run did', async () => {
      const top = bench.tree('w', { 'target.py': 'A = 0\n', 'tool/state.txt': 'mine', 'tool/gone.txt': 'mine' });
      commitAll(top);
      const slot = bench.keep(await createSlot({ root: top, top, target: join(top, 'target.py'), carried: ['tool/'] }, await bench.probe(top, kind), bench.slotFolder, NEVER));
      await slot.place('A = 0\n');
      await bench.sh(slot, top, 'echo start > tool/state.txt; rm tool/gone.txt');
      await slot.keepCaches();
      await slot.place('A = 1\n');
      assert.equal((await bench.sh(slot, top, 'cat tool/*')).stdout, 'start\n');
      await bench.sh(slot, top, 'echo candidate > tool/state.txt');
      assert.deepEqual((await slot.changed()).filter((path) => slot.showed(path)), ['tool/state.txt'], 'what the person has is watched');
    });
  });

  describe(`tools' caches elsewhere, in a confined slot of kind ${kind}`, function () {
    this.timeout(60_000);
    let bench: Bench;
    let probe: ConfinementProbe;
    useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });

    it('are for each run as the start file\'s run left them, and the person\'s stay as they are', async () => {
      bench.tree('.cache/huggingface/hub', { 'model.bin': 'person' });
      bench.tree('.cache/uv', { 'wheel': 'person' });
      const top = bench.tree('project', { 'target.txt': 'start' });
      commitAll(top);
      const { run, slot } = await confinedSlot(bench, kind, probe, { root: top, top, target: join(top, 'target.txt') });
      const before = fingerprint(join(bench.folder, '.cache'));
      const at = '~/.triton/cache ~/.cache/huggingface/hub ~/.cache/uv /tmp/torchinductor_me /tmp/jest_x';
      const write = (word: string): string => `for at in ${at} ~/other /tmp/other; do mkdir -p $at; echo ${word} > $at/made 2>/dev/null; done; true`;
      const look = `cat ~/.cache/huggingface/hub/model.bin ~/.cache/uv/wheel; for at in ${at}; do cat $at/made 2>/dev/null; done; ls ~/other /tmp/other 2>/dev/null; echo .`;
      await run(['sh', '-c', write('start')]);
      await slot.keepCaches();
      // Where there are no layers the person's own are read alone.
      const carried = 'start\n'.repeat(kind === 'overlay' ? 5 : 3);
      for (const word of ['one', 'two']) {
        await slot.place('candidate\n');
        assert.equal((await run(['sh', '-c', look])).stdout, `personperson${carried}.\n`);
        await run(['sh', '-c', `${write(word)}; rm -f ~/.cache/uv/wheel`]);
      }
      assert.equal(fingerprint(join(bench.folder, '.cache')), before);
    });
  });
}
