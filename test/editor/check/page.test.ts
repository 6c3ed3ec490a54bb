import assert from 'node:assert/strict';
import { checkPage } from '../../../src/editor/check/page.ts';
import { STEP } from '../../../src/loop/audit/evidence.ts';
import { unreadyReport } from '../../../src/loop/audit/report.ts';
import { F, F2, G, reportOn, runs, sample } from '../../loop/audit/samples.ts';
import { english } from '../l10n.ts';

describe('the page of a check', () => {
  it('shows the same lines as the terminal, and each part of the file', () => {
    const report = reportOn(runs([50, 50, 50], { [`${STEP.mutant}${F.id}`]: sample(1), [`${STEP.mutant}${F2.id}`]: sample(50), [`${STEP.mutant}${G.id}`]: sample(50) }));
    const page = checkPage({ ...report, left: 2, stopped: true }, english);
    assert.match(page, /^# a\.py: loopable, with warnings\.\n\nMeasured with: true\n7 runs of the scorer stand behind this; this check took 1 ms\. It was stopped with 2 more wanted\. Check the file again to go on\.\n\n## Before a loop\n\n- \*\*yes\*\* Repeated often enough: You said/);
    for (const { title, evidence } of report.lines) assert.ok(page.includes(`${title}: ${evidence}\n`), title);
    assert.match(page, /## Parts of the file\n\n- f \(lines 2–9\): the score reacts \(1 of 2 breaks; unnoticed: a branch inverted in line 4\)\n- g \(lines 40–71\): the score does not react \(0 of 1 breaks\)\n- A \(line 1\): not tried\n$/);
  });

  it('says of a file that nothing measures what is missing', () => {
    const page = checkPage(unreadyReport({ target: 'a.py' }, ['No scorer: name it.'], ['npm test (package.json)']), english);
    assert.equal(page, '# a.py: no, not as it is.\n\n## Before a loop\n\n- **no** Verified without a person: No scorer: name it. Found beside it: npm test (package.json).\n');
  });

  it('holds no line that a file\'s or a command\'s text could have begun', () => {
    const report = reportOn(runs([50, 50]));
    const page = checkPage({ ...report, target: 'a\n# b.py', command: 'true\n## Forged' }, english);
    assert.doesNotMatch(page, /^# b|^## Forged/m);
  });
});
