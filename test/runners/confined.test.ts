/** The real runners in a confined slot: each must work without a question. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfinementProbe } from '../../src/engine/confine/probe.ts';
import { type Bench, KINDS, commitAll } from '../engine/scratch/support.ts';
import { confinedSlot, useConfinedBench, type ConfinedSlot } from '../engine/confine/bench.ts';
import { npmRunners, pythonWithPytest, skipped } from './install.ts';

const OWN = join(import.meta.dirname, '..', '..', 'node_modules');
const SLUG = "export const slug = (title) => title.toLowerCase().match(/[a-z0-9]+/g).join('-');\n";
const WORDS = "import { slug } from './slug.js';\n";
const FILES = {
  '.gitignore': 'node_modules\n.venv\n',
  'package.json': '{"type": "module", "jest": {"transform": {}, "testMatch": ["**/slug.jest.cjs"]}}',
  'target.txt': 'start', 'slug.js': SLUG,
  'score.mjs': `${WORDS}console.log('score: ' + (slug('Hello World') === 'hello-world' ? 100 : 0));\n`,
  'slug.node.mjs': `import assert from 'node:assert';\nimport test from 'node:test';\n${WORDS}test('words', () => assert.equal(slug('Hello World'), 'hello-world'));\n`,
  'slug.test.mjs': `import { expect, test } from 'vitest';\n${WORDS}test('words', () => expect(slug('Hello World')).toBe('hello-world'));\n`,
  'slug.mocha.mjs': `import assert from 'node:assert';\n${WORDS}it('words', () => assert.equal(slug('Hello World'), 'hello-world'));\n`,
  'slug.jest.cjs': "const slug = require('./jested.cjs');\ntest('words', () => expect(slug('A')).toBe('a'));\n", 'jested.cjs': 'module.exports = (title) => title.toLowerCase();\n',
  'tsconfig.json': '{"compilerOptions": {"outDir": "built", "rootDir": "ts", "types": [], "module": "nodenext", "target": "es2022"}, "include": ["ts"]}',
  'ts/app.ts': 'export const words: readonly string[] = ["a"];\nconsole.log(`score: ${words.length}`);\n',
  'slug.py': 'def slug(title):\n    return title.strip().lower().replace(" ", "-")\n',
  'test_slug.py': 'from slug import slug\n\n\ndef test_words(tmp_path):\n    (tmp_path / "a").write_text("x")\n    assert slug("Hello World") == "hello-world"\n',
  'score.py': 'import json, multiprocessing, os, ssl, sqlite3, tempfile, threading\nfrom slug import slug\nwith tempfile.TemporaryFile() as f:\n    f.write(b"x")\nwith multiprocessing.Pool(2) as pool:\n    print("score:", sum(pool.map(len, ["a", "b"])))\n',
};

