import assert from 'node:assert/strict';
import { ProposerError } from '../../../src/engine/proposers/proposer.ts';
import { askPatiently } from '../../../src/engine/run/patience.ts';

describe('asking for a proposal', () => {
  const failing = (errors: readonly ProposerError[]): (() => Promise<string>) => {
    const left = [...errors];
    return () => {
      const error = left.shift();
      return error === undefined ? Promise.resolve('reply') : Promise.reject(error);
    };
  };
  const busy = new ProposerError('server', 'The server is overloaded.', true);
  const slept: number[] = [];
  const told: string[] = [];
  const may = { onFailure: (error: ProposerError) => Promise.resolve(void told.push(error.message)), wait: true, goOn: () => Promise.resolve(true), sleep: (ms: number) => Promise.resolve(void slept.push(ms)), onWait: () => undefined };
  beforeEach(() => {
    slept.splice(0);
    told.splice(0);
  });

  it('waits longer and longer for a server that answered before', async () => {
    assert.equal(await askPatiently(failing([busy, busy, busy, busy, busy]), may), 'reply');
    assert.deepEqual(slept, [10_000, 30_000, 60_000, 300_000, 300_000]);
  });

  it('ends at once where it never answered, or where asking again helps nobody', async () => {
    await assert.rejects(askPatiently(failing([busy]), { ...may, wait: false }), busy);
    const empty = new ProposerError('quota', 'The account is empty.');
    await assert.rejects(askPatiently(failing([empty]), may), empty);
    assert.deepEqual(slept, []);
    assert.deepEqual(told, [busy.message, empty.message], 'what it cost counts all the same');
  });

  it('ends when the run\'s stop rules say so, before and after the wait', async () => {
    await assert.rejects(askPatiently(failing([busy]), { ...may, goOn: () => Promise.resolve(false) }), busy);
    let asked = 0;
    await assert.rejects(askPatiently(failing([busy]), { ...may, goOn: () => Promise.resolve(asked++ === 0) }), busy);
    assert.deepEqual(slept, [10_000]);
  });
});
