import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { LedgerEvent } from '../../src/records.ts';
import { attemptOf, foldAll, scoreOf, type RunState } from '../../src/loop/ledger.ts';
import { parseLedger } from '../../src/loop/ledger-text.ts';
import { eventsOf, Lab, verdictsOf } from './lab.ts';

const TARGET = 'A = 10\nB = 0.5\nC = 3\n';
/** Waits where a file says so, as soon as the target is changed. */
const SCORER = 'import os, time\nimport f\nif os.path.exists("wait") and f.A * f.B != 5:\n    time.sleep(300)\nprint("score:", 90 - abs(f.A * f.B - 12) - abs(f.C - 5))\n';
const RUN = ['run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--confirm', 'off'];

describe('ratchet resume of a run that was broken off', () => {
  let lab: Lab;
  afterEach(() => lab.close());

  async function ledger(run: string): Promise<readonly LedgerEvent[]> {
    return parseLedger(await lab.read(`.ratchet/runs/${run}/ledger.jsonl`)).events;
  }
  function folded(events: readonly LedgerEvent[]): RunState {
    return foldAll(events) ?? assert.fail('no run');
  }

  /** A run whose engine is killed in the middle of an attempt after so many verdicts. */
  async function killed(verdicts: number, ...flags: readonly string[]): Promise<string> {
    lab = await Lab.open({ 'f.py': TARGET, 'score.py': SCORER });
    const going = lab.start([...RUN, '--timeout', '250', '--json', ...flags]);
    await going.until((text) => verdictsOf(eventsOf(text.slice(0, text.lastIndexOf('\n') + 1))).length >= verdicts);
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
    const { stdout } = await going.ended;
    return eventsOf(stdout.slice(0, stdout.lastIndexOf('\n') + 1))[0]?.run ?? assert.fail(stdout);
  }

  it('goes on with the same best, history and budgets, and one verdict an attempt', async () => {
    const run = await killed(6, '--attempts', '14');
    const before = folded(await ledger(run));
    const { code, events, stderr } = await lab.events('resume', run);
    assert.equal(code, 0, stderr);
    assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['run-resumed', 'run-ended']);
    const all = await ledger(run);
    const after = folded(all);
    assert.deepEqual(all.map(({ seq }) => seq), all.map((_, index) => index), 'no number is given twice');
    const judged = all.flatMap((event) => (event.type === 'judged' ? [event.attempt] : []));
    assert.deepEqual(judged, judged.map((_, index) => index), 'one verdict each, in order');
    for (const attempt of before.attempts.filter(({ verdict }) => verdict !== undefined)) assert.deepEqual(attemptOf(after, attempt.number)?.verdict, attempt.verdict);
    const decided = after.attempts.filter(({ number, verdict }) => number > 0 && verdict !== 'cancelled');
    assert.equal(decided.length, 14, 'what was done before counts');
    assert.equal(after.end?.reason, 'attempts');
    assert.ok((scoreOf(attemptOf(after, after.champion)) ?? 0) >= (scoreOf(attemptOf(before, before.champion)) ?? 0));
    const first = events.find((event) => event.type === 'attempt-started');
    assert.equal(first?.type === 'attempt-started' && first.parent, before.champion, 'it starts from the same best');
    const texts = decided.map(({ candidate }) => candidate).filter((text) => text !== undefined);
    assert.equal(new Set(texts).size, texts.length, 'nothing that was decided is tried again');
    assert.ok(!events.some((event) => event.type === 'measured' && event.attempt === 0 && event.role !== 'parent'), 'the start is not measured anew');
  }).timeout(60_000);

  it('tries again what was in flight, under a new number', async () => {
    lab = await Lab.open({ 'f.py': 'A = True\n', 'score.py': 'import os, time\nimport f\nif os.path.exists("wait") and not f.A:\n    time.sleep(300)\nprint("score:", 10 if f.A else 20)\n', wait: '' });
    const going = lab.start([...RUN, '--timeout', '250', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
    await going.ended;
    await rm(lab.path('wait'));
    // The last run is meant where none is named, and nothing else is going on.
    const { code, stdout, stderr } = await lab.ratchet('resume');
    assert.equal(code, 0, stderr);
    const { attempts, champion } = folded(await ledger(/\d{8}-\d{6}-\w+/.exec(stdout)?.[0] ?? ''));
    assert.deepEqual([attempts[1]?.verdict, attempts[1]?.evidence?.reason], ['cancelled', 'The engine ended before it was decided.']);
    assert.deepEqual([attempts[2]?.candidate, attempts[2]?.verdict, champion], [attempts[1]?.candidate, 'kept', 2]);
  }).timeout(60_000);

  it('resumes what a person stopped, and refuses what is over or never began', async () => {
    lab = await Lab.open({ 'f.py': TARGET, 'score.py': SCORER, wait: '' });
    const going = lab.start([...RUN, '--timeout', '250', '--attempts', '2', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    going.process.kill('SIGINT');
    const [{ run = '' } = {}] = eventsOf((await going.ended).stdout);
    await rm(lab.path('wait'));
    assert.match((await lab.ratchet('resume', run)).stdout, /Ended: all 2 attempts are done/);
    const again = await lab.ratchet('resume', run);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /is over, it was not broken off\. Ended: all 2 attempts are done\. Start a new one/);
    await lab.write('score.py', 'import time\ntime.sleep(300)\n');
    const never = lab.start([...RUN, '--timeout', '250', '--json']);
    await never.until((text) => text.includes('"type":"attempt-started"'));
    never.process.kill('SIGINT');
    await never.ended;
    const refused = await lab.ratchet('resume');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /ended before its start file was measured/);
  }).timeout(60_000);

  it('asks once before it runs what a ledger names, and not what this person started', async () => {
    const run = await killed(2, '--attempts', '3');
    const { confirmed } = await lab.runtime();
    await rm(confirmed);
    const asked = await lab.ratchet('resume', run);
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /ledger names what it runs: python3 score\.py\. Nobody has confirmed that yet: look at it, then add --yes/);
    assert.equal((await ledger(run)).at(-1)?.type, 'run-ended', 'nothing was started');
    assert.match((await lab.ratchet('resume', run, '--yes')).stdout, /all 3 attempts are done/);
  }).timeout(60_000);

  it('ends where the scorer gives no score any more, and can be resumed when it does', async () => {
    const run = await killed(3, '--attempts', '6');
    await lab.write('score.py', 'raise SystemExit("gone")\n');
    const broken = await lab.ratchet('resume', run);
    assert.match(broken.stdout, /The run did not go on, because the scorer gives no score any more on .+: /);
    await lab.write('score.py', SCORER);
    assert.match((await lab.ratchet('resume', run)).stdout, /all 6 attempts are done/);
  }).timeout(60_000);
});
