import assert from 'node:assert/strict';
import { startPage, wholePage } from '../../src/cli/start-page.ts';
import type { StartPage } from '../../src/protocol.ts';
import { SAMPLE_PLAN } from '../loop/sample-plan.ts';

const NOW = new Date(2026, 10, 30, 21, 0).getTime();
const VERIFIER = { confirm: 'night', confidence: 0.99, maxRepeats: 60 } as const;
const PAGE: StartPage = {
  plan: { ...SAMPLE_PLAN, stop: { untilMs: new Date(2026, 11, 1, 8, 0).getTime() }, verifier: VERIFIER },
  problems: [], root: '/w', command: 'true', folder: '/w', why: 'you named it', offers: [], program: '/w/program.md', scratch: 'A copy.', confinement: 'none',
};

function lineOf(page: StartPage, name: string): string | undefined {
  return startPage(page, NOW).split('\n').find((line) => line.startsWith(name))?.slice(11);
}

describe('the start page of the terminal', () => {
  it('says how many attempts are to be expected, where that is known', () => {
    assert.equal(lineOf({ ...PAGE, pace: { scorerMs: 300_000 } }, 'Expected'), 'about 96 attempts until 08:00 tomorrow (130 without checking); first one in 20 min');
    assert.equal(lineOf(PAGE, 'Expected'), 'told after the first run of the scorer: how long one takes isn\'t known yet');
  });

  it('says of a time of the clock whether it is tomorrow\'s', () => {
    assert.equal(lineOf(PAGE, 'Stop'), 'at 08:00 tomorrow, or at a score of 100');
    assert.equal(lineOf({ ...PAGE, plan: { ...SAMPLE_PLAN, stop: { untilMs: NOW + 180_000 } } }, 'Stop'), 'at 21:03, or at a score of 100');
  });

  it('says how a gain is made sure of, and what to write where only a person knows the noise', () => {
    assert.equal(lineOf(PAGE, 'Checked'), 'night: what looks better is run again in the last quarter, at most 60 runs; 99 %');
    assert.equal(lineOf(PAGE, 'Noise'), undefined);
    assert.match(lineOf({ ...PAGE, seededInside: true }, 'Noise') ?? '', /^the file seeds its own random numbers: .* as `noise:` into program\.md/);
    assert.equal(lineOf({ ...PAGE, seededInside: true, plan: { ...SAMPLE_PLAN, verifier: { ...VERIFIER, noise: 2 } } }, 'Noise'), '±2 from seed to seed, as you said');
  });

  it('says what a confined scorer is given, and how much one run may use', () => {
    assert.equal(lineOf({ ...PAGE, confinement: 'by bubblewrap: no network', allowed: ['net'] }, 'Confined'), 'by bubblewrap: no network. Allowed: the network');
    assert.equal(lineOf({ ...PAGE, resources: { processes: 1000 } }, 'At most'), '1000 processes, for one run');
    assert.equal(lineOf(PAGE, 'At most'), undefined);
  });

  it('says whether the machine stays awake, where the engine says it', () => {
    assert.equal(lineOf({ ...PAGE, awake: 'this machine may sleep: why' }, 'Awake'), 'this machine may sleep: why');
    assert.equal(lineOf(PAGE, 'Awake'), undefined);
  });

  it('says what a check found, and how to make one', () => {
    assert.match(lineOf(PAGE, 'Loopable') ?? '', /^not checked yet: ratchet check FILE/);
    for (const [verdict, titles, words] of [['yes', ['A', 'B'], 'checked: yes'], ['warning', ['A'], 'checked: 1 warning (A)'], ['no', ['A', 'B'], 'checked: no (A, B)']] as const)
      assert.equal(lineOf({ ...PAGE, checked: { verdict, titles } }, 'Loopable'), words);
  });

  it('names what was found so that a shell takes it as it is', () => {
    const { plan: _plan, ...page } = PAGE;
    const offers = [
      { scorer: 'npx ava --tap || test $? -eq 1', folder: '/w', why: 'tests' },
      { scorer: ['node', 'b.js'], folder: '/w', why: 'a benchmark', metric: { name: 'mean', direction: 'lower' } },
    ] as const;
    assert.throws(() => wholePage({ ...page, problems: [{ key: 'scorer', message: 'No scorer.' }], offers }), ({ message }: Error) => {
      assert.deepEqual(message.split('\n').slice(2), ['  --score \'npx ava --tap || test $? -eq 1\'   (tests, in /w)', '  --score \'node b.js\' --metric mean --direction lower   (a benchmark, in /w)']);
      return true;
    });
  });
});
