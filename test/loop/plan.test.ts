import assert from 'node:assert/strict';
import { OPTIONS, readChoices } from '../../src/loop/options.ts';
import { makePlan, mergeChoices, metricOf, type PlanFacts } from '../../src/loop/plan.ts';
import { readProgram, waitingKeys } from '../../src/loop/program.ts';

const facts: PlanFacts = {
  target: 'src/f.py', trainPy: false, scorer: { spec: { kind: 'shell', command: 'x' }, cwd: '' }, baseUrl: 'http://127.0.0.1:1/v1', seed: 1, nowMs: 0,
  nextClock: (hours, minutes) => hours * 100 + minutes,
};

describe('choices', () => {
  it('names a wrong key with the one that was meant, and a wrong value with its kind', () => {
    const { choices, problems } = readChoices({ scorer: 'sh s.sh', 'target-score': 4, attempts: '10', hours: -1, until: '25:00', direction: 'up', budget: 0 });
    assert.deepEqual(choices, { scorer: 'sh s.sh' });
    assert.deepEqual(problems.map((problem) => problem.key), ['target-score', 'attempts', 'hours', 'until', 'direction', 'budget']);
    assert.match(problems[0]?.message ?? '', /Did you mean `target_score`/);
    assert.match(problems[1]?.message ?? '', /must be a number/);
  });

  it('lists the known keys where nothing is near', () => {
    assert.match(readChoices({ zzz: 1 }).problems[0]?.message ?? '', /Known keys: scorer, /);
  });

  it('refuses what is no mapping, and takes every key that it documents', () => {
    assert.equal(readChoices([1]).problems.length, 1);
    const good = {
      scorer: ['a', 'b'], metric: 'ms', direction: 'lower', unit: 'ms', budget: 5, timeout: 9, target_score: 1, attempts: 2, hours: 0.5, until: '08:00',
      tokens: 10, patience: 3, protect: ['X'], model: 'm', proposer: 'literals', context: ['a.py'], noise: 0.4, seed: 'SEED', confirm: 'each' as const, confidence: 0.9, maxRepeats: 12,
      memory: '2 GB', processes: 500, cpu: 60, fileSize: '10GB', keepAwake: 'off' as const,
      gates: ['a', ['b', 'c']], limits: { x: '+5%' }, stages: [{ scorer: 'a', threshold: 1, env: { N: '2' }, when: 'last' as const }], holdout: { scorer: 'h', files: ['x'] },
      cache: ['.tool-cache'], sandbox: 'required' as const, allow: ['net', 'gpu', 'env:A_B', '/data', '~/models', 'write:~/out'],
    };
    assert.deepEqual(Object.keys(good).sort(), Object.keys(OPTIONS).sort());
    assert.deepEqual(readChoices(good), { choices: good, problems: [] });
  });

  it('makes limits of what the scorer may use, and takes them from flags and settings alone', () => {
    const planned = makePlan({ proposer: 'literals', memory: '2 GB', cpu: 60, fileSize: '1 MB' }, facts);
    assert.deepEqual(planned.ok && planned.plan.resources, { memoryBytes: 2 ** 31, cpuS: 60, fileBytes: 2 ** 20 });
    assert.equal(Object.hasOwn(makePlan({ proposer: 'literals' }, facts), 'resources'), false);
    const { choices, problems } = readProgram('---\nmetric: score\nmemory: 900 GB\n---\n');
    assert.deepEqual(choices, { metric: 'score' });
    assert.deepEqual(problems, [{ key: 'memory', line: 3, message: '`memory` is about your machine and can\'t stand in program.md: use --memory, or the setting ratchet.scorer.memory.' }]);
    assert.match(readChoices({ memory: '2' }).problems[0]?.message ?? '', /must be a size with its unit/);
  });

  it('lets the machine sleep where a person says so, and program.md can\'t', () => {
    const sleeps = (keepAwake: 'on' | 'off'): unknown => { const planned = makePlan({ proposer: 'literals', keepAwake }, facts); return planned.ok && planned.plan.keepAwake; };
    assert.deepEqual([sleeps('on'), sleeps('off')], [undefined, false]);
    assert.match(readProgram('---\nkeepAwake: off\n---\n').problems[0]?.message ?? '', /about your machine/);
  });

  it('puts flags over front matter over settings', () => {
    assert.deepEqual(mergeChoices({ attempts: 1 }, { attempts: 2, hours: 2 }, { attempts: 3, hours: 3, patience: 3 }), { attempts: 1, hours: 2, patience: 3 });
  });
});

