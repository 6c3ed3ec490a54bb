import assert from 'node:assert/strict';
import { seeded } from '../../../bench/verifier/noises.ts';
import { signsIn, STEP, type Sample, type Samples } from '../../../src/loop/audit/evidence.ts';
import { findingsOf, listed } from '../../../src/loop/audit/findings.ts';
import { compare, referenceOf, type Comparison, type Reference } from '../../../src/loop/audit/reference.ts';
import { stepsOf, wantedSteps } from '../../../src/loop/audit/steps.ts';
import { AUDIT, F, F2, G, lineOn, reportOn, runs, sample } from './samples.ts';

const SCORE = { name: 'score', direction: 'higher' } as const;
const MS = { name: 'ms', direction: 'lower', unit: 'ms' } as const;
const reference = (baselines: readonly Sample[], metric: Reference['metric'] = SCORE): Reference => {
  const known = referenceOf(baselines, metric);
  assert.ok(known);
  return known;
};
const mutant = (id: string, run: Sample): Samples => ({ [`${STEP.mutant}${id}`]: run });

describe('comparing a run with the unchanged file', () => {
  it('is exact where the file repeats, seed by seed where only that does', () => {
    const exact = reference([sample(5), sample(5)]);
    const cases: readonly (readonly [Sample, Comparison])[] = [[sample(5), 'same'], [sample(5.0001), 'better'], [sample(4), 'worse'], [sample(undefined), 'other'], [sample(5, { outcome: 'timed-out' }), 'other']];
    for (const [run, how] of cases) assert.equal(compare(exact, run), how);
    const bySeed = reference([sample(5), sample(5), sample(9, { seed: 2 })]);
    assert.equal(bySeed.isExact, false);
    assert.equal(compare(bySeed, sample(5.1)), 'better');
    assert.equal(compare(bySeed, sample(9, { seed: 2 })), 'same');
    assert.equal(compare(reference([sample(5), sample(5)], MS), sample(4)), 'better');
  });

  it('allows for noise as far as it is known, and says where it can\'t tell', () => {
    const noisy = reference([20, 20.4, 19.8, 20.1, 19.9].map((score) => sample(score)), MS);
    assert.deepEqual([20.5, 20.98, 22, 2].map((score) => compare(noisy, sample(score))), ['same', 'unsure', 'worse', 'better']);
    assert.deepEqual([7, 7.5, 15].map((score) => compare(reference([sample(7)]), sample(score))), ['same', 'unsure', 'better']);
    assert.equal(referenceOf([sample(undefined)], SCORE), undefined);
  });
});

describe('what the breaks say of the parts', () => {
  it('is noticed, unnoticed or not tried, and which breaks went unseen', () => {
    const found = findingsOf(AUDIT, new Map([[F.id, sample(undefined)], [F2.id, sample(5)], [G.id, sample(5)]]), reference([sample(5), sample(5)]));
    assert.deepEqual(found.map(({ name, verdict, tried, noticed }) => [name, verdict, tried, noticed]), [['f', 'noticed', 2, 1], ['g', 'unnoticed', 1, 0], ['A', 'not tried', 0, 0]]);
    assert.deepEqual(found[0]?.unseen, ['a branch inverted in line 4']);
    assert.equal(findingsOf(AUDIT, new Map([[F.id, sample(7)]]), reference([sample(7.5)]))[0]?.verdict, 'not tried', 'one run can\'t tell');
  });

  it('names the parts that nothing depends on with their lines', () => {
    const { verdict, evidence } = lineOn('regions', runs([5, 5, 5, 5, 5], { ...mutant(F.id, sample(1)), ...mutant(G.id, sample(5)) }));
    assert.equal(verdict, 'warning');
    assert.equal(evidence, 'Nothing you measure depends on g (lines 40–71). 1 of 2 parts that were broken changed the score. Not tried: A (line 1).');
    assert.equal(lineOn('regions', runs([5, 5, 5, 5, 5], Object.fromEntries(AUDIT.mutants.map(({ id }) => [`${STEP.mutant}${id}`, sample(5)]))), { audit: { ...AUDIT, regions: AUDIT.regions.slice(0, 2) } }).verdict, 'no', 'it depends on none');
    assert.equal(listed([]), '');
    assert.equal(listed(['a']), 'a');
    assert.equal(listed(['a', 'b', 'c']), 'a, b and c');
    assert.equal(listed('abcdefgh'.split('')), 'a, b, c, d, e, f and 2 more');
  });
});

