import assert from 'node:assert/strict';
import { missingRows, pageRows, type PageFacts, type Row } from '../../../src/editor/start/rows.ts';
import type { StartPage } from '../../../src/protocol.ts';
import { plan } from '../../loop/events.ts';
import { english } from '../l10n.ts';

const EMPTY: StartPage = { problems: [], root: '/w', program: '/w/src/program.md', offers: [], scratch: 'private copies', confinement: 'none' };
const WHOLE: StartPage = { ...EMPTY, plan, command: 'python3 score.py', folder: '/w', why: 'you named it', literals: '7 numbers in this file' };

function rows(given: Partial<PageFacts>): ReadonlyMap<string, Row> {
  const facts: PageFacts = { page: WHOLE, problems: [], proposerChosen: true, chosen: [], target: '/w/src/f.py', unsaved: false, key: 'no key is set', clock: () => '08:00', ...given };
  return new Map(pageRows(facts, english).map((row) => [row.id, row]));
}

describe('the start page', () => {
  it('shows everything that will happen', () => {
    const page = rows({});
    assert.deepEqual([...page.keys()], ['start', 'try', 'change', 'run', 'better', 'stop', 'proposer', 'files', 'confinement']);
    assert.equal(page.get('start')?.icon, 'play');
    assert.deepEqual(page.get('run'), { id: 'run', icon: 'terminal', label: 'Run', description: 'python3 score.py', detail: 'in /w · you named it' });
    assert.equal(page.get('better')?.description, 'higher score (0–100)');
    assert.equal(page.get('stop')?.description, 'after 5 attempts, or at a score of 100');
    assert.equal(page.get('proposer')?.description, 'no model: varies 7 numbers in this file');
    assert.equal(page.get('files')?.description, 'nothing changes until you accept');
    assert.match(rows({ unsaved: true }).get('change')?.detail ?? '', /unsaved text/);
  });

  it('shows what else runs, and the limits', () => {
    const also = [{ role: 'gate', command: 'npm test', folder: '/w', why: 'must pass' }, { role: 'holdout', command: 'node held.js', folder: '/w/a', why: 'runs last' }] as const;
    const facts: PageFacts = { page: { ...WHOLE, also, limits: ['lines <= 300'] }, problems: [], proposerChosen: true, chosen: [], target: '/w/src/f.py', unsaved: false, key: '', clock: () => '08:00' };
    assert.deepEqual(pageRows(facts, english).filter(({ id }) => id === 'also').map(({ label, description, detail }) => [label, description, detail]), [
      ['Gate', 'npm test', 'in /w · must pass'], ['Holdout', 'node held.js', 'in /w/a · runs last'], ['Limits', 'lines <= 300', undefined],
    ]);
  });

  it('marks what is missing, and asks for that alone', () => {
    const problems = [{ key: 'proposer', message: 'Say who.' }, { key: 'scorer', message: 'No scorer.' }];
    assert.deepEqual(missingRows(problems), ['run', 'proposer']);
    const page = rows({ page: { ...EMPTY, offers: [{ scorer: 'npm run bench', folder: '/w', why: 'package.json has the script bench' }] }, problems, proposerChosen: false });
    assert.match(page.get('start')?.description ?? '', /asks what is missing: a command, who proposes/);
    assert.equal(page.get('run')?.icon, 'warning');
    assert.match(page.get('run')?.detail ?? '', /package\.json has the script bench/);
    assert.equal(page.get('proposer')?.icon, 'warning');
    assert.equal(page.get('better')?.icon, 'graph');
  });

  it('shows a mistake in program.md, and doesn\'t start over it', () => {
    const page = rows({ problems: [{ key: 'atempts', message: 'program.md:2: There is no option `atempts`.' }] });
    assert.match(page.get('problem')?.description ?? '', /program\.md:2/);
    assert.match(page.get('start')?.description ?? '', /first solve/);
    assert.deepEqual(missingRows([{ key: 'atempts', message: '' }]), []);
  });

  it('says the rule that holds where no end was chosen', () => {
    assert.match(rows({ page: { ...WHOLE, plan: { ...plan, stop: {} } } }).get('stop')?.detail ?? '', /60 attempts or 30 min.* 08:00/);
    assert.match(rows({ page: { ...WHOLE, plan: { ...plan, stop: { patience: 4 } } } }).get('stop')?.description ?? '', /^after 4 attempts without an improvement, or at a score of 100, or by how long/);
  });

  it('can save what was chosen, and nothing else', () => {
    const row = rows({ chosen: ['scorer', 'hours'] }).get('save');
    assert.deepEqual([row?.label, row?.description], ['Save as program.md', 'for the terminal and for others too: scorer, hours']);
  });

  it('says what a try showed, where it was read and how long it took', () => {
    const tried = { outcome: 'scored', metric: { name: 'score', direction: 'higher' as const }, metrics: {}, cases: [], why: 'The last line says score:   42.', durationMs: 1250, candidates: [], output: '' };
    assert.equal(rows({ tried: { ...tried, score: 42 } }).get('try')?.detail, 'score 42 · took 1.3 s · The last line says score: 42.');
    assert.equal(rows({ tried: { ...tried, outcome: 'no-score', why: 'Nothing was printed.' } }).get('try')?.detail, 'no score · took 1.3 s · Nothing was printed.');
  });

  it('says to whom a model\'s server is shown what, and with which key', () => {
    const page = { ...WHOLE, plan: { ...plan, proposer: { kind: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' } as const } };
    const row = rows({ page, key: 'with the stored key' }).get('proposer');
    assert.equal(row?.description, 'model m at http://127.0.0.1:1/v1');
    assert.match(row.detail ?? '', /sees this file.*with the stored key/);
  });
});
