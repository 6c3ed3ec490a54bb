import assert from 'node:assert/strict';
import { holdoutProblem } from '../../../src/loop/checks/holdout-choice.ts';
import type { ScorerSpec } from '../../../src/records.ts';

const shell = (command: string): ScorerSpec => ({ kind: 'shell', command });
const argv = (...words: readonly string[]): ScorerSpec => ({ kind: 'argv', argv: words });
const SCORER = { key: 'scorer', spec: shell('python3 score.py --fast'), cwd: '' };

describe('a holdout that is chosen', () => {
  const problem = (spec: ScorerSpec, files: readonly string[] = [], cwd = ''): string | undefined => holdoutProblem({ spec, cwd }, files, [SCORER, { key: 'stages', spec: argv('sh', 'small.sh'), cwd: '' }]);

  it('may not run what the model is shown, however it is written', () => {
    for (const spec of [SCORER.spec, shell(' python3   score.py\t--fast '), shell('python3 ./score.py --fast'), argv('python3', 'score.py', '--fast')])
      assert.equal(problem(spec), '`holdout` runs the same command as `scorer`, so it measures nothing that the model can\'t see: name another scorer for it, or the `files` that it alone is shown.');
    assert.match(problem(shell('sh small.sh')) ?? '', /the same command as `stages`/);
  });

  it('may run another command, in another folder, or on files of its own', () => {
    for (const spec of [shell('python3 score.py'), shell('python3 score.py --held'), { kind: 'module', file: 'score.py', language: 'python' } as const]) assert.equal(problem(spec), undefined);
    assert.equal(problem(SCORER.spec, [], 'pkg'), undefined);
    assert.equal(problem(SCORER.spec, ['held']), undefined);
  });
});
