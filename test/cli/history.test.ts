import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { Lab, reply } from './lab.ts';

describe('naming runs and reading what is left of them', () => {
  let lab: Lab;
  before(async () => {
    lab = await Lab.open({ 'f.py': 'A = 10\n', 'score.py': 'import f\nprint("score:", f.A)\n', 'r/1.md': reply('A = 10', 'A = 20') });
    assert.equal((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'replay:r')).code, 0);
  });
  after(() => lab.close());

  for (const [given, number] of [['2', '2'], ['#1', '1'], ['999', '999']] as const)
    it(`says what to type where ${given} was given as a run`, async () => {
      for (const verb of ['show', 'diff', 'accept']) {
        const { code, stderr } = await lab.ratchet(verb, given);
        assert.match(stderr, new RegExp(`is not a run.*type: ratchet ${verb} last ${number}\\n`));
        assert.equal(code, 2);
      }
      assert.match((await lab.ratchet('stop', given)).stderr, /type: ratchet stop last\n/);
    });

  it('says what to type where the number of an attempt is none', async () => {
    const { code, stderr } = await lab.ratchet('show', 'last', 'first');
    assert.match(stderr, /first is not the number of an attempt.*ratchet show last 3/);
    assert.equal(code, 2);
  });

  it('lists the others beside runs that can\'t be read', async () => {
    const runs = lab.path('.ratchet/runs');
    await mkdir(`${runs}/20200101-000000-aaaaaa`);
    await mkdir(`${runs}/20200101-000000-bbbbbb/ledger.jsonl`, { recursive: true });
    await mkdir(`${runs}/20200101-000000-cccccc`);
    await writeFile(`${runs}/20200101-000000-cccccc/ledger.jsonl`, 'torn');
    const { code, stdout, stderr } = await lab.ratchet('log');
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /aaaaaa {2}There is no ledger/);
    assert.match(lines[1] ?? '', /bbbbbb {2}.*can't be read: it is not a plain file/);
    assert.match(lines[2] ?? '', /cccccc {2}The ledger of run .* has no beginning/);
    assert.match(lines[3] ?? '', /f\.py {2}score 10 → 20/);
    const json = (await lab.ratchet('log', '--json')).stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { state: object | null; problem?: string });
    assert.deepEqual(json.map(({ state, problem }) => [state !== null, problem !== undefined]), [[false, true], [false, true], [false, true], [true, false]]);
  });

  it('does not say that a run is missing where its ledger can\'t be read', async () => {
    const { code, stderr } = await lab.ratchet('show', '20200101-000000-bbbbbb');
    assert.match(stderr, /can't be read/);
    assert.doesNotMatch(stderr, /There is no|\n\s+at /);
    assert.equal(code, 4);
  });
});
