import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOffers } from '../../../src/engine/start/offers.ts';
import { reportOf } from '../../../src/loop/score.ts';
import { Workspace } from './workspace.ts';

const SHARE = '; I read `score`, the share of tests that pass, in %, higher is better';
const JUNIT = '--reporter=junit --outputFile=ratchet-tests.xml || test -s ratchet-tests.xml';

describe('findOffers', () => {
  let at: Workspace;
  beforeEach(() => {
    at = new Workspace();
  });
  afterEach(() => at.dispose());

  describe('score scripts', () => {
    it('come first: of the file\'s name, then plain, then others\'; the nearest first', async () => {
      at.write({
        'package.json': '{"scripts": {"score": "node other.mjs --all"}}',
        'src/slug.js': 'export const slug = 1;',
        'src/slug.score.mjs': 'export default () => 1;',
        'src/other.score.mjs': 'console.log(1)',
        'score.py': 'print("score: 1")\n',
        'bench/score.ts': 'console.log("score: 1")',
        'src/deep/down/score.mjs': 'export default () => 1;',
      });
      assert.deepEqual(await at.shown('src/slug.js'), [
        '$ src/slug.score.mjs # slug.score.mjs lies beside the file',
        '$ score.py # score.py lies in the root',
        '$ bench/score.ts # score.ts lies in bench',
        '$ src/other.score.mjs # other.score.mjs lies beside the file',
        '$ node other.mjs --all # package.json has the script `score`',
      ]);
      assert.deepEqual((await at.offers('src/slug.js')).map(({ metric }) => metric?.name), Array(5).fill('score'));
    });

    it('are only such files as give a number', async () => {
      at.write({
        't.py': 'x = 1\n', 'score.py': 'class Score:\n    stdout = 1\n', 'score.js': 'export class Score { all = run.stdout; }', 'score.json': '{"score": 1}',
        'score.d.ts': 'export default 1;', 'score.test.mjs': 'console.log(1)', 'score.rb': 'puts "score: 1"\n', 'scores.py': 'print(1)\n', 'score.md': '',
      });
      chmodSync(join(at.root, 'score.md'), 0o755);
      assert.deepEqual(await at.shown('t.py'), []);
    });

    it('run by the shell that they name, where the system would not start them', async () => {
      at.write({ 't.txt': 'x', 'score.sh': '#!/bin/bash\necho "score: 7"\n', 'lib/score.rb': '', 'score.rb': '#!/usr/bin/env ruby\n', 'tools/score.sh': 'echo "score: 8"\n' }).executable('score.rb');
      assert.deepEqual(await at.shown('t.txt'), [
        '$ score.rb # score.rb lies beside the file', '$ bash score.sh # score.sh lies beside the file', '$ sh tools/score.sh # score.sh lies in tools',
      ]);
      const [, bash, sh] = await at.offers('t.txt');
      assert.ok(bash && sh);
      assert.deepEqual([(await at.score(bash, 't.txt')).score, (await at.score(sh, 't.txt')).score], [7, 8]);
      at.executable('score.sh');
      const direct = (await at.offers('t.txt'))[1];
      assert.ok(direct);
      assert.deepEqual([direct.scorer, (await at.score(direct, 't.txt')).score], ['score.sh', 7]);
    });

    it('run in the nearest package\'s folder, as they are offered', async () => {
      at.write({
        'package.json': '{}', 'score.mjs': 'console.log("score: 1")', 'packages/a/package.json': '{"type": "module"}', 'packages/a/src/t.js': 'export const n = 40;',
        'packages/a/my tools/x.txt': '', 'packages/a/src/t.score.js': 'import { n } from "./t.js";\nimport { basename } from "node:path";\nconsole.log(basename(process.cwd()));\nconsole.log("score:", n);',
      });
      const [own, roots] = await at.offers('packages/a/src/t.js');
      assert.ok(own && roots);
      assert.deepEqual([own.scorer, own.folder, roots.scorer, roots.folder], ['src/t.score.js', join(at.root, 'packages/a'), 'score.mjs', at.root]);
      assert.deepEqual([(await at.score(own, 'packages/a/src/t.js')).score, (await at.score(roots, 'packages/a/src/t.js')).score], [40, 1]);
    });

    it('may have a blank in their name', async () => {
      at.write({ 't.js': '', 'my tool/t.score.mjs': 'export default () => 3;' });
      const [offer] = await at.offers('t.js');
      assert.equal(offer?.scorer, "'my tool/t.score.mjs'");
      assert.equal((await at.score(offer, 't.js')).score, 3);
    });
  });

  describe('benchmarks', () => {
    it('that print are offered without a metric, to pick one', async () => {
      at.write({ 'sort.ts': 'export const n = 2;', 'bench.ts': 'import { n } from "./sort.ts";\nconsole.log("sort ms: " + n);', 'benchmarks/sort.bench.mjs': 'export const nothing = 1;' });
      const [offer, ...others] = await at.offers('sort.ts');
      assert.deepEqual([offer, others], [{ scorer: 'bench.ts', folder: at.root, why: 'bench.ts prints numbers: pick one after Try once, and say which way is better' }, []]);
      assert.ok(offer);
      assert.deepEqual((await at.score(offer, 'sort.ts')).candidates, [{ name: 'sort ms', value: 2 }]);
    });

    it('of tinybench and mitata say what is read of them, and in which unit', async () => {
      const tiny = 'import { Bench } from "tinybench";\nimport "./t.js";\nconst b = new Bench();\nb.add("slugify", () => 1);\nawait b.run();\nconsole.table(b.table());\n';
      const mitata = 'import { bench, run } from "mitata";\nimport "./t.js";\nbench("one", () => 1);\nbench("two", () => 2);\nawait run();\n';
      at.write({ 't.js': '', 't.bench.mjs': tiny, 'bench.mjs': mitata });
      assert.deepEqual(await at.shown('t.js'), []);
      at.write({ 'node_modules/tinybench/package.json': '{}', 'node_modules/mitata/package.json': '{}' });
      assert.deepEqual(await at.shown('t.js'), [
        '$ node t.bench.mjs # I found tinybench; I read `mean` of `slugify`, in ns, lower is better',
        '$ node bench.mjs # I found mitata in bench.mjs; pick one of its times after Try once, in ns, lower is better',
      ]);
      assert.deepEqual((await at.offers('t.js')).map(({ metric }) => metric), [{ name: 'mean', direction: 'lower', unit: 'ns' }, undefined]);
    });

    it('of vitest need a vitest, of the package or hoisted', async () => {
      const bench = 'import { bench } from "vitest";\nimport { slug } from "../slug";\nbench("slug", () => slug("A"));\n';
      at.write({
        'packages/a/package.json': '{"scripts": {"bench": "vitest bench"}}', 'packages/a/slug.ts': 'export const slug = String;', 'packages/a/bench/slug.bench.ts': bench,
        'packages/a/bench/two.bench.ts': `${bench}bench("b", () => {});`,
      });
      assert.deepEqual(await at.shown('packages/a/slug.ts'), []);
      at.binaries('.', 'vitest');
      assert.deepEqual(await at.shown('packages/a/slug.ts'), [
        'packages/a$ ../../node_modules/.bin/vitest bench bench/slug.bench.ts --run --outputJson ratchet-bench.json # I found vitest bench; I read `mean` of `slug`, in ms, lower is better',
        'packages/a$ ../../node_modules/.bin/vitest bench bench/two.bench.ts --run --outputJson ratchet-bench.json # I found vitest bench in two.bench.ts; pick one of its times after Try once, in ms, lower is better',
        'packages/a$ ../../node_modules/.bin/vitest bench --run --outputJson ratchet-bench.json # I found vitest bench in the script `bench`; pick one of its times after Try once, in ms, lower is better',
      ]);
      const [one, two] = await at.offers('packages/a/slug.ts');
      assert.deepEqual([one?.metric, two?.metric], [{ name: 'mean', direction: 'lower', unit: 'ms' }, undefined]);
      assert.equal(reportOf(String(one?.scorer))?.format, 'vitest-bench');
      at.binaries('packages/a', 'vitest');
      assert.match(String((await at.offers('packages/a/slug.ts'))[0]?.scorer), /^node_modules\/\.bin\/vitest /);
    });
  });

  describe('scripts of package.json', () => {
    const line = async (script: string, more: Readonly<Record<string, string>> = {}, name = 'bench'): Promise<unknown> => {
      at.write({ 'package.json': JSON.stringify({ scripts: { [name]: script, ...more } }), 't.js': '' }).binaries('.', 'tsx', 'tsc', 'vitest', 'cross-env', 'jest');
      return (await at.offers('t.js'))[0]?.scorer;
    };

    it('are their own line, with local binaries as paths', async () => {
      for (const [script, scorer] of [
        ['tsx run.ts', 'node_modules/.bin/tsx run.ts'],
        ['npx tsx run.ts', 'node_modules/.bin/tsx run.ts'],
        ['CI=1 tsx "a b.ts" 2>&1 | tail -1', 'CI=1 node_modules/.bin/tsx "a b.ts" 2>&1 | tail -1'],
        ['tsc -p . && node --import tsx run.js > /dev/null', 'node_modules/.bin/tsc -p . && node --import tsx run.js > /dev/null'],
        ['node run.js', 'node run.js'],
        ['hyperfine "node a.js"', 'hyperfine "node a.js" --export-json ratchet-hyperfine.json'],
      ] as const) assert.equal(await line(script), scorer);
      assert.equal(await line('node all.js', {}, 'benchmark'), 'node all.js');
    });

    it('go by npm where npm does more than their line', async () => {
      for (const script of ['cross-env A=1 tsx run.ts', 'cd sub && tsx run.ts', 'tsx $npm_package_main', 'tsx `cat list`', 'tsx "open'])
        assert.equal(await line(script), 'npm run --silent bench', script);
      assert.equal(await line('tsx run.ts', { prebench: 'tsc' }), 'npm run --silent bench');
    });

    it('are not offered where their output is not read', async () => {
      for (const script of ['jest', 'vitest run', 'tsc && npx jest --ci', 'node --test', '', '  ']) assert.equal(await line(script), undefined, script);
      assert.equal(await line('jest', { prebench: 'tsc' }), undefined);
    });

    it('are not offered where they run the target itself, or what is offered already', async () => {
      assert.equal(await line('node ./t.js'), undefined);
      at.write({ 'score.mjs': 'console.log("score: 1")' });
      assert.equal(await line('node ./score.mjs', {}, 'score'), 'score.mjs');
      assert.equal((await at.offers('t.js')).length, 1);
    });

    it('run as they are offered, the nearest package\'s first', async () => {
      at.write({
        'package.json': '{"scripts": {"score": "tsx root.js"}}', 'root.js': '', 'a/package.json': '{"scripts": {"score": "tool 41"}}', 'a/t.js': '',
        'node_modules/.bin/tool': '#!/bin/sh\necho "score: $1"\n',
      }).executable('node_modules/.bin/tool');
      const [own, roots] = await at.offers('a/t.js');
      assert.ok(own && roots);
      assert.deepEqual([own.scorer, own.folder, roots.folder], ['../node_modules/.bin/tool 41', join(at.root, 'a'), at.root]);
      assert.equal((await at.score(own, 'a/t.js')).score, 41);
    });
  });

  describe('tests', () => {
    it('that import the file come before all tests, and are told by their import lines', async () => {
      at.write({
        'package.json': '{"devDependencies": {"vitest": "*"}}', 'src/slug.ts': '', 'src/index.ts': '',
        'src/slug.test.ts': 'import { test } from "vitest";\nimport { slug } from "./slug.js";\ntest("a", () => {});',
        'test/a.test.ts': 'const { slug } = await import(\n"../src/slug");\ntest("a", () => {});',
        'test/alias.spec.tsx': 'import x from "@/lib/slug";\nit("a", () => {});',
        'test/no.test.ts': '// slug is not imported\nimport { slug } from "./slug";\nimport "slug";\ntest("./src/slug", () => {});',
        'test/helper.ts': 'export * from "../src/slug";',
      }).binaries('.', 'vitest');
      assert.deepEqual(await at.shown('src/slug.ts'), [
        `$ node_modules/.bin/vitest run src/slug.test.ts test/a.test.ts test/alias.spec.tsx ${JUNIT} # slug.test.ts and 2 other tests import the file${SHARE}`,
        `$ node_modules/.bin/vitest run ${JUNIT} # package.json lists vitest${SHARE}`,
      ]);
      assert.deepEqual((await at.offers('src/slug.ts'))[0]?.metric, { name: 'score', direction: 'higher', unit: '%' });
    });

    it('run where their runner is configured, with the flags of the test script', async () => {
      at.write({
        'package.json': '{}', 'vitest.config.ts': '', 'a/package.json': '{}', 'a/t.ts': '', 'a/t.test.ts': 'import "vitest"; import "./t"; test("a", () => {})',
      }).binaries('.', 'vitest');
      assert.deepEqual(await at.shown('a/t.ts'), [
        `$ node_modules/.bin/vitest run a/t.test.ts ${JUNIT} # t.test.ts imports the file${SHARE}`,
        `$ node_modules/.bin/vitest run ${JUNIT} # vitest.config.ts configures vitest${SHARE}`,
      ]);
      at.write({ 'package.json': '{"scripts": {"test": "TZ=UTC vitest --config v.ts --reporter dot --coverage unit"}}' });
      assert.deepEqual((await at.offers('a/t.ts')).map(({ scorer }) => scorer), [
        `TZ=UTC node_modules/.bin/vitest run --config v.ts a/t.test.ts ${JUNIT}`, `TZ=UTC node_modules/.bin/vitest run --config v.ts unit ${JUNIT}`,
      ]);
    });

    it('are not offered where the runner is missing, unknown, or writes no report that is read', async () => {
      at.write({
        'package.json': '{"devDependencies": {"vitest": "*", "jest": "*"}}', 't.ts': '', 'v.test.ts': 'import "vitest"; import "./t"; test("a", () => {})',
        'b.test.ts': 'import { test } from "bun:test"; import "./t"; test("a", () => {})', 'j.test.ts': 'import "./t"; test("a", () => {})',
      });
      assert.deepEqual(await at.shown('t.ts'), []);
    });

    it('of Node run for real: the share that passed, and a crash only where none could run', async () => {
      at.write({
        'package.json': '{"scripts": {"test": "node --test"}}', 't.mjs': 'export const n = 1;',
        'test/t.test.mjs': 'import { test } from "node:test";\nimport { n } from "../t.mjs";\ntest("a", () => {});\ntest("b", () => { if (n !== 2) throw new Error("n is " + n); });',
      });
      const [offer, all] = await at.offers('t.mjs');
      assert.ok(offer && all);
      assert.deepEqual([offer.why, all.why], [`t.test.mjs imports the file${SHARE}`, `package.json's script \`test\` runs node:test${SHARE}`]);
      assert.deepEqual([(await at.score(offer, 't.mjs')).score, (await at.score(all, 't.mjs')).score], [50, 50]);
      at.write({ 't.mjs': 'export const n = 2;' });
      assert.equal((await at.score(offer, 't.mjs')).score, 100);
      at.write({ 't.mjs': 'throw new Error("canary");' });
      assert.equal((await at.score(offer, 't.mjs')).score, 0);
      rmSync(join(at.root, 'test'), { recursive: true });
      rmSync(join(at.root, 'ratchet-tests.xml'));
      assert.equal((await at.score(offer, 't.mjs')).outcome, 'crashed');
    });
  });

  describe('pytest', () => {
    const project = { 'pkg/__init__.py': '', 'pkg/slug.py': 'def slug(s):\n    return s.lower()\n', 'tests/test_slug.py': 'from pkg.slug import slug\n\n\ndef test_a():\n    assert slug("A") == "a"\n\n\ndef test_b():\n    assert slug("A B") == "a-b"\n' };
    const ending = '-m pytest -q --junitxml=ratchet-tests.xml';

    it('is the .venv\'s where there is one, and none where that has no pytest', async () => {
      at.write({ ...project, 'app/pyproject.toml': '[tool.pytest.ini_options]\n', 'app/slug.py': '', 'app/tests/test_all.py': 'from slug import (  # all\n    a,\n)\n', '.venv/bin/python': '', '.venv/pyvenv.cfg': '', '.venv/bin/pytest': '' });
      assert.deepEqual(await at.shown('app/slug.py'), [
        `app$ ../.venv/bin/python ${ending} tests/test_all.py || test $? -eq 1 # test_all.py imports the file${SHARE}`,
        `app$ ../.venv/bin/python ${ending} || test $? -eq 1 # pyproject.toml configures pytest${SHARE}`,
      ]);
      rmSync(join(at.root, '.venv/bin/pytest'));
      assert.deepEqual(await at.shown('app/slug.py'), []);
    });

    it('is seen by pytest.ini, setup.cfg, tox.ini, conftest.py and its tests\' names', async () => {
      at.write({ 't.py': '', 'test_other.py': 'import os\n' });
      const why = async (): Promise<readonly string[]> => (await at.offers('t.py')).map((offer) => offer.why.replace(SHARE, ''));
      assert.deepEqual(await why(), ['test_other.py is a test for pytest']);
      at.write({ 'tests/conftest.py': '', 'setup.cfg': '[metadata]\n' });
      assert.deepEqual(await why(), ['conftest.py is there for pytest']);
      at.write({ 'setup.cfg': '[tool:pytest]\n' });
      assert.deepEqual(await why(), ['setup.cfg configures pytest']);
      at.write({ 'tox.ini': '[tox]\n[pytest]\n' });
      assert.deepEqual(await why(), ['tox.ini configures pytest']);
      at.write({ 'pytest.ini': '' });
      assert.deepEqual(await why(), ['pytest.ini configures pytest']);
    });

    it('finds tests by every form of import', async () => {
      const forms = ['import slug', 'import os, pkg.slug as s', 'from pkg import a, slug', 'from .pkg import slug as s', 'from .pkg.slug import x', 'from pkg import (\n    a,  # one\n    slug,\n)', 'def test():\n    from slug import x'];
      at.write({ 'pkg/slug.py': '', ...Object.fromEntries(forms.map((form, index) => [`test_${String(index)}.py`, `${form}\n`])), 'test_no.py': 'import slugs, os.path\nfrom slug2 import slug_it\nfrom other.slug import y\nfrom . import slug\nfrom pkg import *\nx = "import slug"\n' });
      const scorer = String((await at.offers('pkg/slug.py'))[0]?.scorer);
      assert.deepEqual(scorer.match(/test_\w+\.py/g), forms.map((_, index) => `test_${String(index)}.py`));
    });

    const canRun = hasPytest();
    (canRun ? it : it.skip)(`runs for real: the share that passed, and a crash where the file does not load${canRun ? '' : ' (pytest is not installed for python3)'}`, async function () {
      this.timeout(120_000);
      at.write(project);
      const [offer] = await at.offers('pkg/slug.py');
      assert.equal(offer?.scorer, `python3 ${ending} tests/test_slug.py || test $? -eq 1`);
      const reading = await at.score(offer, 'pkg/slug.py');
      assert.deepEqual([reading.score, reading.source, reading.cases.length], [50, 'report', 2]);
      at.write({ 'pkg/slug.py': 'raise RuntimeError("canary")\n' });
      assert.equal((await at.score(offer, 'pkg/slug.py')).outcome, 'crashed');
    });
  });

  describe('whatever lies there', () => {
    it('broken files are passed over, and nothing is written', async () => {
      at.write({
        't.py': '', 'package.json': '{"scripts": {"bench": ', 'pyproject.toml': '[tool.pytest.ini_options\n= =', 'a/package.json': '[1]', 'a/t.js': '',
        'a/b/package.json': '{"scripts": {"bench": 7, "score": null}, "devDependencies": ["vitest"]}', 'a/b/t.js': '', 'a/b/score.js': '\u0000\u0001',
      });
      symlinkSync('loop', join(at.root, 'loop'));
      symlinkSync('..', join(at.root, 'a/up'));
      symlinkSync('/nowhere/score.py', join(at.root, 'score.py'));
      mkdirSync(join(at.root, 'score.mjs'));
      const before = treeOf(at.root);
      for (const target of ['t.py', 'a/t.js', 'a/b/t.js', 'gone/away.js']) assert.deepEqual(await at.shown(target), [], target);
      assert.deepEqual(await findOffers(join(at.root, 'a'), join(at.root, 't.py')), []);
      assert.equal(treeOf(at.root), before);
    });

    it('the target is never its own scorer', async () => {
      at.write({ 'package.json': '{"scripts": {"test": "node --test"}}', 'score.mjs': 'export default () => 1;', 'bench.mjs': 'console.log(1)', 'x.test.mjs': 'import { test } from "node:test"; import "./x.test.mjs"; test("a", () => {})' });
      assert.deepEqual((await at.offers('score.mjs')).map(({ scorer }) => scorer).filter((scorer) => /score\.mjs/.test(String(scorer))), []);
      assert.deepEqual((await at.offers('bench.mjs'))[0]?.scorer, 'score.mjs');
      for (const { scorer } of await at.offers('x.test.mjs')) assert.doesNotMatch(String(scorer), /x\.test\.mjs/);
    });

    it('only a bounded part is read', async () => {
      at.write({ 't.js': '', 'score.mjs': `console.log("score: 1") // ${'x'.repeat(256 * 1024)}`, 'node_modules/x/tests/score.mjs': 'export default () => 1;', '.cache/tests/t.score.mjs': 'export default () => 1;', 'dist/t.score.mjs': 'export default () => 1;' });
      for (let index = 0; index < 2_500; index += 1) writeFileSync(join(at.root, `f${String(index)}.txt`), '');
      mkdirSync(join(at.root, 'deep'));
      at.write({ [`deep/${'d/'.repeat(9)}t.score.mjs`]: 'export default () => 1;' });
      assert.deepEqual(await at.shown('t.js'), []);
    });

    it('nothing twice, at most six, of each kind one before a second, and every report that a command writes is one that is read', async () => {
      const script = 'console.log("score: 1")';
      const test = (runner: string): string => `import "${runner}"; import "./t"; test("a", () => {})`;
      at.write({
        'package.json': '{"scripts": {"test": "node --test", "bench": "tsx b.ts", "benchmark": "tsx b.ts", "score": "tsx s.ts"}, "devDependencies": {"vitest": "*", "mocha": "*", "jest": "*"}}',
        't.ts': '', ...Object.fromEntries(['t.score.mjs', 'score.mjs', 'a.score.mjs', 'b.score.mjs', 'c.score.mjs', 't.bench.mjs', 'bench.mjs', 'a.bench.mjs', 'c.bench.mjs'].map((name) => [name, script])),
        'v.test.ts': test('vitest'), 'm.test.ts': test('mocha'), 'j.test.ts': test('@jest/globals'), 'n.test.ts': test('node:test'),
      }).binaries('.', 'vitest', 'mocha', 'jest', 'tsx');
      const offers = await at.offers('t.ts');
      assert.deepEqual(offers.map(({ scorer }) => String(scorer).replace(/ .*/, '')), ['t.score.mjs', 'score.mjs', 't.bench.mjs', 'node_modules/.bin/tsx', 'node_modules/.bin/jest', 'node_modules/.bin/vitest']);
      assert.equal(new Set(offers.map(({ scorer, folder }) => JSON.stringify([scorer, folder]))).size, 6);
      for (const { scorer } of offers) if (/ratchet-/.test(String(scorer))) assert.ok(reportOf(String(scorer)), String(scorer));
    });
  });
}).timeout(60_000);

function hasPytest(): boolean {
  try {
    execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** One hash over names and texts below a folder. Node's own recursion would follow links, and there are loops of them. */
function treeOf(folder: string): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name);
      hash.update(`${below}\n`);
      if (entry.isDirectory()) add(below);
      else if (entry.isFile()) hash.update(readFileSync(below));
    }
  };
  add(folder);
  return hash.digest('hex');
}
