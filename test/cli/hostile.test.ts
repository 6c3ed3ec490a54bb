import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, readdir, symlink, truncate, writeFile } from 'node:fs/promises';
import type { Ask } from '../../src/protocol.ts';
import { SAMPLE_PLAN } from '../loop/sample-plan.ts';
import { Lab } from './lab.ts';
import { atTerminal } from './pty.ts';

const RUN = '20260101-000000-aaaaaa';
const HASH = 'a'.repeat(64);

/** A ledger as somebody may have forged it: its run is over, its best attempt kept, and its scorer does harm. */
function forged(command: string, extra: readonly object[] = []): string {
  const plan = { ...SAMPLE_PLAN, target: 'f.py', scorer: { kind: 'shell', command }, gates: [{ name: 'gate', spec: { kind: 'shell', command }, cwd: '' }] };
  const events = [
    { type: 'run-started', plan, baseline: HASH, build: 'x' }, { type: 'attempt-started', attempt: 0 },
    { type: 'measured', attempt: 0, role: 'candidate', seed: 1, outcome: 'scored', score: 1, why: 'a line', values: 1, source: 'line', durationMs: 1, output: HASH },
    { type: 'judged', attempt: 0, verdict: 'kept', evidence: { reason: 'the start' } }, { type: 'attempt-started', attempt: 1, parent: 0 },
    { type: 'edited', attempt: 1, candidate: HASH, hypothesis: 'x', addedLines: 1, removedLines: 1 }, ...extra,
  ];
  return events.map((event, seq) => `${JSON.stringify({ v: 1, run: RUN, seq, at: '2026-01-01T00:00:00.000Z', ...event })}\n`).join('');
}

