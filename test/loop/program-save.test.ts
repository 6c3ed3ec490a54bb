import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { saveChoices } from '../../src/loop/program-save.ts';
import { readProgram } from '../../src/loop/program.ts';
import type { Choices } from '../../src/loop/options.ts';

describe('choices saved in program.md', () => {
  it('make a new one', () => {
    assert.equal(saveChoices('', { scorer: 'python3 score.py', metric: 'ms', direction: 'lower' }), '---\nscorer: python3 score.py\nmetric: ms\ndirection: lower\n---\n');
  });

  it('go into the one that is there, and change nothing else', () => {
    const before = '\uFEFF---\r\n# mine\r\nattempts: 5 # enough\r\nprotect: [SEED, "x: y"]\r\n---\r\n\r\n# Strategy\r\n---\r\nFaster.\r\n';
    const after = saveChoices(before, { attempts: 9, scorer: ['node', 'bench.mjs'] });
    assert.ok(after !== undefined);
    assert.ok(after.startsWith('\uFEFF---\r\n# mine\r\nattempts: 9 # enough\r\nprotect: [SEED, "x: y"]\r\nscorer:\r\n'), after);
    assert.ok(after.endsWith('---\r\n\r\n# Strategy\r\n---\r\nFaster.\r\n'));
    assert.ok(!after.replaceAll('\r\n', '').includes('\n'));
    assert.equal(saveChoices('Only words.\n', { hours: 2 }), '---\nhours: 2\n---\nOnly words.\n');
  });

  it('leave one with a mistake alone', () => {
    for (const text of ['---\nattempts: 5\n', '---\n- a\n---\n', '---\n"a: 1\n---\n']) assert.equal(saveChoices(text, { attempts: 1 }), undefined);
  });

  it('are read back as they were, whatever stood there', () => {
    const words = fc.stringMatching(/^[ -~]{0,20}[!-~]$/).map((word) => word.trim()).filter((word) => word !== '');
    const choices: fc.Arbitrary<Choices> = fc.record({ scorer: fc.oneof(words, fc.array(words, { minLength: 1 })), attempts: fc.integer({ min: 1 }), unit: words, until: fc.constantFrom('08:00', '7:05') }, { requiredKeys: [] });
    fc.assert(fc.property(choices, choices, fc.string(), (first, then, strategy) => {
      const body = strategy.trimStart().startsWith('---') ? '' : strategy;
      const once = saveChoices(body, first);
      const twice = once === undefined ? undefined : saveChoices(once, then);
      assert.ok(twice !== undefined);
      const read = readProgram(twice);
      assert.deepEqual(read.problems, []);
      assert.deepEqual(read.choices, { ...first, ...then });
      assert.equal(read.strategy, readProgram(body).strategy);
    }));
  });
});