describe('a scorer\'s sickness', () => {
  it('a cached result: broken files give the very same', () => {
    const cached = { ...runs([40, 40, 40]), [`${STEP.canary}1`]: sample(40, { order: 1 }) };
    assert.equal(lineOn('cache', cached).verdict, 'no');
    assert.equal(lineOn('environment', cached, { loadedInstead: 'Most likely it loaded dist/a.py.' }).evidence, 'Breaking a.py changed nothing: the scorer doesn\'t load it, or reads a result that was kept. Most likely it loaded dist/a.py.');
    assert.equal(lineOn('exit-code', cached).verdict, 'not tried');
    const told = runs([40, 40]);
    assert.match(lineOn('cache', { ...told, [`${STEP.baseline}2`]: sample(40, { order: 3, signs: signsIn('turbo: FULL TURBO') }) }).evidence, /kept result was read/);
  });

  it('a cached result: the same text is quick, and a changed one slow again', () => {
    const timed = (again: number, changed: number): string => lineOn('cache', {
      ...runs([40, 40, 40]), [`${STEP.baseline}1`]: sample(40, { durationMs: 4_000 }),
      [`${STEP.baseline}2`]: sample(40, { order: 3, durationMs: again }), [`${STEP.baseline}3`]: sample(40, { order: 5, durationMs: again }), [STEP.noOp]: sample(40, { order: 4, durationMs: changed }),
    }).verdict;
    assert.equal(timed(100, 3_900), 'warning');
    assert.equal(timed(100, 110), 'yes', 'a first run that was cold');
    assert.equal(timed(3_900, 4_000), 'yes');
  });

  it('a cached result can\'t be told from a scorer that measures nothing', () => {
    const deaf = { ...runs([50, 50, 50], { ...mutant(F.id, sample(50)), ...mutant(G.id, sample(50)) }), [`${STEP.canary}1`]: sample(undefined, { order: 1 }) };
    assert.deepEqual([lineOn('cache', deaf).verdict, lineOn('regions', deaf).verdict], ['not tried', 'warning']);
    assert.match(lineOn('cache', deaf).evidence, /^Every text that could run scored the same/);
  });

  it('the order of runs is not what noise looks like', () => {
    const random = seeded(7);
    const checks = 1_000;
    for (const [what, value] of [['a fair coin', () => (random() < 0.5 ? 0 : 100)], ['a rare slip', () => (random() < 0.14 ? 0 : 100)], ['any value', random]] as const) {
      let told = 0;
      for (let i = 0; i < checks; i++) {
        const samples: Samples = {
          ...runs([value(), value(), value(), value(), value()]), ...mutant(F.id, sample(1, { order: 25 })), [STEP.noOp]: sample(value(), { order: 15 }), [`${STEP.pair}1`]: sample(value(), { order: 41 }), [`${STEP.pair}2`]: sample(value(), { order: 42 }),
        };
        if (['no', 'warning'].includes(lineOn('order', samples).verdict)) told++;
      }
      assert.ok(told / checks < 0.07, `${what}: ${told} of ${checks}`);
    }
  });

  it('the order of runs', () => {
    const order = (scores: readonly number[], more: Samples = {}): string => lineOn('order', runs(scores, more)).verdict;
    assert.equal(order([10, 11, 12.2, 13, 14]), 'no');
    assert.equal(order([10, 10.01, 10.02, 10.03, 10.04]), 'warning', 'a machine that warms up');
    assert.equal(order([10, 11, 12, 13]), 'warning');
    const pairOf = (first: number, second = first): Samples => ({ [`${STEP.pair}1`]: sample(first, { order: 41 }), [`${STEP.pair}2`]: sample(second, { order: 42 }) });
    const noOpOf = (score: number): Samples => ({ [STEP.noOp]: sample(score, { order: 15 }) });
    assert.equal(order([10, 20, 20, 20, 20], { ...noOpOf(20), ...pairOf(20) }), 'warning');
    assert.equal(order([10, 20, 20, 20]), 'not tried', 'a scorer that tosses a coin does so once in eight checks');
    assert.equal(order([10, 20, 20, 20, 20], { ...noOpOf(10), ...pairOf(20) }), 'yes', 'it is noise: the first value came again');
    const broken = mutant(F.id, sample(1, { order: 25 }));
    assert.equal(order([10, 10, 10, 7, 7], { ...broken, ...noOpOf(10), ...pairOf(7) }), 'no');
    assert.equal(order([10, 10, 10, 7, 7], broken), 'not tried');
    assert.equal(order([10, 10, 10, 10, 7], { ...broken, ...noOpOf(10), ...pairOf(10) }), 'yes', 'noise, which another line tells of');
    assert.equal(order([10, 12, 11, 13, 10]), 'yes');
    assert.equal(order([10, 10, 10, 10, 10]), 'yes');
    assert.equal(order([10, 10, 10]), 'not tried');
  });

  it('broken code that scores better', () => {
    const better = lineOn('broken', runs([50, 50, 50], mutant(F.id, sample(100))));
    assert.equal(better.verdict, 'no');
    assert.match(better.evidence, /^With f \(lines 2–9\) emptied it scores better: 100 instead of 50\./);
    assert.equal(lineOn('broken', runs([50, 50, 50], mutant(F2.id, sample(60)))).verdict, 'yes', 'a branch turned round may be an improvement');
    const rewarded = { ...runs([50, 50]), [`${STEP.canary}1`]: sample(100, { order: 1 }) };
    assert.match(lineOn('broken', rewarded).evidence, /^A file that only throws an error scores 100, better than 50/);
    assert.equal(lineOn('broken', runs([50, 50])).verdict, 'not tried');
  });

  it('a comment that counts, an exit code that hides a crash', () => {
    const noOp = (run: Sample, scores = [50, 50, 50]): string => lineOn('no-op', runs(scores, { [STEP.noOp]: run })).verdict;
    assert.deepEqual([noOp(sample(50)), noOp(sample(49)), noOp(sample(undefined)), noOp(sample(50), [40, 60, 55])], ['yes', 'warning', 'no', 'yes']);
    assert.equal(lineOn('no-op', runs([50])).verdict, 'not tried');
    const hidden = { ...runs([50, 50]), [`${STEP.canary}1`]: sample(0, { order: 1 }) };
    assert.match(lineOn('exit-code', hidden).evidence, /exit code 0 and 0\./);
    assert.equal(lineOn('exit-code', hidden, { plan: { target: 'a.yaml' } as never }).verdict, 'not tried');
    assert.equal(lineOn('exit-code', runs([50, 50])).verdict, 'yes');
  });

  it('a baseline at the top, steps that are coarse, more values than one', () => {
    assert.equal(lineOn('headroom', runs([100, 100])).verdict, 'no');
    assert.equal(lineOn('headroom', runs([99, 97, 99.5, 98])).verdict, 'warning');
    assert.equal(lineOn('headroom', runs([3, 3]), { plan: { metric: MS } as never }).verdict, 'yes');
    assert.equal(lineOn('headroom', runs([0, 0]), { plan: { metric: MS } as never }).verdict, 'no');
    const coarse = { ...runs([50, 50]), [`${STEP.baseline}1`]: sample(50, { cases: 4, values: 2 }), ...mutant(F.id, sample(25)) };
    assert.match(lineOn('resolution', coarse).evidence, /is 25; there are 4 cases/);
    assert.equal(lineOn('values', coarse).verdict, 'warning');
    assert.match(lineOn('resolution', runs([50, 52, 51, 49])).evidence, /^A gain of about 2\.58/);
    assert.equal(lineOn('resolution', runs([98, 99, 97, 99.5])).verdict, 'no');
  });

  it('noise, with what the runner claims beside it', () => {
    const noisy = { ...runs([20, 26, 14, 22, 18]), [`${STEP.baseline}1`]: sample(20, { claimed: 0.8 }) };
    const { verdict, evidence } = lineOn('noise', noisy);
    assert.equal(verdict, 'warning');
    assert.match(evidence, /^±4\.4721 \(22 %\), the standard deviation of 5 runs with 3 seeds: from 14 to 26\. Your runner says ±0\.8 %, repeated runs say ±22 %\./);
    assert.equal(lineOn('noise', runs([20])).verdict, 'not tried');
    assert.equal(lineOn('noise', runs([20, 20, 20.1, 20, 19.9])).verdict, 'yes');
  });

  it('two runs at once that disturb each other', () => {
    const pair = (a: Sample, b: Sample): Samples => ({ [`${STEP.pair}1`]: a, [`${STEP.pair}2`]: b });
    const said = (a: Sample, b: Sample): string => lineOn('parallel', runs([50, 50], pair(a, b))).evidence;
    assert.match(said(sample(50), sample(50)), /^They don't disturb each other/);
    assert.match(said(sample(50), sample(undefined)), /gave no score/);
    assert.match(said(sample(50), sample(45)), /side by side one scored 45, alone 50/);
    assert.match(said(sample(50), sample(50, { durationMs: 4_000 })), /^They slow each other down: 4 s side by side, 1 s alone/);
    assert.equal(lineOn('parallel', runs([50, 50])).verdict, 'not tried');
  });

  it('input, a watcher, a failure now and then', () => {
    assert.deepEqual(signsIn('EOFError: EOF when reading a line'), ['input']);
    assert.deepEqual(signsIn('the input device is not a TTY'), ['input']);
    assert.deepEqual(signsIn("OSError: [Errno 6] No such device or address: '/dev/tty'"), ['input']);
    assert.deepEqual(signsIn('Found 0 errors. Watching for file changes.'), ['watch']);
    assert.deepEqual(signsIn('>>> FULL TURBO'), ['cache']);
    assert.deepEqual(signsIn('all well'), []);
    const first = (more: Partial<Sample>): string => lineOn('verification', { [`${STEP.baseline}1`]: sample(undefined, more) }).evidence;
    assert.match(first({ signs: ['input'] }), /^It asks for input/);
    assert.match(first({ outcome: 'timed-out', signs: ['watch'] }), /waits for files to change/);
    assert.match(first({}), /exit code 1/);
    assert.equal(lineOn('budget', { [`${STEP.baseline}1`]: sample(undefined) }).verdict, 'not tried');
    assert.match(lineOn('verification', runs([50, undefined, 50])).evidence, /^Of 3 runs on the unchanged file 1 gave no score/);
  });
});

describe('the prerequisites', () => {
  it('tell how many tokens a run takes, and invent no price', () => {
    const openai = { proposer: { kind: 'openai', model: 'm', baseUrl: 'x' }, stop: { attempts: 40 } };
    const said = (plan: object, more = {}): { readonly verdict: string; readonly evidence: string } => lineOn('budget', runs([50, 50]), { plan: plan as never, ...more });
    assert.match(said(openai).evidence, /^About 40 attempts in 11 min, each with about 4,200 tokens of m: 170,000 in all\. No price is known/);
    assert.equal(said({ ...openai, stop: { attempts: 40, tokens: 10_000 } }).verdict, 'warning');
    assert.match(said(openai, { readChars: 1_000_000 }).evidence, /more than many models read/);
    assert.match(said({ stop: { attempts: 40 } }).evidence, /without a model/);
    assert.equal(said({ stop: { hours: 0.001 } }).verdict, 'warning');
  });

  it('name a goal that is vague, and what was said of how often it comes back', () => {
    const openai = { plan: { proposer: { kind: 'openai', model: 'm', baseUrl: 'x' } } as never };
    const goal = (strategy: string | undefined): string => lineOn('goal', runs([50]), { ...openai, strategy }).verdict;
    assert.deepEqual([goal(undefined), goal(' '), goal('Go.'), goal('Make slug() right for every word with accents.')], ['warning', 'warning', 'warning', 'yes']);
    assert.equal(lineOn('goal', runs([50]), { strategy: undefined }).verdict, 'yes', 'literals needs none');
    const repeated = (said: 'said' | 'assumed' | 'once' | undefined): string => lineOn('repeated', runs([50]), { repeated: said }).verdict;
    assert.deepEqual([repeated('said'), repeated('assumed'), repeated('once'), repeated(undefined)], ['yes', 'yes', 'warning', 'not tried']);
  });

  it('give the worst of the lines as the whole, and nothing where nothing was run', () => {
    const all = runs([50, 50, 50, 50, 50], { [STEP.noOp]: sample(50), ...mutant(F.id, sample(1)), ...mutant(G.id, sample(2)), [`${STEP.pair}1`]: sample(50), [`${STEP.pair}2`]: sample(50) });
    assert.equal(reportOn(all).verdict, 'yes');
    assert.equal(reportOn({ ...all, [STEP.noOp]: sample(51) }).verdict, 'warning');
    assert.equal(reportOn({ ...all, ...mutant(G.id, sample(60)) }).verdict, 'no');
    assert.ok(reportOn({}, { repeated: undefined, strategy: undefined }).lines.every(({ verdict, id }) => verdict === 'not tried' || id === 'goal'));
  });
});

describe('the steps of a check', () => {
  const steps = stepsOf({ text: 'x', audit: AUDIT, canaries: ['!'], noOp: 'x#', seed: 7, reseeded: (seed) => `x${seed}` });

  it('begin with what decides most, and repeat the unchanged file before, between and after the breaks', () => {
    assert.deepEqual(steps.map(({ id, seed }) => `${id} ${seed}`), [
      'baseline-1 7', 'canary-1 7', 'baseline-2 7', 'no-op 7', 'baseline-3 8', 'mutant-emptied:f 7', 'mutant-emptied:g 7', 'mutant-branch:f 7', 'baseline-4 7', 'pair- 7', 'baseline-5 9',
    ]);
    assert.deepEqual(steps.filter(({ kind }) => kind === 'baseline').map((step) => step.text()), ['x', 'x', 'x8', 'x', 'x9'], 'with another seed in the place of its own');
  });

  it('leave out what can tell nothing more', () => {
    const left = (samples: Samples): readonly string[] => wantedSteps(steps, samples, AUDIT, SCORE).map(({ id }) => id);
    assert.deepEqual(left(runs([5, 5, 5, 5, 5], { [STEP.noOp]: sample(5), [`${STEP.pair}1`]: sample(5), ...mutant(F.id, sample(5)), ...mutant(G.id, sample(1)) })), [], 'f is unnoticed as a whole');
    assert.deepEqual(left(runs([5, 5, 5, 5, 5], { [STEP.noOp]: sample(5), [`${STEP.pair}1`]: sample(5), ...mutant(F.id, sample(1)), ...mutant(G.id, sample(1)) })), [`mutant-${F2.id}`]);
    assert.deepEqual(left({ ...runs([5, 5, 5]), [`${STEP.canary}1`]: sample(5, { order: 1 }) }), ['no-op', 'baseline-4', 'pair-', 'baseline-5'], 'the file is never loaded');
  });
});