describe('program.md', () => {
  it('is no place for a few lines that stand for millions of values', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i] ?? ''}`).join(', ')}]`)].join('\n');
    assert.match(readProgram(`---\n${bomb}\n---\n`).problems[0]?.message ?? '', /can't be read.*alias/i);
  });

  it('knows which keys of an edit wait for the next run', () => {
    assert.deepEqual(waitingKeys({ scorer: 'a', attempts: 5, protect: ['x'] }, { scorer: 'b', attempts: 9, protect: ['x'] }), ['scorer']);
  });

  it('is a strategy with optional front matter', () => {
    assert.deepEqual(readProgram('Just words\n'), { choices: {}, strategy: 'Just words', problems: [] });
    const program = readProgram('\uFEFF---\r\nscorer: node score.mjs\r\nmetric: ms\r\n---\r\n# Plan\r\nBe quick.\r\n');
    assert.deepEqual(program.choices, { scorer: 'node score.mjs', metric: 'ms' });
    assert.equal(program.strategy, '# Plan\nBe quick.');
  });

  it('gives a mistake its line', () => {
    const program = readProgram('---\nmetric: ms\nscorrer: x\nattempts: many\n---\nGo.');
    assert.deepEqual(program.problems.map((problem) => [problem.line, problem.key]), [[3, 'scorrer'], [4, 'attempts']]);
    assert.equal(program.strategy, 'Go.');
    assert.equal(readProgram('---\nmetric: [\n---\n').problems.length, 1);
    assert.match(readProgram('---\nmetric: ms\n').problems[0]?.message ?? '', /no closing/);
  });

  it('says of YAML that can\'t be read one sentence, with one line, and what to do where a sign is special', () => {
    const { problems } = readProgram('---\nmetric: ms\nlimits:\n  lines: >= 1\n---\n');
    assert.deepEqual(problems, [{ line: 4, message: 'The front matter can\'t be read: Block scalar header includes extra characters: >=. A value that begins with > must stand in quotes.' }]);
    assert.deepEqual(readProgram('---\nscorer: a: b\n---\n').problems.map(({ line }) => line), [2]);
  });

  it('takes a rule in the middle of a text for what it is', () => {
    assert.deepEqual(readProgram('Hello\n---\nmetric: x\n---\n').choices, {});
  });
});

describe('the plan', () => {
  it('knows the directions of score and val_bpb, and asks for any other', () => {
    assert.deepEqual(metricOf({}, false), { name: 'score', direction: 'higher' });
    assert.deepEqual(metricOf({}, true), { name: 'val_bpb', direction: 'lower' });
    assert.deepEqual(metricOf({ scorer: 'x' }, true), { name: 'score', direction: 'higher' });
    assert.equal(metricOf({ metric: 'ms' }, false), undefined);
    assert.deepEqual(metricOf({ metric: 'ms', direction: 'lower', unit: 'ms' }, false), { name: 'ms', direction: 'lower', unit: 'ms' });
  });

  it('says all that is missing at once', () => {
    const { target, trainPy, baseUrl, seed, nowMs, nextClock } = facts;
    const planned = makePlan({ metric: 'ms' }, { target, trainPy, baseUrl, seed, nowMs, nextClock });
    assert.ok(!planned.ok);
    assert.deepEqual(planned.problems.map((problem) => problem.key), ['direction', 'scorer', 'proposer']);
  });

  it('never chooses a proposer by itself, and takes --model for openai', () => {
    const open = makePlan({ model: 'm' }, facts);
    assert.ok(open.ok);
    assert.deepEqual(open.plan.proposer, { kind: 'openai', model: 'm', baseUrl: facts.baseUrl });
    const replay = makePlan({ proposer: 'replay:a/b' }, facts);
    assert.ok(replay.ok);
    assert.deepEqual(replay.plan.proposer, { kind: 'replay', dir: 'a/b' });
    const nobody = makePlan({ proposer: 'openai' }, facts);
    assert.ok(!nobody.ok && nobody.problems[0]?.key === 'model');
  });

  it('lets a budget alone set the timeout too', () => {
    const one = makePlan({ proposer: 'literals', budget: 5 }, facts);
    const both = makePlan({ proposer: 'literals', budget: 5, timeout: 9, until: '07:30' }, facts);
    assert.ok(one.ok && both.ok);
    assert.deepEqual([one.plan.budgetS, one.plan.timeoutMs], [5, 5000]);
    assert.deepEqual([both.plan.budgetS, both.plan.timeoutMs, both.plan.stop.untilMs], [5, 9000, 730]);
  });
});
