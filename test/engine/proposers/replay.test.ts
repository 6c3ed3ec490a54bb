import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProposerError } from '../../../src/engine/proposers/proposer.ts';
import { createReplayProposer } from '../../../src/engine/proposers/replay.ts';
import { ask } from './request.ts';

describe('replay', () => {
  let dir = '';
  beforeEach(async () => { dir = await mkdtemp(join(tmpdir(), 'replay-')); });
  afterEach(() => rm(dir, { recursive: true }));

  it('answers attempt n from the n-th file by number, byte for byte', async () => {
    for (const name of ['10.md', '2.md', '001.md', 'README.md', '3.txt']) await writeFile(join(dir, name), `reply ${name}\r\n`);
    const proposer = await createReplayProposer(dir);
    const replies = await Promise.all([1, 2, 3].map((attempt) => ask(proposer, { attempt })));
    assert.deepEqual(replies.map(({ reply }) => reply), ['reply 001.md\r\n', 'reply 2.md\r\n', 'reply 10.md\r\n']);
    assert.match(replies[0]?.request ?? '', /=== user ===\nImprove it\./);
  });

  it('says honestly that nothing is left', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) await writeFile(join(dir, `00${n}.md`), 'x');
    await assert.rejects(ask(await createReplayProposer(dir), { attempt: 7 }), {
      reason: 'nothing-left', retryable: false, message: 'The replay folder has no reply for attempt 7 (006.md is its last).',
    });
  });

  it('says so where the folder holds no replies', async () => {
    await assert.rejects(ask(await createReplayProposer(dir), { attempt: 1 }), { reason: 'nothing-left', message: /no files named like 001\.md/ });
  });

  it('is not created for a folder that is missing or a file', async () => {
    await writeFile(join(dir, 'file'), '');
    for (const path of [join(dir, 'none'), join(dir, 'file')])
      await assert.rejects(createReplayProposer(path), (error) => error instanceof ProposerError && error.reason === 'not-found' && error.message.includes(path));
  });

  it('fails clearly on a reply that is no file, and is cancelled by its signal', async () => {
    await mkdir(join(dir, '001.md'));
    const proposer = await createReplayProposer(dir);
    await assert.rejects(ask(proposer, { attempt: 1 }), { reason: 'not-found', message: /001\.md/ });
    await assert.rejects(ask(proposer, { attempt: 1 }, AbortSignal.abort()), { reason: 'cancelled' });
  });
});
