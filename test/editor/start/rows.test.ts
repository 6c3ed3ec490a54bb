import assert from 'node:assert/strict';
import { missingRows, pageRows, type PageFacts, type Row } from '../../../src/editor/start/rows.ts';
import type { StartPage } from '../../../src/protocol.ts';
import { plan } from '../../loop/events.ts';
import { english } from '../l10n.ts';

const EMPTY: StartPage = { problems: [], root: '/w', program: '/w/src/program.md', offers: [], scratch: 'private copies', confinement: 'none' };
const NOW = Date.parse('2026-11-30T21:00:00Z');
const WHOLE: StartPage = { ...EMPTY, plan, command: 'python3 score.py', folder: '/w', why: 'you named it', literals: '7 numbers in this file' };

function rows(given: Partial<PageFacts>): ReadonlyMap<string, Row> {
  const facts: PageFacts = { page: WHOLE, problems: [], proposerChosen: true, chosen: [], target: '/w/src/f.py', unsaved: false, key: 'no key is set', nowMs: NOW, clock: () => '08:00', ...given };
  return new Map(pageRows(facts, english).map((row) => [row.id, row]));
}

describe('the start page', () => {
  it('shows everything that will happen', () => {
    const page = rows({});
    assert.deepEqual([...page.keys()], ['start', 'try', 'change', 'run', 'better', 'stop', 'forecast', 'checked', 'proposer', 'loopable', 'files', 'confinement']);
    assert.equal(page.get('start')?.icon, 'play');
    assert.deepEqual(page.get('run'), { id: 'run', icon: 'terminal', label: 'Run', description: 'python3 score.py', detail: 'in /w · you named it' });
    assert.equal(page.get('better')?.description, 'higher score (0–100)');
    assert.equal(page.get('stop')?.description, 'after 5 attempts, or at a score of 100');
    assert.equal(page.get('proposer')?.description, 'no model: varies 7 numbers in this file');
    assert.equal(page.get('files')?.description, 'nothing changes until you accept');
    assert.match(rows({ unsaved: true }).get('change')?.detail ?? '', /unsaved text/);
    assert.equal(rows({ page: { ...WHOLE, awake: 'this machine may sleep: why' } }).get('awake')?.description, 'this machine may sleep: why');
  });

  it('says in what a run is confined, what it is given beyond that, and how much it may use', () => {
    const confinement = 'by bubblewrap: no network, no home folder';
    const row = (page: Partial<StartPage>, id: string): Row | undefined => rows({ page: { ...WHOLE, ...page } }).get(id);
    assert.deepEqual([row({ confinement }, 'confinement')?.description, row({ confinement }, 'confinement')?.detail], ['by bubblewrap', 'no network, no home folder']);
    assert.equal(row({ confinement, allowed: ['net', '~/models'] }, 'confinement')?.description, 'by bubblewrap · allowed: the network · to read ~/models');
    assert.match(row({ resources: { memoryBytes: 2 ** 31, processes: 1000 } }, 'stop')?.detail ?? '', / · 2 GB of memory, 1000 processes$/);
  });

  it('shows what else runs, and the limits', () => {
    const also = [{ role: 'gate', command: 'npm test', folder: '/w', why: 'must pass' }, { role: 'holdout', command: 'node held.js', folder: '/w/a', why: 'runs last' }] as const;
    const facts: PageFacts = { page: { ...WHOLE, also, limits: ['lines <= 300'] }, problems: [], proposerChosen: true, chosen: [], target: '/w/src/f.py', unsaved: false, key: '', nowMs: NOW, clock: () => '08:00' };
    assert.deepEqual(pageRows(facts, english).filter(({ id }) => id === 'also').map(({ label, description, detail }) => [label, description, detail]), [
      ['Gate', 'npm test', 'in /w · must pass'], ['Holdout', 'node held.js', 'in /w/a · runs last'], ['Limits', 'lines <= 300', undefined],
    ]);
  });

  it('says how many attempts are to be expected where the time of a run is known, and makes nothing up', () => {
    const night = { ...plan, stop: { untilMs: NOW + 11 * 3_600_000 }, verifier: { confirm: 'each', confidence: 0.95, maxRepeats: 20 } } as const;
    const expected = (given: Partial<PageFacts>): string | undefined => rows(given).get('forecast')?.description;
    assert.equal(expected({ page: { ...WHOLE, plan: night } }), 'told after Try Once, or after the first run: how long one takes is not known yet');
    assert.equal(expected({ page: { ...WHOLE, plan: night, pace: { scorerMs: 300_000 } } }), 'about 78 attempts until 08:00 (130 without checking); first one in 20 min');
    const tried = { outcome: 'scored', score: 1, metric: { name: 'score', direction: 'higher' as const }, metrics: {}, cases: [], why: '', durationMs: 600_000, candidates: [], output: '' };
    assert.equal(expected({ page: { ...WHOLE, plan: night, pace: { scorerMs: 300_000 } }, tried }), 'about 38 attempts until 08:00 (65 without checking); first one in 40 min');
  });

  it('says how a gain is made sure of, and asks for the noise that only a person knows', () => {
    const verifier = { confirm: 'each', confidence: 0.95, maxRepeats: 20 } as const;
    const page = rows({ page: { ...WHOLE, plan: { ...plan, verifier }, seededInside: true } });
    assert.equal(page.get('checked')?.description, 'each: what looks better is run again, at most 20 runs; 95 %');
    assert.equal(page.get('noise')?.icon, 'question');
    assert.match(page.get('noise')?.detail ?? '', /^The file seeds its own random numbers: until you say, what looks better waits/);
    assert.equal(rows({ page: { ...WHOLE, plan: { ...plan, verifier } } }).get('noise'), undefined);
    assert.equal(rows({ page: { ...WHOLE, plan: { ...plan, verifier: { ...verifier, confirm: 'off' } }, seededInside: true } }).get('noise'), undefined);
    const given = { ...plan, metric: { name: 'ms', direction: 'lower', unit: 'ms' }, verifier: { ...verifier, noise: 0.4 } } as const;
    assert.equal(rows({ page: { ...WHOLE, plan: given, seededInside: true } }).get('noise')?.description, '±0.4 ms from seed to seed, as you said');
    assert.equal(rows({ page: { ...WHOLE, plan: given } }).get('noise')?.description, '±0.4 ms from run to run, as you said');
  });

  it('shows what an earlier check found', () => {
    assert.match(rows({}).get('loopable')?.description ?? '', /^not checked yet: /);
    assert.equal(rows({ page: { ...WHOLE, checked: { verdict: 'warning', titles: ['Noise', 'A clear goal'] } } }).get('loopable')?.description, 'checked: 2 warnings (Noise, A clear goal)');
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
