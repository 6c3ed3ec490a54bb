import assert from 'node:assert/strict';
import { attemptsWords, expectedAttempts, forecast, forecastWords, type Forecasted } from '../../src/loop/forecast.ts';
import { forecastOfRun } from '../../src/loop/forecast-of-run.ts';
import { foldAll } from '../../src/loop/ledger.ts';
import { paceOf } from '../../src/loop/pace.ts';
import type { Measured, RunPlan, StopRules } from '../../src/records.ts';
import { begun, measured, numbered, plan, started } from './events.ts';

const NOW = Date.parse('2026-11-30T23:00:00Z');
const HOUR = 3_600_000;
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);
const EACH = { confirm: 'each', confidence: 0.95, maxRepeats: 20 } as const;

function planOf(stop: StopRules, more: Partial<RunPlan> = {}): RunPlan {
  return { ...plan, stop, morningMs: NOW + 9 * HOUR, verifier: EACH, ...more };
}

function words(given: Forecasted, scorerMs: number): string {
  return forecastWords(given, { scorerMs }, NOW, clock);
}

describe('how many attempts are to be expected', () => {
  const model: Partial<RunPlan> = { proposer: { kind: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' } };

  it('is told by the clock time that ends the run, and beside it what checking costs', () => {
    assert.equal(words(planOf({}, model), 300_000), 'about 61 attempts until 08:00 (100 without checking); first one in 20 min');
    assert.equal(words(planOf({ hours: 3 }), 300_000), 'about 20 attempts in 3 h (35 without checking); first one in 20 min');
    assert.equal(words(planOf({ hours: 20, untilMs: NOW + HOUR }), 300_000), 'about 5 attempts until 00:00 (11 without checking); first one in 20 min');
    assert.equal(words(planOf({ hours: 0.1 }), 300_000), 'about 1 attempt in 6 min; first one in 20 min');
  });

  it('is told as time where a number of attempts ends the run', () => {
    assert.equal(words(planOf({ attempts: 12 }), 10_000), '12 attempts in about 4 min (2 min without checking); first one in 1 min');
    assert.equal(words(planOf({}, model), 1_000), '60 attempts in about 17 min (16 min without checking); first one in 17 s');
    assert.equal(words(planOf({ attempts: 1 }, { verifier: { ...EACH, confirm: 'off' } }), 1_000), '1 attempt in about 2 s; first one in 2 s');
  });

  it('says no more than is planned for', () => {
    assert.equal(attemptsWords(planOf({ hours: 1 }), { scorerMs: 10 }, NOW, clock), 'about 500 or more attempts in 60 min');
    assert.equal(attemptsWords(planOf({ hours: 1 }), { scorerMs: 6_000 }, NOW, clock), 'about 360 attempts in 60 min (500 or more without checking)');
    assert.equal(attemptsWords(planOf({ attempts: 900 }), { scorerMs: 10 }, NOW, clock), 'about 500 or more attempts');
  });

  it('costs less where a night\'s gains are settled together, and nothing more without checking', () => {
    const [each, night, off] = (['each', 'night', 'off'] as const).map((confirm) => expectedAttempts(planOf({ hours: 8 }, { verifier: { ...EACH, confirm } }), 300_000, NOW));
    assert.deepEqual([each, night, off], [58, 72, 96]);
  });

  it('counts the time of stages in full, of gates and what comes last as far as attempts get there', () => {
    const bare = forecast(planOf({ hours: 8 }), { scorerMs: 60_000 }, NOW);
    const full = forecast(planOf({ hours: 8 }), { scorerMs: 60_000, stagesMs: 10_000, gatesMs: 20_000, lastMs: 100_000 }, NOW);
    assert.deepEqual([bare.attempts, bare.firstMs], [288, 300_000]);
    assert.deepEqual([full.attempts, full.firstMs], [220, 430_000]);
  });
});

describe('the pace of a plan\'s parts', () => {
  const beside: RunPlan = {
    ...plan, gates: [{ name: 'test', spec: plan.scorer, cwd: '' }],
    stages: [{ name: 'small', spec: plan.scorer, cwd: '', metric: plan.metric, when: 'first' }, { name: 'deep', spec: plan.scorer, cwd: '', metric: plan.metric, when: 'last' }],
    holdout: { name: 'holdout', spec: plan.scorer, cwd: '', metric: plan.metric, files: [] },
  };
  const took = (durationMs: number, more: Partial<Measured> = {}): Measured => ({ v: 1, run: 'run-1', seq: 0, at: '', ...measured(0, 1, { durationMs, ...more }) });

  it('is the middle of what was measured on the start file, by the names of the plan', () => {
    const runs = [took(10), took(30, { role: 'parent' }), took(14, { role: 'parent' }), took(2, { role: 'canary' }), took(5, { role: 'gate', name: 'test' }), took(7, { role: 'gate', name: 'types' }), took(3, { role: 'stage', name: 'small' }), took(40, { role: 'stage', name: 'deep' }), took(20, { role: 'holdout', name: 'holdout' })];
    assert.deepEqual(paceOf(beside, runs), { scorerMs: 14, stagesMs: 3, gatesMs: 5, lastMs: 60 });
    assert.deepEqual(paceOf(plan, runs), { scorerMs: 14 });
    assert.equal(paceOf(plan, [took(10, { outcome: 'crashed' })]), undefined);
  });

  it('tells of a run that goes on, once its start file is measured', () => {
    const run = planOf({ hours: 1 });
    const state = foldAll(numbered(begun(1, run, { durationMs: 60_000 })));
    assert.ok(state);
    assert.equal(forecastOfRun(state, clock), 'about 33 attempts in 60 min (59 without checking)');
    const ended = foldAll(numbered([...begun(1, run), { type: 'run-ended', reason: 'stopped', sentence: 'Stopped.' }]));
    const begins = foldAll(numbered([started(run)]));
    assert.deepEqual([ended, begins].map((each) => each && forecastOfRun(each, clock)), [undefined, undefined]);
  });
});
