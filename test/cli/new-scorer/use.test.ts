/** Templates in use: on targets of other languages, of other kinds of modules, in other folders, and in a run. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ScorerKind, ScriptLanguage } from '../../../src/loop/new-scorer/names.ts';
import { pythonOrSkip } from '../../examples/scoring.ts';
import { Lab, verdictsOf } from '../lab.ts';
import { SUBJECTS } from './targets.ts';
import { commandIn, labOf, scored, tryOut } from './try-out.ts';

describe('scoring scripts from templates', function () {
  this.timeout(120_000);
  let lab: Lab;
  before(async function () {
    await pythonOrSkip(this);
  });
  afterEach(() => lab.close());

  const ACROSS: readonly (readonly [ScorerKind, ScriptLanguage, ScriptLanguage])[] = [
    ['tests', 'python', 'javascript'], ['tests', 'shell', 'javascript'], ['lint', 'python', 'javascript'], ['lint', 'shell', 'javascript'], ['memory', 'shell', 'python'],
    ['size', 'shell', 'javascript'], ['command', 'javascript', 'shell'],
  ];
  for (const [kind, script, target] of ACROSS)
    it(`work on a target of another language: ${kind}, ${script}, of ${target}`, async () => {
      lab = await labOf(SUBJECTS[target]);
      await tryOut(lab, kind, SUBJECTS[target], ['--language', script]);
    });

  it('load TypeScript, CommonJS and a default export too', async () => {
    const files = {
      'a.ts': 'export const slug = (title: string, size = 3): string => title.slice(0, size);\n',
      'b.cjs': 'function slug(title) { return title; }\nmodule.exports = { slug };\n',
      'c.mjs': 'export default function (items) { return items.length; }\n',
    };
    lab = await Lab.open(files);
    for (const [target, name] of [['a.ts', 'slug'], ['b.cjs', 'slug'], ['c.mjs', 'default']] as const) {
      const made = await lab.ratchet('new-scorer', target, '--kind', 'function', '--out', `${target}.bench.mjs`);
      assert.match(made.stdout, new RegExp(`It calls ${name} with arguments`));
      assert.ok(await scored(lab, commandIn(made)) > 0, target);
    }
  });

  it('find everything from another folder, whatever its name', async () => {
    const folder = "it's my pack/src";
    const { good, files } = SUBJECTS.javascript;
    lab = await Lab.open({
      '.ratchet/x': '', "it's my pack/package.json": '{ "type": "module" }\n', [`${folder}/slug.js`]: good,
      "it's my pack/test/slug.test.mjs": (files['slug.test.mjs'] ?? '').replace('./slug.js', '../src/slug.js'),
    });
    for (const language of ['javascript', 'python', 'shell'])
      for (const kind of ['tests', 'command', 'size']) {
        const made = await lab.ratchet('new-scorer', join(folder, 'slug.js'), '--kind', kind, '--language', language, '--out', `bench-${kind}.${language === 'javascript' ? 'mjs' : language === 'python' ? 'py' : 'sh'}`);
        assert.equal(made.code, 0, made.stderr);
        assert.ok(await scored(lab, commandIn(made)) > 0, `${kind} ${language}`);
      }
  });

  it('serve a run from its canary to its end: the speed of a function, in JavaScript', async () => {
    lab = await Lab.open({ 'sum.mjs': 'const REPEAT = 4000;\n\nexport function sum(numbers) {\n  let total = 0;\n  for (let i = 0; i < REPEAT; i += 1) total = numbers.reduce((a, b) => a + b, 0);\n  return total;\n}\n' });
    const made = await lab.ratchet('new-scorer', 'sum.mjs', '--kind', 'function');
    const [, , ...flags] = commandIn(made);
    const { code, events } = await lab.events('run', 'sum.mjs', ...flags, '--proposer', 'literals', '--attempts', '3');
    assert.equal(code, 0);
    assert.ok(verdictsOf(events).includes('kept'), 'fewer rounds are faster');
  });

  it('serve a run from its canary to its end: a mix, in Python', async () => {
    lab = await Lab.open({ 'pad.py': 'ROUNDS = 1000000\n\n\ndef total():\n    return ROUNDS\n' });
    const made = await lab.ratchet('new-scorer', 'pad.py', '--kind', 'mix');
    const [, , ...flags] = commandIn(made);
    const { code, events, stderr } = await lab.events('run', 'pad.py', ...flags, '--proposer', 'literals', '--attempts', '3');
    assert.ok(code === 0 || code === 3, stderr);
    assert.equal(verdictsOf(events).length, 4, 'the baseline and three attempts were judged');
    assert.ok(!verdictsOf(events).includes('crashed'));
  });
});
