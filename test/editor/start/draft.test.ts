import assert from 'node:assert/strict';
import { choose, chooseScorer, EMPTY_DRAFT, readDraft } from '../../../src/editor/start/draft.ts';

describe('what was chosen for a file', () => {
  it('comes back as it was kept', () => {
    const draft = chooseScorer(choose(EMPTY_DRAFT, { attempts: 12, proposer: 'literals' }), ['node', 'score.mjs'], '/w/pkg');
    assert.deepEqual(readDraft(JSON.parse(JSON.stringify(draft))), draft);
    assert.deepEqual(draft, { flags: { attempts: 12, proposer: 'literals', scorer: ['node', 'score.mjs'] }, folder: '/w/pkg' });
  });

  it('is taken back key by key', () => {
    const draft = choose(choose(EMPTY_DRAFT, { metric: 'ms', direction: 'lower' }), { metric: undefined, direction: undefined });
    assert.deepEqual(draft, EMPTY_DRAFT);
    assert.deepEqual(chooseScorer({ flags: { scorer: 'x' }, folder: '/w' }, undefined, undefined), EMPTY_DRAFT);
  });

  it('forgets what doesn\'t fit, whoever wrote it', () => {
    assert.deepEqual(readDraft(undefined), EMPTY_DRAFT);
    assert.deepEqual(readDraft('x'), EMPTY_DRAFT);
    assert.deepEqual(readDraft({ flags: { attempts: -1, unknown: 1, metric: 'ms' }, folder: 7 }), { flags: { metric: 'ms' } });
  });
});
