import type { RunPlan } from '../../src/records.ts';

/** A plan for tests that need one and don't look at it. */
export const SAMPLE_PLAN: RunPlan = {
  target: 'a.py', scorer: { kind: 'shell', command: 'true' }, cwd: '', metric: { name: 'score', direction: 'higher' },
  stop: { attempts: 1 }, morningMs: 0, proposer: { kind: 'literals' }, seed: 1, context: [], protect: [], trainPy: false,
};
