import assert from 'node:assert/strict';
import { Lab } from './lab.ts';

interface Answer {
  readonly outcome: string;
  readonly score: number | null;
  readonly why: string;
}

describe('a scorer that says something else than a plain number', () => {
  let lab: Lab;
  before(async () => (lab = await Lab.open({ 'f.py': 'A = 2\n' })));
  after(() => lab.close());

  const scored = async (scorer: string, metric: readonly string[] = []): Promise<Answer> => {
    const { code, stdout, stderr } = await lab.ratchet('score', 'f.py', '--score', scorer, ...metric, '--json');
    const answer = JSON.parse(stdout) as Answer;
    assert.equal(code, answer.outcome === 'scored' ? 0 : 4, stderr);
    assert.match(answer.why, /^[^\n]+[.)]$/, 'one sentence');
    return answer;
  };
  const MS = ['--metric', 'ms', '--direction', 'lower'];

  const none: readonly (readonly [name: string, scorer: string, outcome: string, why: RegExp, metric?: readonly string[]])[] = [
    ['a decimal comma', 'echo "score: 98,5"', 'no-score', /^The number in "score: 98,5" has a comma: let the scorer print it with a decimal point/],
    ['a decimal comma after a number with a point', 'echo "score: 50"; echo "score: 98,5"', 'no-score', /"score: 98,5" has a comma/],
    ['a decimal comma alone', 'echo 98,5', 'no-score', /"98,5" has a comma/],
    ['1e308 as a score', 'echo "score: 1e308"', 'invalid-score', /^`score` is 1e\+308/],
    ['1e308 in a unit of its own', 'echo "ms: 1e308"', 'invalid-score', /^`ms` is 1e\+308, too large a number/, MS],
    ['NaN', 'echo "score: NaN"', 'invalid-score', /^`score` is NaN, not a finite number/],
    ['a death by a signal', 'echo "score: 50"; kill -SEGV $$', 'crashed', /SIGSEGV \(it used memory that is not its own\)/],
    ['a question', 'echo "score: 50"; read answer && echo "$answer"', 'crashed', /^The scorer ended with exit code 1/],
    ['a runner that tested nothing', 'echo "TAP version 13"; echo "1..0"', 'no-score', /nothing was checked/],
  ];
  for (const [name, scorer, outcome, why, metric] of none)
    it(`${name} is no score`, async () => {
      const answer = await scored(scorer, metric);
      assert.deepEqual([answer.outcome, answer.score], [outcome, null], answer.why);
      assert.match(answer.why, why);
    });

  it('negative zero is zero', async () => {
    const { outcome, score } = await scored('echo "score: -0.0"');
    assert.deepEqual([outcome, score], ['scored', 0]);
  });

  it('megabytes of output hide neither a score before them nor one behind them', async () => {
    const loud = 'head -c 9000000 /dev/zero | tr "\\0" x; echo';
    assert.equal((await scored(`${loud}; echo "score: 40"`)).score, 40);
    assert.equal((await scored(`echo "score: 40"; ${loud}`)).score, 40);
    assert.equal((await scored(loud)).outcome, 'no-score');
  });
}).timeout(120_000);
