import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Execution } from '../../../src/engine/execute.ts';
import type { Slot } from '../../../src/engine/scratch/slot.ts';
import { type Bench, KINDS, fingerprint, npmWorkspace, pnpmWorkspace, pythonWorkspace, systemPython, useBench } from './support.ts';

/** A workspace in which the scorer reaches the target through an installation, not by its path. */
interface Case {
  readonly name: string;
  readonly make: (bench: Bench, name?: string) => string | undefined;
  readonly target: string;
  readonly broken: string;
  readonly good: string;
  readonly score: (bench: Bench, slot: Slot, top: string) => Promise<Execution>;
  /** What the scorer wrote beside the target. */
  readonly wrote: readonly string[];
  /** Kinds of slot in which the scorer can't reach the candidate. */
  readonly misses: readonly Slot['kind'][];
}

const CASES: readonly Case[] = [
  {
    name: 'a pnpm workspace whose scorer is in another package',
    make: pnpmWorkspace,
    target: 'packages/math/index.js',
    broken: 'throw new Error("broken");\n',
    good: 'module.exports = () => 42;\n',
    score: (bench, slot, top) => bench.run(slot, join(top, 'packages/score'), process.execPath, 'score.js'),
    wrote: ['packages/score/node_modules/.vite-temp/a.mjs', 'packages/score/report.tmp'],
    misses: [],
  },
  {
    name: 'an npm workspace',
    make: npmWorkspace,
    target: 'packages/math/index.js',
    broken: 'throw new Error("broken");\n',
    good: 'module.exports = () => 42;\n',
    score: (bench, slot, top) => bench.run(slot, top, process.execPath, 'score.js'),
    wrote: ['node_modules/.cache/tool/a'],
    misses: [],
  },
  {
    name: 'a Python package that is installed as editable',
    make: (bench, name) => {
      const python = systemPython();
      return python === undefined ? undefined : pythonWorkspace(bench, python, name);
    },
    target: 'src/ratchet_math/__init__.py',
    broken: 'raise RuntimeError("broken")\n',
    good: 'def value():\n    return 42\n',
    score: (bench, slot, top) => bench.run(slot, top, slot.inside(join(top, '.venv/bin/python')), 'bench/score.py'),
    wrote: [],
    // The path file names the person's folder: no copy elsewhere can change that, so the canary must be asked.
    misses: ['copy'],
  },
];

for (const kind of KINDS) {
  describe(`what is measured, in a slot of kind ${kind}`, function () {
    this.timeout(60_000);
    let bench: Bench;
    useBench(kind, (made) => { bench = made; });

    for (const each of CASES) {
      const misses = each.misses.includes(kind);

      it(`${each.name}: ${misses ? 'measures the wrong file, which the canary must find' : 'a broken candidate crashes, a good one is measured'}`, async function () {
        const top = each.make(bench);
        if (top === undefined) return this.skip();
        const before = fingerprint(top);
        const slot = await bench.slot(join(top, each.target), kind);
        assert.equal(slot.kind, kind);

        await slot.place(each.broken);
        const broken = await each.score(bench, slot, top);
        assert.equal(broken.exitCode === 0, misses, broken.stderr);
        if (!misses) assert.match(broken.stderr, /broken/);

        await slot.place(each.good);
        const good = await each.score(bench, slot, top);
        assert.equal(good.stdout, misses ? 'score: 1 1\n' : 'score: 42 42\n', good.stderr);
        assert.deepEqual((await slot.changed()).filter((path) => !path.includes('__pycache__')), each.wrote);

        await slot.place(each.good);
        assert.deepEqual(await slot.changed(), []);
        await slot.dispose();
        assert.equal(fingerprint(top), before);
      });
    }

    it('reaches the candidate below a path of spaces, commas, colons and the like', async () => {
      const top = pnpmWorkspace(bench, `a b,c:d#e\\f'ü "$HOME"`);
      const before = fingerprint(top);
      const slot = await bench.slot(join(top, 'packages/math/index.js'), kind);
      await slot.place('module.exports = () => 7;\n');
      const { stdout, stderr } = await bench.run(slot, join(top, 'packages/score'), process.execPath, 'score.js');
      assert.equal(stdout, 'score: 7 7\n', stderr);
      assert.equal(fingerprint(top), before);
    });
  });
}
