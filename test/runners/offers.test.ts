/** What the start page offers for projects of the real runners, used as it is offered: found, chosen, run and read. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ScorerOffer } from '../../src/protocol.ts';
import type { Reading } from '../../src/loop/score.ts';
import { Workspace } from '../engine/start/workspace.ts';
import { hyperfine, npmRunners, pythonWithPytest, ruff, skipped } from './install.ts';

const POOR = "export const slug = (title) => title.trim().toLowerCase().split(' ').join('-');\n";
const GOOD = "export const slug = (title) => title.toLowerCase().match(/[a-z0-9]+/g).join('-');\n";
const IMPORT = "import { slug } from '../slug.js';\n";
/** The project's own node_modules have ESLint. */
const OWN_MODULES = join(import.meta.dirname, '..', '..', 'node_modules');
const SHARE = /; I read `score`, the share of tests that pass, in %, higher is better$/;

describe('offers for the real runners', function () {
  this.timeout(300_000);
  let runners = '';
  let at: Workspace;
  before(async () => { runners = await npmRunners(); });
  beforeEach(() => { at = new Workspace(); });
  afterEach(() => at.dispose());

  const project = (files: Readonly<Record<string, string>>, modules = join(runners, 'node_modules')): void => {
    at.write({ 'package.json': '{"type": "module"}', 'slug.js': POOR, ...files });
    symlinkSync(modules, join(at.root, 'node_modules'));
  };
  /** The first offer that says so. */
  const offered = async (target: string, why: RegExp): Promise<ScorerOffer> => {
    const offers = await at.offers(target);
    const found = offers.find((offer) => why.test(offer.why));
    assert.ok(found, JSON.stringify(offers, undefined, 2));
    return found;
  };
  const scored = (reading: Reading): number => {
    assert.ok(reading.outcome === 'scored' && reading.source === 'report', reading.why);
    return reading.score ?? Number.NaN;
  };

  const both = (equal: string, given = '()'): string => `test('words', ${given} => { ${equal}(slug('Hello World'), 'hello-world'); });\ntest('signs', ${given} => { ${equal}(slug('One -- two!'), 'one-two'); });\n`;
  /** Of runners that are told when a test ends. */
  const ended = (name: string): string => `import { test as given } from '${name}';\n${IMPORT}const test = (title, body) => given(title, (t) => { body(t); t.end(); });\n${both('t.equal', '(t)')}`;
  const tests: readonly { readonly name: string; readonly file: string; readonly text: string; readonly manifest?: string; readonly target?: string; readonly command: RegExp }[] = [
    { name: 'vitest', file: 'slug.test.js', text: `import { expect, test } from 'vitest';\n${IMPORT}${both('((a, b) => expect(a).toBe(b))')}`, command: /vitest run test\/slug\.test\.js --reporter=junit/ },
    { name: 'node:test', file: 'slug.test.js', text: `import assert from 'node:assert';\nimport { test } from 'node:test';\n${IMPORT}${both('assert.equal')}`, command: /^node --test .*test\/slug\.test\.js/ },
    { name: 'ava', file: 'slug.js', text: `import test from 'ava';\n${IMPORT}${both('t.is', '(t)')}`, command: /^node_modules\/\.bin\/ava --tap test\/slug\.js \|\| test \$\? -eq 1$/ },
    { name: 'tap', file: 'slug.js', text: ended('tap'), command: /^node_modules\/\.bin\/tap --reporter=tap --disable-coverage test\/slug\.js \|\| test \$\? -eq 1$/ },
    { name: 'tape', file: 'slug.js', text: ended('tape').replace('{ test as given }', 'given'), manifest: '{"type": "module", "scripts": {"test": "tape test/*.js"}}', command: /^node_modules\/\.bin\/tape test\/slug\.js \|\| test \$\? -eq 1$/ },
    {
      name: 'jest', file: 'slug.test.cjs', text: `const { test, expect } = require('@jest/globals');\nconst { slug } = require('../slug.cjs');\n${both('((a, b) => expect(a).toBe(b))')}`,
      target: 'slug.cjs', manifest: '{"jest": {"transform": {}, "testMatch": ["**/*.test.cjs"]}}', command: /jest --json --outputFile=ratchet-tests\.json --runTestsByPath test\/slug\.test\.cjs/,
    },
  ];
  for (const { name, file, text, manifest = '{"type": "module"}', target = 'slug.js', command } of tests)
    it(`${name}: the tests that import the file: one of two passed; all, once it is better: both`, async () => {
      const inModule = (code: string): string => (target === 'slug.js' ? code : code.replace('export const slug', 'exports.slug'));
      project({ [`test/${file}`]: text, 'package.json': manifest, [target]: inModule(POOR) });
      const some = await offered(target, /^slug\S* imports the file; /);
      const all = await offered(target, new RegExp(`\\b${name}; I read`));
      assert.match(String(some.scorer), command);
      assert.match(some.why, SHARE);
      assert.match(all.why, SHARE);
      assert.equal(scored(await at.score(some, target)), 50, String(some.scorer));
      at.write({ [target]: inModule(GOOD) });
      assert.equal(scored(await at.score(all, target)), 100, String(all.scorer));
    });

  const benches: readonly (readonly [name: string, file: string, text: string, unit: string])[] = [
    ['vitest bench', 'bench/slug.bench.js', `import { bench } from 'vitest';\n${IMPORT}bench('slugify', () => { slug('Hello World'); }, { time: 30 });\n`, 'ms'],
    ['tinybench', 'bench/slug.js', `import { Bench } from 'tinybench';\n${IMPORT}const bench = new Bench({ time: 30, warmupTime: 5 });\nbench.add('slugify', () => slug('Hello World'));\nawait bench.run();\nconsole.table(bench.table());\n`, 'ns'],
    ['mitata', 'benchmarks/index.mjs', `import { bench, run } from 'mitata';\n${IMPORT}bench('slugify', () => slug('Hello World'));\nawait run();\n`, 'ns'],
  ];
  for (const [name, file, text, unit] of benches)
    it(`${name}: its mean, in its unit`, async () => {
      project({ [file]: text });
      const offer = await offered('slug.js', new RegExp(`^I found ${name}`));
      assert.equal(offer.why, `I found ${name}; I read \`mean\` of \`slugify\`, in ${unit}, lower is better`);
      assert.deepEqual(offer.metric, { name: 'mean', direction: 'lower', unit });
      assert.ok(scored(await at.score(offer, 'slug.js')) > 0);
    });

  it('hyperfine: the one command of a script, with a report asked for', async function () {
    if ((await hyperfine()) === undefined) return skipped(this, 'hyperfine can\'t be installed here');
    project({ 'package.json': '{"type": "module", "scripts": {"bench:load": "hyperfine -N --runs 3 \'node slug.js\'"}}', 'bench.sh': "#!/bin/sh\nset -e\n# how long it takes to load\nhyperfine -N \\\n  --runs 2 'node slug.js' 'node --version'\n" });
    const [two, one] = await at.offers('slug.js');
    assert.ok(one && two);
    assert.deepEqual([two.why, two.metric, one.why, one.metric], [
      'I found hyperfine in its script; pick one of its times after Try once, in s, lower is better', undefined,
      'I found hyperfine; I read `mean` of `node slug.js`, in s, lower is better', { name: 'mean', direction: 'lower', unit: 's' },
    ]);
    assert.ok(scored(await at.score(one, 'slug.js')) > 0);
    assert.deepEqual((await at.score(two, 'slug.js')).candidates.filter(({ name }) => /^mean:[^_]*$/.test(name)).map(({ name }) => name), ['mean:node slug.js', 'mean:node --version']);
  });

  it('pytest and pytest-benchmark: the share of tests, and the mean of the one thing that is timed', async function () {
    const python = await pythonWithPytest();
    if (python === undefined) return skipped(this, 'pytest and pytest-benchmark can\'t be installed here');
    at.write({
      'slug.py': 'def slug(title):\n    return title.strip().lower().replace(" ", "-")\n', 'requirements-dev.txt': 'pytest-benchmark>=4\n',
      'tests/test_slug.py': 'from slug import slug\n\n\ndef test_words():\n    assert slug("Hello World") == "hello-world"\n\n\ndef test_signs():\n    assert slug("One -- two!") == "one-two"\n',
      'benchmarks/bench_slug.py': 'from slug import slug\n\n\ndef test_slugify(benchmark):\n    assert benchmark.pedantic(slug, ("Hello World",), rounds=20) == "hello-world"\n',
    });
    const bench = await offered('slug.py', /pytest-benchmark/);
    assert.deepEqual([bench.scorer, bench.why], ['python3 -m pytest -q --benchmark-only --benchmark-json=ratchet-bench.json benchmarks/bench_slug.py', 'I found pytest-benchmark; I read `mean` of `test_slugify`, in s, lower is better']);
    const by = (offer: ScorerOffer): ScorerOffer => ({ ...offer, scorer: String(offer.scorer).replace('python3', python) });
    assert.ok(scored(await at.score(by(bench), 'slug.py')) > 0);
    assert.equal(scored(await at.score(by(await offered('slug.py', /^test_slug\.py imports the file/)), 'slug.py')), 50);
    at.write({ 'slug.py': 'def slug(title):\n    return ""\n' });
    assert.equal((await at.score(by(bench), 'slug.py')).outcome, 'crashed');
  });

  it('ESLint: the findings in the file alone, after tests', async () => {
    project({ 'eslint.config.mjs': "export default [{ rules: { eqeqeq: 'error' } }];\n", 'same.js': 'export const same = (a, b) => a == b;\n', 'other.js': 'export const other = 1 == 2;\n', 'same.test.js': "import { test } from 'node:test';\nimport { same } from './same.js';\ntest('a', () => same(1, 1));\n" }, OWN_MODULES);
    const offers = await at.offers('same.js');
    const offer = await offered('same.js', /ESLint/);
    assert.equal(offers.at(-1)?.scorer, offer.scorer);
    assert.deepEqual([offer.scorer, offer.why, offer.metric], [
      'node_modules/.bin/eslint -f json same.js || test $? -eq 1', 'I found ESLint; I read `findings` of `same.js`, lower is better; less code has fewer of them, so let tests be a gate beside it', { name: 'findings', direction: 'lower' },
    ]);
    assert.equal(scored(await at.score(offer, 'same.js')), 1);
    at.write({ 'same.js': 'export const same = (a, b) => a === b;\n' });
    assert.equal(scored(await at.score(offer, 'same.js')), 0);
  });

  it('ruff: the findings in the file alone, and the file stays as it is', async function () {
    const program = await ruff();
    if (program === undefined) return skipped(this, 'ruff can\'t be installed here');
    const text = 'import os\n\nONE = 1\n';
    at.write({ 'pyproject.toml': '[tool.ruff]\nfix = true\nfix-only = true\n', 'one.py': text });
    const offer = await offered('one.py', /ruff/);
    assert.equal(offer.scorer, 'ruff check --no-cache --no-fix --no-fix-only --ignore-noqa --output-format json one.py || test $? -eq 1');
    const by = { ...offer, scorer: String(offer.scorer).replace('ruff', program) };
    assert.equal(scored(await at.score(by, 'one.py')), 1);
    assert.equal(readFileSync(join(at.root, 'one.py'), 'utf8'), text);
    at.write({ 'one.py': 'ONE = 1\n' });
    assert.equal(scored(await at.score(by, 'one.py')), 0);
  });
});
