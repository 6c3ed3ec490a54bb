import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AllowedAnswers } from '../../src/wire/allowed.ts';

describe('what a person allowed', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'ratchet-allowed-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is all kept, also of answers that come at the same time', async () => {
    const answers = new AllowedAnswers(folder);
    await Promise.all([...Array.from({ length: 20 }, (_, index) => answers.add(`f${index % 2}.py`, { allow: [`/data/${index}`] })), answers.add('g.py', { sandbox: 'off' })]);
    const again = new AllowedAnswers(folder);
    assert.deepEqual([(await again.of('f0.py')).allow?.length, (await again.of('f1.py')).allow?.length, (await again.of('g.py')).sandbox], [10, 10, 'off']);
    assert.deepEqual(await again.of('h.py'), {});
    assert.deepEqual(await readdir(folder), ['allowed.json'], 'no draft is left');
  });
});
