import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '../../../../src/engine/start/offers/runners/jest.ts';
import { mocha } from '../../../../src/engine/start/offers/runners/mocha.ts';
import type { Runner } from '../../../../src/engine/start/offers/runners/runner.ts';
import { ava, tap, tape } from '../../../../src/engine/start/offers/runners/tap.ts';
import { lookAround } from '../../../../src/engine/start/offers/surroundings.ts';
import { reportOf, type ReportRef } from '../../../../src/loop/score.ts';
import { Workspace } from '../workspace.ts';

const REPORT: ReportRef = { file: 'ratchet-tests.xml', format: 'junit' };

describe('runners of tests', () => {
  let at: Workspace;
  beforeEach(() => {
    at = new Workspace();
  });
  afterEach(() => at.dispose());

  async function commandOf(runner: Runner, target: string, ...files: readonly string[]): Promise<string | undefined> {
    const around = await lookAround(at.root, join(at.root, target));
    assert.ok(around);
    return runner.command(around, at.root, files.length === 0 ? undefined : files.map((file) => join(at.root, file)));
  }

  it('mocha writes xunit: the share that passed, and a crash where the file does not load', async () => {
    at.write({
      'package.json': '{"type": "module", "scripts": {"test": "mocha --timeout 5000 --reporter dot t.test.js"}}', 't.js': 'export const n = 1;',
      't.test.js': 'import { n } from "./t.js";\nit("a", () => {});\nit("b", () => { if (n !== 2) throw new Error("n is " + n); });\nit.skip("c", () => {});\nit("d", () => {});',
    }).realModules();
    const scorer = await commandOf(mocha, 't.js', 't.test.js');
    assert.equal(scorer, 'node_modules/.bin/mocha --timeout 5000 t.test.js --reporter xunit --reporter-option output=ratchet-tests.xml || test -s ratchet-tests.xml');
    assert.equal(await commandOf(mocha, 't.js'), scorer);
    const offer = { scorer, folder: at.root };
    const reading = await at.score(offer, 't.js', REPORT);
    assert.deepEqual([reading.score, reading.metrics], [50, { tests: 4, failures: 1, skipped: 1 }], reading.why);
    at.write({ 't.js': 'export const n = 2;' });
    assert.equal((await at.score(offer, 't.js', REPORT)).score, 75);
    rmSync(join(at.root, REPORT.file));
    at.write({ 't.js': 'throw new Error("canary");' });
    assert.equal((await at.score(offer, 't.js', REPORT)).outcome, 'crashed');
  });

  it('jest writes its JSON', async () => {
    at.write({ 'package.json': '{"jest": {}, "scripts": {"test": "jest --config=\\"j s.json\\" --ci=true --watch src"}}', 't.js': '' });
    assert.equal(await commandOf(jest, 't.js', 't.test.js'), undefined);
    at.binaries('.', 'jest');
    const start = 'node_modules/.bin/jest --config="j s.json" --ci=true';
    const json = '--json --outputFile=ratchet-tests.json';
    const scorer = await commandOf(jest, 't.js', 'a b.test.js', 't.test.js');
    assert.equal(scorer, `${start} ${json} --runTestsByPath 'a b.test.js' t.test.js || test -s ratchet-tests.json`);
    assert.deepEqual(reportOf(scorer), { file: 'ratchet-tests.json', format: 'jest' });
    assert.equal(await commandOf(jest, 't.js'), `${start} src ${json} || test -s ratchet-tests.json`);
  });

  it('ava, node-tap and tape print TAP', async () => {
    at.write({ 'package.json': '{"scripts": {"test": "ava --tap -s lib --watch", "unit": "tape"}}', 't.js': '', 'node_modules/tap/package.json': '{"version": "16.3.9"}' }).binaries('.', 'ava', 'tap', 'tape');
    assert.equal(await commandOf(ava, 't.js'), 'node_modules/.bin/ava --tap -s lib || test $? -eq 1');
    assert.equal(await commandOf(ava, 't.js', 'a.js'), 'node_modules/.bin/ava --tap -s lib a.js || test $? -eq 1');
    assert.equal(await commandOf(tap, 't.js', 'a b.js'), "node_modules/.bin/tap --reporter=tap --no-coverage 'a b.js' || test $? -eq 1");
    at.write({ 'node_modules/tap/package.json': '{"version": "21.0.1"}' });
    assert.equal(await commandOf(tap, 't.js'), 'node_modules/.bin/tap --reporter=tap --disable-coverage || test $? -eq 1');
    // It looks for no tests by itself.
    assert.equal(await commandOf(tape, 't.js'), undefined);
    assert.equal(await commandOf(tape, 't.js', 'a.js'), 'node_modules/.bin/tape a.js || test $? -eq 1');
    for (const runner of [ava, tap, tape]) assert.deepEqual(reportOf(String(await commandOf(runner, 't.js', 'a.js'))), { file: '-', format: 'tap' });
  });

  it('are told by what tests import, where nothing else names them', async () => {
    at.write({
      'package.json': '{}', 't.mjs': '', 'test.mjs': 'import test from "ava";\ntest("a", () => {});', 'x.spec.mjs': 'import { test } from "node:test";\ntest("a", () => emit("tap"));',
    }).binaries('.', 'ava', 'tap');
    const whys = async (): Promise<readonly string[]> => (await at.offers('t.mjs')).map(({ why }) => why.replace(/; I read .*/, ''));
    // Node itself finds no file of that name.
    assert.deepEqual(await whys(), ['test.mjs is a test for ava']);
    at.write({ 'test/x.mjs': 'import { test } from "node:test";\ntest("a", () => {});' });
    assert.deepEqual(await whys(), ['test.mjs is a test for ava', 'x.mjs is a test for node:test']);
  });
}).timeout(60_000);
