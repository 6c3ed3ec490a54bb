import assert from 'node:assert/strict';
import type { RunPlan } from '../../src/records.ts';
import { pageId } from '../../src/engine/page-id.ts';
import { plan } from '../loop/events.ts';

const DAY_MS = 24 * 3_600_000;
const id = (change: Partial<RunPlan> = {}, command = 'python3 score.py', folder = '/w'): string => pageId({ ...plan, ...change }, { command, folder });

describe('the name of a page', () => {
  it('is another for whatever would run otherwise', () => {
    const all = [
      id(), id({}, 'python3 other.py'), id({}, undefined, '/w/sub'), id({ stop: { attempts: 6 } }), id({ proposer: { kind: 'replay', dir: 'r' } }), id({ context: ['a.md'] }),
      pageId(plan, { command: 'python3 score.py', folder: '/w', also: [{ role: 'gate', command: 'npm test', folder: '/w', why: '' }] }),
      id({ gates: [{ name: 'a', spec: plan.scorer, cwd: '' }] }), id({ stop: { untilMs: 5 } }), id({ stop: { untilMs: 6 } }),
    ];
    assert.equal(new Set(all).size, all.length);
  });

  it('is the same tomorrow', () => {
    assert.equal(id({ morningMs: plan.morningMs + DAY_MS }), id());
    assert.equal(id({ stop: { untilMs: 5 + DAY_MS } }), id({ stop: { untilMs: 5 } }));
  });
});