describe('a workspace from somebody else', () => {
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open({ 'f.py': 'A = 10\n', 'score.py': 'import f\nprint("score:", f.A)\n' })));
  afterEach(() => lab.close());

  /** In the environment of no scorer: where a command of the workspace would leave its trace. */
  const trace = (): string => lab.path('../pwned');
  const unharmed = (): void => assert.equal(existsSync(trace()), false, 'a command of the workspace ran');

  it('starts nothing that its program.md names without a word: not a scorer, a gate, a stage, a holdout, nor less confinement', async () => {
    const harm = `touch ${trace()}; echo score: 1`;
    const fronts = [`scorer: "${harm}"`, `gates: ["${harm}"]`, `stages: [{scorer: "${harm}"}]`, `holdout: {scorer: "${harm}"}`, 'sandbox: off', 'allow: [net]', 'allow: [/usr]'];
    for (const front of fronts) {
      await lab.write('program.md', `---\n${front}\nproposer: literals\nattempts: 1\n---\n`);
      for (const command of front.startsWith('scorer') ? ['run', 'check', 'score'] : /^(?:sandbox|allow)/.test(front) ? ['run', 'score'] : ['run']) {
        const scorer = front.startsWith('scorer') ? [] : ['--score', `${harm};`];
        for (const json of front.startsWith('scorer') ? [[], ['--json']] : [[]]) {
          const { code, stderr } = await lab.ratchet(command, 'f.py', ...scorer, ...json);
          assert.equal(code, 2, `${command} ${front}: ${stderr}`);
          assert.match(stderr, /--yes/, front);
          if (/^(?:sandbox|allow)/.test(front)) assert.match(stderr, /--allow/, front);
        }
      }
      unharmed();
    }
  }).timeout(180_000);

  it('is asked about once for each text, by an answer that stays with the person', async () => {
    const answer = (send: string): Promise<{ readonly code: number | null; readonly shown: string }> => atTerminal(lab, ['score', 'f.py'], { when: '[Y/n]', send });
    const quiet = (): Promise<{ readonly code: number | null; readonly shown: string }> => atTerminal(lab, ['score', 'f.py']);
    await lab.write('program.md', '---\nscorer: python3 score.py\n---\n');
    // A file that a workspace brings along answers nothing.
    await lab.write('.ratchet/confirmed.json', '["*"]');
    assert.match((await answer('n\r')).shown, /python3 score\.py[^]*Start\?/);
    assert.equal((await answer('y\r')).code, 0);
    const again = await quiet();
    assert.equal(again.code, 0);
    assert.doesNotMatch(again.shown, /Start\?/);
    assert.equal((await lab.ratchet('score', 'f.py')).code, 0, 'without a terminal too');
    await lab.write('program.md', `---\nscorer: python3 score.py; touch ${trace()}\n---\n`);
    assert.match((await answer('n\r')).shown, /Start\?/);
    assert.equal((await lab.ratchet('score', 'f.py')).code, 2);
    unharmed();
    assert.deepEqual((await readdir(lab.path('.ratchet'))).filter((name) => name !== 'confirmed.json'), [], 'the answer lies elsewhere');
  }).timeout(120_000);

  it('answers no question of the confinement by files of its own', async () => {
    await lab.write('.ratchet/allowed.json', '{"f.py":{"sandbox":"off","allow":["net"]}}');
    await lab.write('allowed.json', '{"f.py":{"sandbox":"off"}}');
    assert.doesNotMatch((await lab.ratchet('score', 'f.py', '--score', 'python3 score.py')).stderr, /--sandbox off|with your rights: you|Allowed: the network/);
  });

  it('runs nothing that a ledger in its .ratchet names, whatever is asked of it', async () => {
    const evil = `touch ${trace()}`;
    await lab.write(`.ratchet/runs/${RUN}/ledger.jsonl`, forged(evil, [{ type: 'judged', attempt: 1, verdict: 'kept', evidence: { reason: 'better', score: 2, parentScore: 1 } }]));
    await lab.write('.ratchet/mechanisms/evil.js', `require('fs').writeFileSync(${JSON.stringify(trace())}, '')`);
    for (const words of [['log'], ['show'], ['show', RUN, '1'], ['diff'], ['accept', '--yes'], ['keep', RUN, '1', '--yes'], ['resume', RUN], ['pause', RUN], ['stop', RUN], ['show', RUN, '--json']]) {
      const { code, stderr } = await lab.ratchet(...words);
      assert.notEqual(code, 1, `${words.join(' ')}: ${stderr}`);
    }
    assert.equal(await lab.read('f.py'), 'A = 10\n');
    // A run beside it, whose engine finds the forged one as it starts.
    assert.notEqual((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '1')).code, 1);
    const engine = await lab.engine();
    assert.ok(engine);
    assert.equal((await engine.request('ratchet/watch', { run: RUN })).length >= 7, true);
    await assert.rejects(engine.request('ratchet/resume', { run: RUN }), /not going on/);
    await assert.rejects(engine.request('ratchet/text', { blob: HASH }), /no longer in|not the one/);
    engine.close();
    unharmed();
  }).timeout(120_000);

  it('starts nothing by the configuration of its git', async () => {
    execFileSync('git', ['init', '-q'], { cwd: lab.folder });
    await lab.write('evil.sh', `#!/bin/sh\ntouch ${trace()}\ncat\n`);
    await chmod(lab.path('evil.sh'), 0o755);
    const evil = lab.path('evil.sh');
    for (const key of ['core.fsmonitor', 'core.sshCommand', 'diff.external', 'core.pager', 'core.editor', 'filter.x.clean', 'filter.x.smudge', 'filter.x.process', 'diff.x.textconv', 'credential.helper', 'alias.ls-files']) execFileSync('git', ['config', key, key.startsWith('alias') ? `!${evil}` : evil], { cwd: lab.folder });
    execFileSync('git', ['config', 'core.hooksPath', lab.folder], { cwd: lab.folder });
    for (const hook of ['post-checkout', 'post-index-change', 'pre-commit', 'fsmonitor-watchman']) await link(evil, lab.path(hook));
    await lab.write('.gitattributes', '* filter=x diff=x\n');
    assert.equal((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '2', '--json')).code === 1, false);
    unharmed();
  }).timeout(120_000);

  it('writes nothing where a link of its .ratchet leads, and says so', async () => {
    const elsewhere = lab.path('../elsewhere');
    await mkdir(elsewhere);
    for (const [at, make] of [
      ['.ratchet', () => symlink(elsewhere, lab.path('.ratchet'))],
      ['.ratchet/runs', async () => { await mkdir(lab.path('.ratchet')); await symlink(elsewhere, lab.path('.ratchet/runs')); }],
      ['.ratchet/blobs', async () => { execFileSync('rm', ['-r', lab.path('.ratchet')]); await mkdir(lab.path('.ratchet')); await symlink(elsewhere, lab.path('.ratchet/blobs')); }],
    ] as const) {
      await make();
      const { code, stderr } = await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '1');
      assert.equal(code, 4, stderr);
      assert.match(stderr, /is a link, and Ratchet doesn't follow links there/);
      assert.deepEqual(await readdir(elsewhere), [], at);
      execFileSync('rm', [lab.path(at)]);
    }
  }).timeout(120_000);

  it('is read within bounds: a ledger of a gigabyte in one line, one that is a pipe, one of two hundred thousand events, huge texts', async () => {
    const runs = ['20260101-000000-bbbbbb', '20260101-000000-cccccc', '20260101-000000-dddddd'] as const;
    for (const run of runs) await mkdir(lab.path(`.ratchet/runs/${run}`), { recursive: true });
    const ledger = (run: string): string => lab.path(`.ratchet/runs/${run}/ledger.jsonl`);
    // Sparse: it takes no room on the disk.
    await writeFile(ledger(runs[0]), '{"v":1,"run":"');
    await truncate(ledger(runs[0]), 2 ** 30);
    execFileSync('mkfifo', [ledger(runs[1])]);
    const many = await open(ledger(runs[2]), 'w');
    await many.writeFile(forged('true').replaceAll(RUN, runs[2]));
    for (let part = 0; part < 20; part++) await many.writeFile(Array.from({ length: 10_000 }, (_, n) => `{"v":1,"run":"${runs[2]}","seq":${String(6 + part * 10_000 + n)},"at":"x","type":"${n % 2 === 0 ? 'noted","sentence":"s' : 'proposal-failed","attempt":2,"why":"s'}"}\n`).join(''));
    await many.close();
    await writeFile(lab.path('.ratchet/reviews.jsonl'), '');
    await truncate(lab.path('.ratchet/reviews.jsonl'), 2 ** 30);
    await lab.write('.ratchet/blobs/x', '');
    await writeFile(lab.path(`.ratchet/blobs/${HASH}`), '');
    await truncate(lab.path(`.ratchet/blobs/${HASH}`), 2 ** 30);

    const { stdout, code } = await lab.ratchet('log');
    assert.equal(code, 0);
    assert.match(stdout, /bbbbbb {2}.* is larger than anything that Ratchet writes there \(1024 MB\)/);
    assert.match(stdout, /cccccc {2}.* is not a plain file/);
    assert.match(stdout, /dddddd {2}f\.py/);
    assert.notEqual((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '1')).code, 1);
    const engine = await lab.engine();
    assert.ok(engine);
    assert.equal((await engine.request('ratchet/runs', {})).length, 4);
    await assert.rejects(engine.request('ratchet/watch', { run: runs[0] }), /larger than anything/);
    await assert.rejects(engine.request('ratchet/text', { blob: HASH }), /larger than anything/);
    engine.close();
  }).timeout(180_000);

  it('commands no terminal by a name of a file', async () => {
    const name = 'f\u001b]0;owned\u0007\u202e.py';
    await lab.write(name, 'A = 10\n');
    for (const words of [['score', name, '--score', 'echo score: 1'], ['run', name, '--score', 'echo score: 1', '--proposer', 'literals', '--attempts', '1'], ['log'], ['accept']]) {
      const { shown } = await atTerminal(lab, words);
      assert.doesNotMatch(shown, /\u001b\]|\u0007|\u202e/, words.join(' '));
    }
  }).timeout(120_000);

  it('starts nothing that program.md came to open after the page was seen', async () => {
    assert.notEqual((await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '1')).code, 1);
    const engine = await lab.engine();
    assert.ok(engine);
    const ask: Ask = { target: lab.path('f.py'), flags: { scorer: 'python3 score.py', proposer: 'literals' }, settings: {}, env: { PATH: process.env['PATH'] ?? '' } };
    const { id = '' } = await engine.request('ratchet/page', ask);
    for (const front of ['sandbox: off', 'allow: [net]', 'gates: ["true"]']) {
      await lab.write('program.md', `---\n${front}\n---\n`);
      await assert.rejects(engine.request('ratchet/start', { ...ask, seen: id, detached: true }), /changed since it was shown/, front);
    }
    engine.close();
  });
});
