import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadParsers, type Parsers } from '../../../src/engine/parsers.ts';
import { prepare, type Prepared } from '../../../src/engine/start/prepare.ts';
import { HumanError } from '../../../src/errors.ts';
import { ANY_PROPOSER, type Ask } from '../../../src/protocol.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('what would be run', () => {
  let parsers: Parsers;
  let root: string;
  let now: Date;
  before(async () => { parsers = await loadParsers(grammars); });
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-prepare-')));
    now = new Date(2026, 10, 30, 7, 0);
  });
  afterEach(() => { rmSync(root, { recursive: true, force: true }); });

  function write(name: string, text: string, mode = 0o644): string {
    const path = join(root, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  function asked(target: string, flags: Ask['flags'], more: Partial<Ask> = {}): Promise<Prepared> {
    const ask: Ask = { target: join(root, target), flags, settings: {}, env: { PATH: `${root}:/usr/bin:/bin` }, ...more };
    return prepare(ask, { root, top: root, parsers, now: () => now, scratch: 'A copy.' });
  }

  it('runs a module on the PATH\'s node, unless that can\'t read its language or the target\'s', async () => {
    const old = write('node', '#!/bin/sh\necho v20.11.0\n', 0o755);
    const scorer = 'export default () => 1;\n';
    for (const name of ['s.mjs', 's.mts', 's.js']) write(name, scorer);
    for (const name of ['f.mjs', 'f.ts']) write(name, 'export const A = 10;\n');
    for (const [target, score, node, why] of [
      ['f.mjs', 's.mjs', old, /^you named it; node 20\.11\.0 on the PATH$/], ['f.mjs', 's.mts', process.execPath, /^you named it; Ratchet's own Node .*: node on the PATH is 20\.11\.0, and TypeScript needs 22\.18/],
      ['f.ts', 's.js', process.execPath, /^you named it; Ratchet's own Node /],
    ] as const) {
      const { tools, page } = await asked(target, { scorer: score, proposer: 'literals' });
      assert.equal(tools.node, node, `${target} by ${score}`);
      assert.match(page.why ?? '', why);
    }
    assert.equal((await asked('f.mjs', { scorer: 'sh s.sh', proposer: 'literals' })).page.why, 'you named it');
  });

  it('takes `until` as the first such time after the start, whenever the program is read again', async () => {
    write('f.py', 'A = 10\n');
    write('program.md', '---\nscorer: echo score 1\nuntil: 08:00\nproposer: literals\n---\nBe quick.\n');
    const { page, readProgram } = await asked('f.py', {});
    const eight = new Date(2026, 10, 30, 8, 0).getTime();
    assert.equal(page.plan?.stop.untilMs, eight);
    now = new Date(2026, 10, 30, 8, 5);
    write('program.md', '---\nscorer: echo score 1\nuntil: 08:00\nproposer: literals\n---\nBe quicker.\n');
    assert.equal((await readProgram())?.live.stop.untilMs, eight);
    write('program.md', '---\nuntil: 06:30\n---\n');
    assert.equal((await readProgram())?.live.stop.untilMs, new Date(2026, 11, 1, 6, 30).getTime());
  });

  it('has a problem where `literals` finds nothing to vary, and none where it doesn\'t matter who proposes', async () => {
    write('f.py', 'print("score: " + "1")\n');
    const { page } = await asked('f.py', { scorer: 'python3 f.py', proposer: 'literals' });
    assert.deepEqual(page.problems.map((problem) => problem.key), ['proposer']);
    assert.match(page.problems[0]?.message ?? '', /no number or choice in this file to vary/);
    assert.deepEqual([page.plan, page.literals], [undefined, undefined]);
    const { page: other } = await asked('f.py', { scorer: 'python3 f.py', proposer: ANY_PROPOSER });
    assert.deepEqual(other.problems, []);
    assert.ok(other.plan);
  });

  it('says where a file draws from a random stream of its own that can\'t be varied', async () => {
    const flags = { scorer: 'python3 f.py', proposer: 'literals' };
    for (const [text, inside] of [['import random\nrandom.seed(open("seed").read())\nA = 10\n', true], ['import random\nrandom.seed(1)\nA = 10\n', undefined], ['A = 10\n', undefined]] as const) {
      write('f.py', text);
      assert.equal((await asked('f.py', flags)).page.seededInside, inside, text);
    }
  });

  it('has a problem where a marker of protection has no partner', async () => {
    write('f.py', '# ratchet: protect\nA = 10\n');
    const { page } = await asked('f.py', { scorer: 'python3 f.py' });
    assert.equal(page.plan, undefined);
    assert.match(page.problems.find(({ key }) => key === 'protect')?.message ?? '', /^f\.py: Line 1 says `ratchet: protect`, but no `ratchet: end` follows\./);
  });

  it('names gates, stages and the holdout with their command lines, and what only the holdout is shown', async () => {
    for (const name of ['f.py', 'score.py', 'held.py', 'gate.py', 'answers.txt']) write(name, 'A = 10\n');
    const choices = { scorer: 'python3 score.py', proposer: 'literals', gates: ['python3 gate.py', ['python3', 'gate.py']], stages: [{ scorer: 'python3 score.py', env: { N: '2' } }], holdout: { scorer: 'python3 held.py --with score.py', files: ['answers.txt'] }, limits: { x: '+5%' } };
    const { page, workspace } = await asked('f.py', choices);
    assert.deepEqual(page.problems, []);
    assert.deepEqual(page.also?.map(({ role, command }) => `${role}: ${command}`), ['gate: python3 gate.py', 'gate: python3 gate.py', 'stage: N=2 python3 score.py', 'holdout: python3 held.py --with score.py']);
    assert.deepEqual(page.limits, ['x +5 %']);
    assert.deepEqual(page.plan?.gates?.map(({ name }) => name), ['python3 gate.py', 'python3 gate.py (2)']);
    // The scorer's own script stays in view, though the holdout's command names it as well.
    assert.deepEqual(workspace.heldOut, ['answers.txt', 'held.py']);
    assert.deepEqual(page.plan?.holdout?.files, workspace.heldOut);
  });

  it('has problems with a holdout whose files are not there, are the target or the model\'s context, and a metric without a direction', async () => {
    for (const name of ['f.py', 'score.py', 'held.py']) write(name, 'A = 10\n');
    const problems = async (flags: Ask['flags']): Promise<string> => (await asked('f.py', { scorer: 'python3 score.py', proposer: 'literals', ...flags })).page.problems.map(({ message }) => message).join(' ');
    assert.match(await problems({ holdout: { scorer: 'python3 held.py', files: ['gone.txt'] } }), /^`holdout` names gone\.txt, which is not there\. Write its path/);
    assert.match(await problems({ holdout: { scorer: 'python3 held.py', files: ['*.py'] } }), /holds out f\.py, the file that changes/);
    assert.match(await problems({ holdout: { scorer: 'python3 held.py' }, context: ['held.py'] }), /`context` names held\.py, which is held out/);
    for (const held of ['sub', 'sub/held.json']) assert.equal(await problems({ holdout: { scorer: 'python3 held.py', files: [held] } }), `\`holdout\` names ${held}, which is not there. Write its path from the root of the project.`);
    assert.match(await problems({ stages: [{ scorer: 'x', metric: 'ms' }] }), /Say which way `ms` is better: `direction: higher`/);
    assert.match(await problems({ limits: { score: '+5%' } }), /`limits` names `score`, which is what the run improves/);
  });

  it('has a problem with a holdout that takes away what the scorer, a gate or a stage runs', async () => {
    for (const name of ['f.py', 'score.py', 'held.py', 'gate.py', 'small.py']) write(name, 'A = 10\n');
    const problems = async (files: readonly string[], flags: Ask['flags'] = {}): Promise<readonly string[]> =>
      (await asked('f.py', { scorer: 'python3 score.py', proposer: 'literals', gates: ['python3 gate.py'], stages: [{ scorer: ['python3', 'small.py'] }], holdout: { scorer: 'python3 held.py', files: [...files] }, ...flags })).page.problems.map(({ message }) => message);
    const told = (file: string, what: string): string => `\`holdout\` holds out ${file}, which ${what} needs: it would be missing there. Take it out of \`files\`.`;
    assert.deepEqual(await problems(['score.py']), [told('score.py', 'the scorer')]);
    assert.deepEqual(await problems(['{gate,small}.py']), [told('gate.py', 'the gate python3 gate.py'), told('small.py', 'the stage python3 small.py')]);
    // A script that is named alone, and one by its whole path.
    assert.deepEqual(await problems(['s*.py'], { scorer: 'score.py', stages: [] }), [told('score.py', 'the scorer')]);
    assert.deepEqual(await problems(['score.py'], { scorer: ['python3', join(root, 'score.py')] }), [told('score.py', 'the scorer')]);
    assert.deepEqual(await problems(['*.txt'], { scorer: 'python3 score.py > out.txt' }), []);
    assert.deepEqual(await problems(['held.py']), []);
  });

  it('has a problem with a holdout that runs what the model is shown, unless it has files of its own', async () => {
    for (const name of ['f.py', 'score.py', 'held.json']) write(name, 'A = 10\n');
    const problems = async (flags: Ask['flags']): Promise<string> => (await asked('f.py', { scorer: 'python3 score.py', proposer: 'literals', ...flags })).page.problems.map(({ message }) => message).join(' ');
    for (const scorer of ['python3 score.py', ' python3   score.py ', 'python3 ./score.py', ['python3', 'score.py']])
      assert.equal(await problems({ holdout: { scorer } }), '`holdout` runs the same command as `scorer`, so it measures nothing that the model can\'t see: name another scorer for it, or the `files` that it alone is shown.');
    assert.match(await problems({ scorer: 'score.py', holdout: { scorer: './score.py' } }), /runs the same command as `scorer`/);
    assert.match(await problems({ stages: [{ scorer: 'python3 score.py --all' }], holdout: { scorer: 'python3 score.py --all' } }), /runs the same command as `stages`/);
    assert.equal(await problems({ holdout: { scorer: 'python3 score.py', files: ['held.json'] } }), '');
    assert.equal(await problems({ holdout: { scorer: 'python3 score.py --held' } }), '');
    assert.equal(await problems({ stages: [{ scorer: 'python3 score.py --all', env: { N: '2' } }], holdout: { scorer: 'python3 score.py --all' } }), '');
  });

  it('holds out the script of the holdout however it is named', async () => {
    for (const name of ['f.py', 'score.py', 'held.py', 'held out.py']) write(name, 'A = 10\n');
    for (const [scorer, file] of [['held.py', 'held.py'], ['python3 held.py', 'held.py'], [`python3 ${join(root, 'held.py')}`, 'held.py'], [['python3', join(root, 'held out.py')], 'held out.py'], [['python3.11', './held.py'], 'held.py']] as const)
      assert.deepEqual((await asked('f.py', { scorer: 'score.py', proposer: 'literals', holdout: { scorer: typeof scorer === 'string' ? scorer : [...scorer] } })).workspace.heldOut, [file], String(scorer));
  });

  it('has a problem with a `seed` that names no number of the file', async () => {
    write('f.py', 'START = 3\n');
    write('program.md', '---\nscorer: python3 f.py\nproposer: literals\nseed: NOPE\n---\n');
    const { page } = await asked('f.py', {});
    assert.equal(page.plan, undefined);
    assert.match(page.problems.map(({ message }) => message).join(' '), /^program\.md says `seed: NOPE`, but f\.py has no whole number named NOPE: .*take the line out\.$/);
    write('program.md', '---\nscorer: python3 f.py\nproposer: literals\nseed: START\n---\n');
    assert.equal((await asked('f.py', {})).page.problems.length, 1, 'nothing but the seed could be varied');
    write('f.py', 'START = 3\nRATE = 3\n');
    const named = await asked('f.py', {});
    assert.deepEqual([named.page.problems, named.page.literals], [[], '1 number in this file']);
  });

  it('refuses a target outside of the root, and takes one whose name begins with dots', async () => {
    write('..f.py', 'A = 10\n');
    assert.equal((await asked('..f.py', { scorer: 'true', proposer: 'literals' })).page.plan?.target, '..f.py');
    const outside = mkdtempSync(join(tmpdir(), 'ratchet-outside-'));
    writeFileSync(join(outside, 'f.py'), 'A = 10\n');
    await assert.rejects(asked('f.py', {}, { target: join(outside, 'f.py') }), (error) => error instanceof HumanError && error.reason === 'bad-target');
    rmSync(outside, { recursive: true });
  });
});
