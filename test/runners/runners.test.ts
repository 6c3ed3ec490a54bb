/** The real runners, started as docs/scorers.md says, and what is read of them: a poor file, a good one, a broken one. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reading } from '../../src/loop/score.ts';
import { score } from '../examples/scoring.ts';
import { hyperfine, npmRunners, pythonWithPytest, ruff, skipped } from './install.ts';

const POOR = "export const slug = (title) => title.trim().toLowerCase().split(' ').join('-');\n";
const GOOD = "export const slug = (title) => title.toLowerCase().match(/[a-z0-9]+/g).join('-');\n";
const BROKEN = 'export const slug = ;\n';
const IMPORT = "import { slug } from './slug.js';\n";
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"type": "module", "ava": {"files": ["slug.ava.mjs"]}, "jest": {"transform": {}, "testMatch": ["**/slug.jest.cjs"]}}',
  'slug.js': POOR,
  'slug.ava.mjs': `import test from 'ava';\n${IMPORT}test('words', (t) => t.is(slug('Hello World'), 'hello-world'));\ntest('signs', (t) => t.is(slug('One -- two!'), 'one-two'));\n`,
  'slug.jest.cjs': "const { readFileSync } = require('node:fs');\nconst slug = eval(readFileSync('slug.js', 'utf8').replace('export const slug =', ''));\ntest('words', () => expect(slug('Hello World')).toBe('hello-world'));\ntest('signs', () => expect(slug('One -- two!')).toBe('one-two'));\n",
  'slug.test.mjs': `import { expect, test } from 'vitest';\n${IMPORT}test('words', () => expect(slug('Hello World')).toBe('hello-world'));\ntest('signs', () => expect(slug('One -- two!')).toBe('one-two'));\n`,
  'slug.node.mjs': `import assert from 'node:assert';\nimport test from 'node:test';\n${IMPORT}test('words', () => assert.equal(slug('Hello World'), 'hello-world'));\ntest('signs', () => { console.log(99); assert.equal(slug('One -- two!'), 'one-two'); });\n`,
  'slug.bench.mjs': `import { bench } from 'vitest';\n${IMPORT}bench('slugify', () => { slug('Hello World'); }, { time: 30 });\n`,
  'tiny.mjs': `import { Bench } from 'tinybench';\n${IMPORT}const bench = new Bench({ time: 30, warmupTime: 5 });\nbench.add('slugify', () => slug('Hello World'));\nawait bench.run();\nconsole.table(bench.table());\n`,
  'mit.mjs': `import { bench, run } from 'mitata';\n${IMPORT}bench('slugify', () => slug('Hello World'));\nawait run(process.argv[2] === 'json' ? { format: { json: { debug: false, samples: false } } } : {});\n`,
  'eslint.config.mjs': "export default [{ rules: { eqeqeq: 'error' } }];\n",
  'lint.js': 'export const same = (a, b) => a == b;\n',
  'slug.py': 'import os\n\n\ndef slug(title):\n    return title.strip().lower().replace(" ", "-")\n',
  'test_slug.py': 'from slug import slug\n\n\ndef test_words():\n    assert slug("Hello World") == "hello-world"\n\n\ndef test_signs():\n    print(99)\n    assert slug("One -- two!") == "one-two"\n',
  'bench_slug.py': 'from slug import slug\n\n\ndef test_slugify(benchmark):\n    assert benchmark.pedantic(slug, ("Hello World",), rounds=20) == "hello-world"\n',
};
const ESLINT = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'eslint');