for (const kind of KINDS) describe(`real runners in a confined slot of kind ${kind}`, function () {
  this.timeout(300_000);
  let bench: Bench;
  let probe: ConfinementProbe;
  let runners = '';
  let python: string | undefined;
  useConfinedBench(kind, (given, how) => { [bench, probe] = [given, how]; });
  before(async () => {
    runners = await npmRunners();
    python = await pythonWithPytest();
  });

  async function open(command: string, venvOf?: string, target = 'target.txt'): Promise<ConfinedSlot> {
    const top = bench.tree('project', FILES);
    // The packages themselves lie in the tests' cache, as after `npm link`.
    bench.tree('project/node_modules', Object.fromEntries(['vitest', 'jest', 'vite', 'mocha', 'typescript'].flatMap((name) => {
      const from = [join(runners, 'node_modules', name), join(OWN, name)].find((path) => existsSync(path));
      return from === undefined ? [] : [[name, { link: from }] as const];
    })));
    commitAll(top);
    if (venvOf !== undefined) execFileSync(venvOf, ['-m', 'venv', '--without-pip', join(top, '.venv')], { stdio: 'pipe' });
    return confinedSlot(bench, kind, probe, { root: top, top, target: join(top, target) }, { command });
  }

  const CASES: readonly (readonly [name: string, command: string, shows: RegExp])[] = [
    ['a node script', 'node score.mjs', /score: 100/],
    ['node --test', 'node --test --test-reporter=tap slug.node.mjs', /# pass 1/],
    ['vitest', 'node node_modules/vitest/vitest.mjs run --reporter=json', /"numPassedTests":1/],
    ['jest', 'node node_modules/jest/bin/jest.js --json', /"numPassedTests":1/],
    ['mocha', 'node node_modules/mocha/bin/mocha.js slug.mocha.mjs', /1 passing/],
    ['a tsc build', 'node node_modules/typescript/bin/tsc && node built/app.js', /score: 1/],
    ['plain Python', '/usr/bin/python3 score.py', /score: 2/],
  ];
  for (const [name, command, shows] of CASES)
    it(`${name} works`, async () => {
      const { run } = await open(command);
      const { exitCode, stdout, stderr } = await run(['sh', '-c', command]);
      assert.match(stdout, shows, stderr);
      assert.equal(exitCode, 0, stderr);
    });

  const SLUG_PY = 'def slug(title):\n    return title.strip().lower().replace(" ", "-")\n';
  const ANEW: readonly (readonly [name: string, target: string, text: string, command: (python: string) => string, leaves: RegExp | undefined])[] = [
    ['vitest', 'slug.js', SLUG, () => 'node node_modules/vitest/vitest.mjs run', /\.vite/],
    ['jest', 'jested.cjs', 'module.exports = (title) => title.toLowerCase();\n', () => 'node node_modules/jest/bin/jest.js', /jest_/],
    ['mocha', 'slug.js', SLUG, () => 'node node_modules/mocha/bin/mocha.js slug.mocha.mjs', undefined],
    ['node --test', 'slug.js', SLUG, () => 'node --test slug.node.mjs', undefined],
    ['pytest', 'slug.py', SLUG_PY, (given) => `${given} -m pytest -q`, /\.pytest_cache/],
  ];
  for (const [name, target, text, command, leaves] of ANEW)
    it(`${name} measures each candidate anew, with the caches that the start file's run left`, async function () {
      if (name === 'pytest' && python === undefined) return skipped(this, 'no Python with pytest could be brought here');
      const words = command(python ?? '');
      const { run, slot } = await open(words, undefined, target);
      const once = async (candidate: string): Promise<boolean> => {
        await slot.place(candidate);
        const { exitCode, stdout, stderr, end } = await run(['sh', '-c', words]);
        assert.equal(end, 'exited', stderr);
        assert.match(`${stdout}${stderr}`, /slug|words|passed/i);
        return exitCode === 0;
      };
      assert.equal(await once(text), true);
      const kept = await slot.keepCaches();
      if (leaves !== undefined) assert.match(kept.join(' '), leaves);
      // Of the same size and in the same second as far as it goes: what is told from stale by these alone would be stale.
      const broken = text.replace('toLowerCase', 'toUpperCase').replace('lower()', 'upper()');
      assert.equal(broken.length, text.length);
      assert.deepEqual([await once(broken), await once(text), await once(broken)], [false, true, false]);
    });

  it('pytest works', async function () {
    if (python === undefined) return skipped(this, 'no Python with pytest could be brought here');
    const command = `${python} -m pytest -q`;
    const { run } = await open(command);
    const { stdout, stderr } = await run(['sh', '-c', command]);
    assert.match(stdout, /1 passed/, stderr);
  });

  it('a virtual environment of the project works', async () => {
    const { run } = await open('.venv/bin/python score.py', '/usr/bin/python3');
    const { stdout, stderr } = await run(['sh', '-c', '.venv/bin/python score.py']);
    assert.match(stdout, /score: 2/, stderr);
  });
});
