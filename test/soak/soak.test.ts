import assert from 'node:assert/strict';
import { claimsOf, type Evidence } from './claims.ts';
import { Told } from './drive.ts';
import { soak } from './soak.ts';
import { soakTable } from './table.ts';
import { begun, BLOB, measured, numbered } from '../loop/events.ts';
import type { NewEvent } from '../../src/records.ts';

describe('a night in seconds', function () {
  this.timeout(150_000);

  it('loses nothing over 40 attempts and two kills of the engine, whatever scorer and model do', async () => {
    const options = { seed: 11, attempts: 40, kills: [12, 16], steady: 0 } as const;
    const result = await soak(options);
    assert.deepEqual(result.claims.filter(({ holds }) => !holds), []);
    assert.ok(result.kills >= 2, `${result.kills} kills`);
    assert.match(soakTable(result, options), /\nAll 40 of 40 attempts have their verdict: none lost, none double, no process left\.\n$/);
  });
});

describe('the claims of a soak', () => {
  const attempt = (number: number, verdict: 'discarded' | 'crashed'): NewEvent[] => [
    { type: 'attempt-started', attempt: number, parent: 0 }, { type: 'edited', attempt: number, candidate: BLOB, hypothesis: '', addedLines: 1, removedLines: 1 },
    measured(number, verdict === 'crashed' ? undefined : 1), { type: 'judged', attempt: number, verdict, evidence: { reason: '' } },
  ];
  const whole = [...begun(40), ...attempt(1, 'discarded'), ...attempt(2, 'crashed'), { type: 'run-ended', reason: 'attempts', sentence: 'Ended.' }] as const;
  const steady = Array.from({ length: 20 }, (_, attempts) => ({ attempts, mb: 100 }));

  function broken(disk: readonly NewEvent[], change: Partial<Evidence> = {}, told: readonly NewEvent[] = disk): readonly string[] {
    const heard = new Told();
    for (const event of numbered(told)) heard.add(event);
    const evidence: Evidence = { attempts: 2, disk: numbered(disk), told: heard, survivors: [], steady, samples: steady, faults: new Map([[1, 'none'], [2, 'crash']]), ...change };
    return claimsOf(evidence).filter(({ holds }) => !holds).map(({ what }) => what);
  }

  it('hold for a run in which all is well', () => assert.deepEqual(broken(whole), []));

  it('fail where anything is not', () => {
    const without = (type: string, number: number): readonly NewEvent[] => whole.filter((event) => !(event.type === type && 'attempt' in event && event.attempt === number));
    assert.ok(broken(without('judged', 2)).includes('attempts with a verdict'));
    assert.ok(broken(without('judged', 2), {}, whole).includes('verdicts lost, of those that a client was told'));
    assert.ok(broken([...whole, { type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: '' } }]).includes('verdicts given twice'));
    assert.deepEqual(broken(whole, { disk: numbered(whole).map((event) => ({ ...event, seq: event.seq + 1 })) })[0], 'numbers of events with a gap or twice');
    assert.deepEqual(broken(whole, { faults: new Map([[1, 'hang'], [2, 'crash']]) }), ['verdicts that a fault can\'t have']);
    assert.deepEqual(broken(whole, {}, without('measured', 2)), ['the ledger folds the same from disk as what clients were told']);
    assert.deepEqual(broken(whole, { survivors: [{ pid: 1, command: 'sleep' }] }), ['processes left']);
    assert.deepEqual(broken(whole, { samples: [{ attempts: 3, mb: 151 }] }), ['memory of the engine at most']);
    assert.deepEqual(broken(whole, { steady: steady.map((sample, index) => ({ ...sample, mb: 90 + 2 * index })) }), ['memory of one engine, second half of its life against the first']);
  });
});
