import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { tellWaits } from '../../src/cli/waits.ts';

describe('waits that a terminal is told of', () => {
  it('are those that last, each once, and none after the end', async () => {
    const first = Promise.withResolvers<string>();
    const told: string[] = [];
    const waits = tellWaits((sentence) => {
      told.push(sentence);
      first.resolve(sentence);
    });
    const see = (doing: 'queued' | 'thinking' | 'retrying', note?: string): void => waits.see({ run: 'r', doing, ...(note === undefined ? {} : { note }) });
    see('queued');
    see('thinking');
    see('retrying', 'It is overloaded.');
    see('retrying', 'It is overloaded.');
    assert.match(await first.promise, /asked again soon\. It is overloaded\./);
    see('queued');
    waits.end();
    await delay(0);
    assert.equal(told.length, 1);
  });
});
