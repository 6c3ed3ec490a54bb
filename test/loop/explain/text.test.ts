import assert from 'node:assert/strict';
import { explain } from '../../../src/loop/explain.ts';
import { explanationText } from '../../../src/loop/explain/text.ts';
import { rowsOf, tableOf } from './logs.ts';

function told(options: { readonly noise?: number }, ...rows: readonly string[]): string {
  const explanation = explain(tableOf(rowsOf(...rows)), options);
  assert.ok(typeof explanation !== 'string');
  return explanationText(explanation, 120);
}

describe('the text of an explanation', () => {
  it('is a table and a sum', () => {
    assert.equal(told({ noise: 1 }, 'k 10', 'd 9', 'k 16', 'd 15.5', 'k 16.5', 'd 14', 'k 15', 'k 16.2'), [
      '8 scored rows of score (higher is better); the start scored 10 and 4 more were kept.',
      'One run varies by ±1: that was given.',
      '',
      'row  score  gain  ÷ noise  chance  verdict       what would settle it       description',
      '  3     16    +6      4.2  <0.1 %  likely real                              attempt 2',
      '  5   16.5  +0.5      0.4    43 %  within noise  50 more runs of each       attempt 4',
      '  7     15  -1.5     -1.1          not better    a new start, or less code  attempt 6',
      '  8   16.2  +1.2      0.8    20 %  within noise  9 more runs of each        attempt 7',
      '',
      'Of 3 kept, 1 is likely real, 2 are within noise. Expected false keeps: about 2.',
      '1 more kept without a better score isn\'t judged.',
      'In all: score 10 → 16.5, a gain of 6.5; chance that so much is luck: <0.1 %.',
      '',
    ].join('\n'));
  });

  it('says so where nothing better was kept', () => {
    assert.match(told({}, 'k 10', 'd 9'), /^2 scored rows .* 0 more were kept\.\n.*\n\nNo row was kept that scored better than what it replaced\.\n$/);
  });

  it('shows no control character of a log', () => {
    const rows = rowsOf('k 1', 'k 9').map((row) => ({ ...row, description: '\u001b[31mred\u202e' }));
    const explanation = explain(tableOf(rows, 'm\u001b'), { noise: 1 });
    assert.ok(typeof explanation !== 'string');
    assert.doesNotMatch(explanationText(explanation, 120), /[\u001b\u202e]/);
  });
});