describe('the real runners', function () {
  this.timeout(300_000);
  let runners = '';
  let folder = '';
  before(async () => { runners = await npmRunners(); });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-runners-'));
    await symlink(join(runners, 'node_modules'), join(folder, 'node_modules'));
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (target: string, scorer: string, metric: string, text?: string): Promise<Reading> => {
    if (text !== undefined) await writeFile(join(folder, target), text);
    return (await score(folder, target, scorer, { name: metric, direction: metric === 'score' ? 'higher' : 'lower' }, 'python3')).reading;
  };
  const named = (cases: Reading['cases']): readonly (readonly [boolean, number])[] => cases.map(({ name, score: points }) => [/words/.test(name), points] as const);

  const tests: readonly (readonly [name: string, scorer: string])[] = [
    ['jest --json', 'node_modules/.bin/jest --json || test $? -eq 1'],
    ['jest --json --outputFile', 'node_modules/.bin/jest --json --outputFile=t.json || test -s t.json'],
    ['vitest --reporter=json', 'node_modules/.bin/vitest run --reporter=json || test $? -eq 1'],
    ['vitest --reporter=json --outputFile', 'node_modules/.bin/vitest run --reporter=json --outputFile=t.json || test -s t.json'],
    ['node --test as TAP', 'node --test --test-reporter=tap slug.node.mjs || test $? -eq 1'],
    ['ava as TAP', 'node_modules/.bin/ava --tap || test $? -eq 1'],
  ];
  for (const [name, scorer] of tests)
    it(`${name}: one of two passed, both, none of a file that does not load`, async () => {
      const poor = await read('slug.js', scorer, 'score');
      assert.deepEqual([poor.score, poor.source, poor.values], [50, 'report', 1], poor.why);
      assert.deepEqual([...named(poor.cases)].sort(), [[false, 0], [true, 100]]);
      assert.equal((await read('slug.js', scorer, 'score', GOOD)).score, 100);
      assert.equal((await read('slug.js', scorer, 'score', BROKEN)).score, 0);
    });

  const benches: readonly (readonly [name: string, scorer: string, spread: boolean])[] = [
    ['vitest bench', 'node_modules/.bin/vitest bench slug.bench.mjs --run --outputJson b.json', true],
    ['tinybench', 'node tiny.mjs', true],
    ['mitata', 'node mit.mjs', false],
    ['mitata, in JSON', 'node mit.mjs json', false],
  ];
  for (const [name, scorer, spread] of benches)
    it(`${name}: a time, and what it claims of its spread`, async () => {
      const reading = await read('slug.js', scorer, 'mean');
      assert.ok(reading.outcome === 'scored' && (reading.score ?? 0) > 0 && reading.source === 'report', reading.why);
      assert.equal('mean_rme' in reading.metrics, spread);
      assert.equal(reading.metrics['mean:slugify'], reading.score);
      const broken = await read('slug.js', scorer, 'mean', BROKEN);
      assert.equal(broken.score, undefined, broken.why);
    });

  it('hyperfine: a time in seconds and its spread', async function () {
    if ((await hyperfine()) === undefined) return skipped(this, 'hyperfine can\'t be installed here');
    const reading = await read('slug.js', "hyperfine -N --runs 3 --export-json h.json 'node slug.js'", 'mean');
    assert.ok((reading.score ?? 0) > 0 && (reading.metrics['mean_rme'] ?? -1) >= 0, reading.why);
  });

  it('ESLint: findings, and no number of a file without syntax', async () => {
    const scorer = `${ESLINT} -f json lint.js || test $? -eq 1`;
    assert.deepEqual([(await read('lint.js', scorer, 'findings')).score, (await read('lint.js', scorer, 'findings', 'export const one = 1;\n')).score], [1, 0]);
    assert.equal((await read('lint.js', scorer, 'findings', '// eslint-disable-next-line eqeqeq\nexport const same = (a, b) => a == b;\n')).score, 1);
    assert.match((await read('lint.js', scorer, 'findings', BROKEN)).why, /could not read lint\.js/);
  });

  it('ruff: findings, and no number of a file without syntax', async function () {
    const program = await ruff();
    if (program === undefined) return skipped(this, 'ruff can\'t be installed here');
    const scorer = `${program} check --isolated --ignore-noqa --output-format json slug.py || test $? -eq 1`;
    assert.deepEqual([(await read('slug.py', scorer, 'findings')).score, (await read('slug.py', scorer, 'findings', 'ONE = 1\n')).score], [1, 0]);
    assert.match((await read('slug.py', scorer, 'findings', 'def (:\n')).why, /could not read slug\.py/);
  });

  it('pytest: its closing line, one of two passed, and none of a file that does not load', async function () {
    const python = await pythonWithPytest();
    if (python === undefined) return skipped(this, 'pytest and pytest-benchmark can\'t be installed here');
    const scorer = `${python} -m pytest -q -rap test_slug.py || test $? -eq 1`;
    const poor = await read('slug.py', scorer, 'score');
    assert.deepEqual([poor.score, poor.values, poor.cases.length], [50, 1, 2], poor.why);
    // 2 is pytest's own word for tests that could not be collected.
    assert.equal((await read('slug.py', scorer, 'score', 'def (:\n')).outcome, 'crashed');
  });

  it('pytest-benchmark: a time in seconds and its spread', async function () {
    const python = await pythonWithPytest();
    if (python === undefined) return skipped(this, 'pytest and pytest-benchmark can\'t be installed here');
    const reading = await read('slug.py', `${python} -m pytest -q bench_slug.py --benchmark-json=b.json`, 'mean');
    assert.ok((reading.score ?? 0) > 0 && (reading.score ?? 1) < 0.01 && 'mean_rme' in reading.metrics, reading.why);
  });
});
