import assert from 'node:assert/strict';
import { rm, utimes } from 'node:fs/promises';
import type { LedgerEvent } from '../../src/records.ts';
import { attemptOf, foldAll, scoreOf, standingScores } from '../../src/loop/ledger.ts';
import { parseLedger } from '../../src/loop/ledger-text.ts';
import { eventsOf, Lab, verdictsOf } from './lab.ts';

/** Its score depends on another file of the workspace, which a test changes. */
const SCORER = 'import json, time\nimport f\nprint("score:", json.load(open("data.json"))["base"] - abs(f.A - 12) - abs(f.B - 7))\n';
const FILES = { 'f.py': 'A = 10\nB = 3\n', 'score.py': SCORER, 'data.json': '{"base": 50}', 'notes/a.txt': 'one' };
const RUN = ['run', 'f.py', '--score', 'python3 score.py', '--proposer', 'literals', '--timeout', '20'];

describe('a run whose other files changed', () => {
  let lab: Lab;
  afterEach(() => lab.close());

  async function ledger(run: string): Promise<readonly LedgerEvent[]> {
    return parseLedger(await lab.read(`.ratchet/runs/${run}/ledger.jsonl`)).events;
  }

  /** A run that was broken off after something was kept. */
  async function broken(...flags: readonly string[]): Promise<string> {
    lab = await Lab.open(FILES);
    const going = lab.start([...RUN, '--json', ...flags]);
    await going.until((text) => verdictsOf(eventsOf(text.slice(0, text.lastIndexOf('\n') + 1))).slice(1).includes('kept'));
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
    const { stdout } = await going.ended;
    return eventsOf(stdout.slice(0, stdout.lastIndexOf('\n') + 1))[0]?.run ?? assert.fail(stdout);
  }

  for (const confirm of ['off', 'each'])
    it(`goes on in a new epoch, which names them, and compares no score with one from before (confirm ${confirm})`, async () => {
      const run = await broken('--attempts', '9', '--confirm', confirm);
      // All scores fall by 40: whoever compared them with those from before would keep nothing any more.
      await lab.write('data.json', '{"base": 10}');
      await lab.write('notes/b.txt', 'new');
      await rm(lab.path('notes/a.txt'));
      const { stdout, stderr } = await lab.ratchet('resume', run);
      assert.match(stdout, /Other files that the scorer is shown changed: data\.json, notes\/a\.txt, notes\/b\.txt\. Start file and best/, stderr);
      const events = await ledger(run);
      const at = events.findIndex(({ type }) => type === 'epoch-started');
      const [before, after] = [foldAll(events.slice(0, at)), foldAll(events)];
      assert.ok(before && after && after.end?.reason !== 'baseline-failed');
      const anew = events.slice(at).flatMap((event) => (event.type === 'measured' && event.role !== 'canary' ? [event] : []));
      assert.deepEqual([anew[0]?.attempt, anew[0]?.role, anew[0]?.score], [0, 'candidate', 10 - 2 - 4]);
      const firstOfBest = anew.find(({ attempt }) => attempt > 0);
      assert.deepEqual([firstOfBest?.attempt, firstOfBest?.role], [before.champion, 'parent']);
      for (const event of events.slice(at)) {
        if (event.type !== 'judged' || event.evidence.score === undefined) continue;
        assert.ok(event.evidence.score <= 10 && (event.evidence.parentScore ?? 0) <= 10, JSON.stringify(event.evidence));
      }
      const { from, best } = standingScores(after);
      assert.equal(from, 4);
      assert.ok(best !== undefined && best <= 10 && best > 4, `${best}`);
      assert.ok((scoreOf(attemptOf(after, 0)) ?? 0) <= 10);
      assert.match((await lab.ratchet('log')).stdout, /4 → /);
    }).timeout(90_000);

  it('goes on in the same epoch where nothing but times changed, and what is steered by the program', async () => {
    const run = await broken('--attempts', '4', '--confirm', 'off');
    await utimes(lab.path('data.json'), new Date(), new Date());
    const { stdout } = await lab.ratchet('resume', run);
    assert.doesNotMatch(stdout, /measured anew/);
    assert.equal((await ledger(run)).filter(({ type }) => type === 'epoch-started').length, 0);
  }).timeout(60_000);

  it('stops, and says why, where the start file gives no score any more', async () => {
    const run = await broken('--attempts', '9', '--confirm', 'off');
    await lab.write('data.json', '{}');
    const { stdout } = await lab.ratchet('resume', run);
    assert.match(stdout, /changed: data\.json\.[^]*The run did not go on, because the scorer gives no score any more on the unchanged file/);
    await lab.write('data.json', '{"base": 50}');
    const again = await lab.ratchet('resume', run);
    assert.match(again.stdout, /measured anew[^]*Ended: (?:all 9 attempts|every value)/, 'an epoch that broke off is no ground to go on from');
  }).timeout(90_000);

  it('sees while it goes on what is not its own copy: an installed package that became another', async () => {
    lab = await Lab.open({ ...FILES, 'score.py': `${SCORER}time.sleep(0.3)\n`, 'node_modules/p/package.json': '{"version":"1.0.0"}', 'node_modules/.package-lock.json': '{"p":"1.0.0"}' });
    const going = lab.start([...RUN, '--attempts', '8', '--confirm', 'off', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    await lab.write('node_modules/.package-lock.json', '{"p":"2.0.0 "}');
    await lab.write('node_modules/q/package.json', '{"version":"1.0.0"}');
    const { stdout } = await going.ended;
    const epoch = eventsOf(stdout).find((event) => event.type === 'epoch-started');
    assert.ok(epoch?.type === 'epoch-started', stdout.slice(-2000));
    assert.ok(epoch.changed.some((path) => path.startsWith('node_modules/')), JSON.stringify(epoch.changed));
  }).timeout(90_000);
});
