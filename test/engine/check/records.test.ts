import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkKey } from '../../../src/engine/check/key.ts';
import { CheckRecords } from '../../../src/engine/check/records.ts';
import { Store } from '../../../src/engine/store.ts';
import type { RunPlan } from '../../../src/records.ts';
import { HumanError } from '../../../src/errors.ts';
import { sample } from '../../loop/audit/samples.ts';
import { SAMPLE_PLAN } from '../../loop/sample-plan.ts';

describe('what a check keeps', () => {
  let root: string;
  let records: CheckRecords;
  const at = (...names: readonly string[]): string => join(root, '.ratchet', ...names);
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet-records-')));
    records = new CheckRecords(new Store(root, at()));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('reads back as it was written, and leaves nothing beside it', async () => {
    const record = { samples: { 'baseline-1': sample(5, { cases: 3, signs: ['canary'], altered: ['a'] }), 'canary-1': sample(undefined) }, scratch: 'A layer.' };
    assert.deepEqual(await records.read('k'), { samples: {} });
    await records.write('k', record);
    await records.write('k', record);
    const { samples, scratch } = await records.read('k');
    assert.deepEqual({ samples, scratch }, record);
    assert.deepEqual(readdirSync(at('checks')), ['k.json']);
    assert.equal(readFileSync(at('.gitignore'), 'utf8'), '*\n');
    await records.forget('k');
    assert.deepEqual(await records.read('k'), { samples: {} });
  });

  it('counts as nothing where it is torn, of another version, or no record at all', async () => {
    mkdirSync(at('checks'), { recursive: true });
    for (const text of ['', '{"v":1', '{"v":2,"samples":{}}', '[]', '{"v":1,"samples":{"a":{"score":1}}}']) {
      writeFileSync(at('checks', 'k.json'), text);
      assert.deepEqual(await records.read('k'), { samples: {} }, text);
    }
  });

  it('goes through no link, and stays within bounds', async () => {
    mkdirSync(at());
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), at('checks'));
    await assert.rejects(records.write('k', { samples: {} }), (error) => error instanceof HumanError && error.reason === 'linked-store');
    assert.deepEqual(await records.read('k'), { samples: {} });
    rmSync(at('checks'));
    mkdirSync(at('checks'));
    for (let age = 0; age < 60; age++) {
      writeFileSync(at('checks', `${age}.json`), '{}');
      utimesSync(at('checks', `${age}.json`), 1_000_000 - age, 1_000_000 - age);
    }
    await records.tidy();
    const left = readdirSync(at('checks'));
    assert.equal(left.length, 50);
    assert.ok(left.includes('0.json') && !left.includes('59.json'));
  });

  it('has a name for each text, scorer and script that the command names', async () => {
    const plan: RunPlan = { ...SAMPLE_PLAN, scorer: { kind: 'shell', command: 'python3 "score.py" && true' } };
    const key = (text = 'x', change: Partial<RunPlan> = {}): Promise<string> => checkKey(root, { ...plan, ...change }, text);
    const first = await key();
    assert.match(first, /^[0-9a-f]{64}$/);
    assert.equal(await key(), first);
    assert.notEqual(await key('y'), first);
    assert.notEqual(await key('x', { cwd: 'sub' }), first);
    assert.equal(await key('x', { stop: {}, proposer: { kind: 'replay', dir: 'r' } }), first, 'who proposes, and when it ends, is not measured');
    writeFileSync(join(root, 'score.py'), 'print(1)\n');
    const scripted = await key();
    assert.notEqual(scripted, first);
    writeFileSync(join(root, 'score.py'), 'print(2)\n');
    assert.notEqual(await key(), scripted);
    writeFileSync(join(root, 'a.py'), 'the target on disk, which may differ from the text that is checked');
    const beside = await key('x', { scorer: { kind: 'argv', argv: ['python3', 'a.py'] } });
    writeFileSync(join(root, 'a.py'), 'edited');
    assert.equal(await key('x', { scorer: { kind: 'argv', argv: ['python3', 'a.py'] } }), beside);
  });
});
