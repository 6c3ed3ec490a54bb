import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { eventsOf, hashTree, Lab, reply, verdictsOf, type Going } from './lab.ts';

const TARGET = 'A = 10\nB = 0.5\n\n\ndef value():\n    return A * B\n';
const SCORER = 'import f\nprint("score:", 100 - abs(f.value() - 12))\n';
const SCORE = ['--score', 'python3 score.py'];

describe('ratchet run', () => {
  let lab: Lab;
  const open = async (files: Readonly<Record<string, string>> = {}): Promise<Lab> => (lab = await Lab.open({ 'f.py': TARGET, 'score.py': SCORER, ...files }));
  afterEach(() => lab.close());

  it('improves a file with literals and leaves the person\'s tree as it was', async () => {
    await open({ 'sub/data.txt': 'x', 'node_modules/p/index.js': '1', '.gitignore': 'node_modules/\n' });
    const before = await hashTree(lab.folder);
    const { code, events } = await lab.events('run', 'f.py', ...SCORE, '--proposer', 'literals', '--attempts', '12');
    assert.equal(code, 0);
    assert.equal(events[0]?.type, 'run-started');
    assert.equal(events.at(-1)?.type, 'run-ended');
    const judged = events.filter((event) => event.type === 'judged');
    assert.deepEqual(judged.map((event) => event.attempt), judged.map((_, index) => index), 'one verdict an attempt, in order');
    assert.equal(judged[0]?.verdict, 'kept');
    assert.ok(judged.slice(1).some((event) => event.verdict === 'kept'));
    assert.equal(await hashTree(lab.folder), before);
    assert.equal(await lab.read('.ratchet/.gitignore'), '*\n');
    const rows = (await lab.read(`.ratchet/runs/${events[0]?.run ?? ''}/results.tsv`)).trimEnd().split('\n');
    assert.equal(rows.length, judged.length + 1);
    assert.match(rows[0] ?? '', /^commit\tscore\tmemory_gb\tstatus\tdescription$/);
  });

  it('gives every kind of reply its verdict, and goes on', async () => {
    await open({
      'r/001.md': reply('A = 10', 'A = 20'), 'r/002.md': reply('A = 99', 'A = 1'), 'r/003.md': reply('A = 20', 'A = undefined'),
      'r/004.md': reply('A = 20', 'A = 2'), 'r/005.md': reply('A = 20', 'A = 20  # wide'), 'r/006.md': reply('A = 20', 'import time\ntime.sleep(60)\nA = 24'),
      'r/007.md': 'I would rather ask first: what is A?', 'r/008.md': reply('A = 20', 'A = float("nan")'), 'r/009.md': reply('A = 20', 'import os\nos._exit(0)'), 'r/010.md': reply('A = 20', 'A = 25  # \0'), 'r/011.md': reply('A = 20', `A = 25  # ${'x'.repeat(1_100_000)}`),
    });
    const { code, events } = await lab.events('run', 'f.py', ...SCORE, '--proposer', 'replay:r', '--attempts', '11', '--timeout', '4');
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', 'refused', 'crashed', 'discarded', 'refused', 'timed-out', 'refused', 'invalid-score', 'no-score', 'refused', 'refused']);
    assert.equal(code, 0);
    const codes = events.flatMap((event) => (event.type === 'judged' && event.verdict === 'refused' ? [event.evidence.code] : []));
    assert.deepEqual(codes, ['not-found', 'no-change', 'no-edit', 'binary', 'too-large']);
  }).timeout(60_000);

  it('ends with exit code 3 and one sentence when nothing was better, and says when replies run out', async () => {
    await open({ 'r/1.md': reply('A = 10', 'A = 2') });
    const { code, events } = await lab.events('run', 'f.py', ...SCORE, '--proposer', 'replay:r', '--attempts', '5');
    const end = events.at(-1);
    assert.equal(code, 3);
    assert.ok(end?.type === 'run-ended' && end.reason === 'nothing-left' && end.sentence.startsWith('Ended: '));
  });

  it('does not start when the scorer never loads the file, and says which one it loads', async () => {
    await open({ 'build/f.py': 'def value():\n    return 3\n', 'score2.py': 'import sys\nsys.path.insert(0, "build")\nimport f\nprint("score:", f.value())\n' });
    const { code, events } = await lab.events('run', 'f.py', '--score', 'python3 score2.py', '--proposer', 'literals', '--attempts', '5');
    const end = events.at(-1);
    assert.equal(code, 4);
    assert.ok(end?.type === 'run-ended' && end.reason === 'canary');
    assert.match(end.sentence, /never loaded the file you want to improve.*build\/f\.py/);
    assert.ok(!events.some((event) => event.type === 'proposed'));
  });

  it('notices a scorer that never loads the file even where its timings differ', async () => {
    await open({ 'noisy.py': 'import random\nprint("ms:", 20 + random.random())\n' });
    const { code, events } = await lab.events('run', 'f.py', '--score', 'python3 noisy.py', '--metric', 'ms', '--direction', 'lower', '--proposer', 'literals', '--attempts', '2');
    // By chance alone three pairs lie apart once in twenty; then the run starts and keeps to its rules.
    if (code !== 4) assert.ok(events.length > 0);
    else assert.equal(events.at(-1)?.type === 'run-ended' && events.at(-1), events.at(-1));
  });

  it('ends with 130 on Ctrl-C, and nothing of it is left', async () => {
    await open({ 'slow.py': 'import subprocess, time\nimport f\nif f.A != 10:\n    subprocess.Popen(["sleep", "300"], start_new_session=True)\n    time.sleep(300)\nprint("score: 1")\n' });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    going.process.kill('SIGINT');
    const { code, stdout } = await going.ended;
    assert.equal(code, 130);
    assert.deepEqual(verdictsOf(eventsOf(stdout)), ['kept', 'cancelled']);
  });

  it('says on Ctrl-C too what was kept, and how to take it', async () => {
    await open({ 'slow.py': 'import time\nimport f\nif f.A == 11:\n    time.sleep(300)\nprint("score:", f.A)\n', 'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 20', 'A = 11') });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'replay:r', '--timeout', '250']);
    await going.until((text) => /#1 +kept/.test(text));
    going.process.kill('SIGINT');
    const { code, stdout } = await going.ended;
    assert.equal(code, 130);
    assert.match(stdout, /1 kept of \d[^]*Ended: it was stopped\.[^]*\+A = 20[^]*Take it with: \S+ \S+ accept/);
  }).timeout(60_000);

  it('takes a folder of replies from where the person stands', async () => {
    await open({ 'sub/r/1.md': reply('A = 10', 'A = 20'), '.ratchet/.gitignore': '*' });
    const { code, stdout } = await lab.start(['run', '../f.py', '--score', 'python3 score.py', '--proposer', 'replay:r'], lab.path('sub')).ended;
    assert.equal(code, 0, stdout);
  });

  it('asks for a key before it measures, where the server is OpenAI\'s own', async () => {
    await open({});
    const { code, stderr } = await lab.ratchet('run', 'f.py', ...SCORE, '--proposer', 'openai', '--model', 'm');
    assert.equal(code, 2);
    assert.match(stderr, /wants a key\. Set one: OPENAI_API_KEY/);
  });

  it('stops a foreground run whose terminal was killed', async () => {
    await open({ 'slow.py': 'import time\nimport f\nif f.A != 10:\n    time.sleep(300)\nprint("score: 1")\n' });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    const run = eventsOf((await lab.ratchet('log', '--json')).stdout.replaceAll('\n', '\n'))[0]?.run ?? '';
    going.process.kill('SIGKILL');
    await going.ended;
    const engine = await lab.engine();
    assert.ok(engine, 'the engine outlives its client');
    for (;;) {
      const events = await engine.request('ratchet/watch', { run });
      if (events.at(-1)?.type === 'run-ended') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    engine.close();
  });

  it('leaves nothing behind when the engine is killed, and what is in the ledger stays', async () => {
    await open({ 'slow.py': 'import time\nimport f\nif f.A != 10:\n    time.sleep(300)\nprint("score: 1")\n' });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--timeout', '250', '--json']);
    await going.until((text) => text.includes('"type":"edited"'));
    const engine = await lab.engine();
    assert.ok(engine);
    process.kill(engine.engine.pid, 'SIGKILL');
    await engine.closed;
    const { code, stderr } = await going.ended;
    assert.equal(code, 4);
    assert.match(stderr, /The engine ended before run/);
    assert.match((await lab.ratchet('log')).stdout, /f\.py.*not ended/);
    // A new engine serves the root, idle, and a new run starts.
    const next = await lab.events('run', 'f.py', ...SCORE, '--proposer', 'literals', '--attempts', '1');
    assert.deepEqual(verdictsOf(next.events).length, 2);
  }).timeout(60_000);

  it('goes on detached, is followed, paused, resumed and stopped from elsewhere, and refuses a second start', async () => {
    await open({ 'slow.py': 'import time\nimport f\ntime.sleep(0.2)\nprint("score:", f.A)\n' });
    const { stdout, code } = await lab.ratchet('run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--attempts', '500', '--detach', '--json');
    assert.equal(code, 0);
    const { run } = JSON.parse(stdout) as { run: string };
    const second = await lab.ratchet('run', 'f.py', ...SCORE, '--proposer', 'literals');
    assert.equal(second.code, 4);
    assert.match(second.stderr, /going on already/);
    assert.equal((await lab.ratchet('pause', run)).code, 0);
    const engine = await lab.engine();
    assert.ok(engine);
    const paused = Promise.withResolvers<void>();
    engine.on('ratchet/event', (event) => event.type === 'steered' && event.what === 'paused' && paused.resolve());
    if (!(await engine.request('ratchet/watch', { run })).some((event) => event.type === 'steered')) await paused.promise;
    assert.match((await lab.ratchet('show')).stdout, /paused: ratchet resume lets it go on/);
    assert.match((await lab.ratchet('resume')).stdout, new RegExp(`^${run} goes on`), 'the run that is going on is meant');
    assert.equal((await lab.ratchet('stop', run.slice(0, 16))).code, 0);
    const events = await engine.request('ratchet/watch', { run });
    assert.deepEqual(events.flatMap((event) => (event.type === 'steered' ? [event.what] : [])), ['paused', 'resumed']);
    assert.equal(events.at(-1)?.type, 'run-ended');
    assert.equal((await lab.ratchet('stop', run)).code, 2);
    const none = await lab.ratchet('stop');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /No run is going on/);
    engine.close();
  }).timeout(60_000);

  it('re-reads program.md before each attempt, and marks it', async () => {
    await open({ 'program.md': '---\nattempts: 500\n---\nBe quick.\n', 'slow.py': 'import time\nimport f\ntime.sleep(0.1)\nprint("score:", f.A)\n' });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--json']);
    await going.until((text) => text.includes('"attempt":1,"verdict"'));
    await lab.write('program.md', '---\nattempts: many\n---\nBe quicker.\n');
    await going.until((text) => text.includes('program.md:2: `attempts` must be a number') && text.includes('stays in force'));
    await lab.write('program.md', '---\nattempts: 3\n---\nBe quicker.\n');
    const { stdout } = await going.ended;
    const events = eventsOf(stdout);
    // A save in two steps may be seen halfway; the last reading counts.
    const steered = events.findLast((event) => event.type === 'steered');
    assert.ok(steered?.what === 'program' && steered.live?.stop.attempts === 3);
    assert.equal(events.at(-1)?.type, 'run-ended');
    assert.ok(verdictsOf(events).length <= 10);
  });

  it('goes on where program.md says so, though the last attempt of the old rule was under way', async () => {
    const gate = 'import os, time\nimport f\nif f.A == 20:\n    open("HERE/at-20", "w").close()\n    while not os.path.exists("HERE/go"):\n        time.sleep(0.02)\nprint("score:", f.A)\n';
    await open({ 'program.md': '---\nattempts: 1\n---\n', 'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 20', 'A = 30') });
    const here = lab.path('..');
    lab.unconfined();
    await lab.write('gate.py', gate.replaceAll('HERE', here));
    const going = lab.start(['run', 'f.py', '--score', 'python3 gate.py', '--proposer', 'replay:r', '--json']);
    while (!existsSync(`${here}/at-20`)) await wait(10);
    await lab.write('program.md', '---\nattempts: 9\n---\n');
    await lab.write('../go', '');
    const events = eventsOf((await going.ended).stdout);
    assert.deepEqual(verdictsOf(events), ['kept', 'kept', 'kept']);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-ended' && end.reason === 'nothing-left');
  });

  it('asks for a confirmation of a command that program.md names, once', async () => {
    await open({ 'program.md': '---\nscorer: python3 score.py\n---\n' });
    const refused = await lab.ratchet('run', 'f.py', '--proposer', 'literals', '--attempts', '1');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--yes/);
    assert.equal((await lab.ratchet('run', 'f.py', '--proposer', 'literals', '--attempts', '1', '--yes')).code, 0);
  });

  it('trains a train.py without a scorer and keeps to its protected lines', async () => {
    const train = 'import random\nimport time\n\nSEED = 42\nLR = 0.5\n\nstart = time.time()\nrandom.seed(SEED)\n\n\ndef evaluate_bpb(rate):\n    return 1.0 + abs(rate - 0.1)\n\n\nval_bpb = evaluate_bpb(LR)\nprint("---")\nprint(f"val_bpb: {val_bpb:.6f}")\nprint(f"training_seconds: {time.time() - start:.1f}")\n';
    await open({ 'train.py': train, 'r/1.md': reply('SEED = 42', 'SEED = 7'), 'r/2.md': reply('LR = 0.5', 'LR = 0.1'), 'r/3.md': reply('start = time.time()', 'start = time.time() + 5') });
    const { events } = await lab.events('run', 'train.py', '--proposer', 'replay:r');
    // Another seed alone is measured, over other seeds, and shown to be no change; the clock may not be touched.
    assert.deepEqual(verdictsOf(events), ['kept', 'discarded', 'kept', 'refused']);
    const begun = events[0];
    assert.ok(begun?.type === 'run-started');
    assert.deepEqual(begun.plan.metric, { name: 'val_bpb', direction: 'lower' });
  });

  it('runs on a target behind a link, in a folder with an odd name, and below a git root', async () => {
    await open({ 'a b, c:#ü/f.py': TARGET, 'a b, c:#ü/score.py': SCORER });
    await symlink(lab.path('a b, c:#ü/f.py'), lab.path('link.py'));
    const there = lab.start(['run', 'link.py', '--score', 'python3 score.py', '--proposer', 'literals', '--attempts', '2', '--json']);
    const { stdout, stderr } = await there.ended;
    assert.ok(verdictsOf(eventsOf(stdout)).length > 1, stderr);
    const engine = await lab.engine(lab.path('a b, c:#ü'));
    if (engine !== undefined) {
      process.kill(engine.engine.pid, 'SIGTERM');
      await engine.closed;
    }
  });

  describe('says in one sentence what is wrong', () => {
    const one = async (args: readonly string[], exit: number, sentence: RegExp, prepare?: () => Promise<unknown>): Promise<void> => {
      await open({ 'sub/x.py': 'A = 1\n', 'train2.py': 'print(1)\n', 'm.sh': 'echo "score: 1"\n' });
      await prepare?.();
      const { code, stderr, stdout } = await lab.ratchet(...args);
      assert.match(stderr + stdout, sentence);
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
      assert.equal(code, exit, stderr);
    };
    const literals = ['--proposer', 'literals', '--attempts', '1'];

    it('no scorer', () => one(['run', 'f.py', ...literals], 2, /No scorer.*--score/));
    it('no proposer', () => one(['run', 'f.py', ...SCORE], 2, /who proposes.*--proposer literals/));
    it('a scorer that is not found', () => one(['run', 'f.py', '--score', 'no-such-program-x', ...literals], 4, /not found/));
    it('a scorer that is not executable', () => one(['run', 'f.py', '--score', 'm.sh', ...literals], 2, /not executable.*chmod/, () => chmod(lab.path('m.sh'), 0o644)));
    it('a scorer that prints nothing', () => one(['run', 'f.py', '--score', 'true', ...literals], 4, /no score on the unchanged file/));
    it('a scorer that prints NaN', () => one(['run', 'f.py', '--score', 'echo score: nan', ...literals], 4, /not a (finite )?number|nan/i));
    it('a scorer that hangs', () => one(['run', 'f.py', '--score', 'sleep 100', '--timeout', '1', ...literals], 4, /didn't end on the unchanged file within 1 s.*--timeout/));
    it('a scorer that wants a terminal', () => one(['run', 'f.py', '--score', 'test -t 0 && echo score: 1', ...literals], 4, /no score on the unchanged file/));
    it('a metric without a direction', () => one(['run', 'f.py', '--score', 'echo ms: 1', '--metric', 'ms', ...literals], 2, /--direction higher or --direction lower/));
    it('a missing target', () => one(['run', 'gone.py', ...SCORE, ...literals], 2, /There is no file/));
    it('a folder', () => one(['run', 'sub', ...SCORE, ...literals], 2, /is a folder/));
    it('an empty target', () => one(['run', 'e.py', ...SCORE, ...literals], 2, /is empty/, () => lab.write('e.py', ' \n')));
    it('a binary target', () => one(['run', 'b.py', ...SCORE, ...literals], 2, /binary/, () => lab.write('b.py', 'a\0b')));
    it('a target over 1 MB', () => one(['run', 'big.py', ...SCORE, ...literals], 2, /larger than 1 MB/, () => lab.write('big.py', 'x = 1\n'.repeat(200_000))));
    it('nothing to vary', () => one(['run', 'n.py', '--score', 'python3 n.py', ...literals], 2, /no number or choice in this file to vary/, () => lab.write('n.py', 'print("score: " + "1")\n')));
    it('a wrong key in program.md', () => one(['run', 'f.py', ...SCORE, ...literals], 2, /program\.md:2: There is no option `scorrer`/, () => lab.write('program.md', '---\nscorrer: x\n---\n')));
    it('a program that is missing', () => one(['run', 'f.py', ...SCORE, ...literals, '--program', 'p.md'], 2, /There is no program .*p\.md/));
    it('a replay folder that is missing', () => one(['run', 'f.py', ...SCORE, '--proposer', 'replay:nowhere'], 2, /nowhere/));
    it('a wrong flag', () => one(['run', 'f.py', '--atempts', '3'], 2, /unknown option/));
    it('a wrong number', () => one(['run', 'f.py', ...SCORE, '--attempts', 'many'], 2, /'many' is invalid. It must be a number/));
    it('zero attempts', () => one(['run', 'f.py', ...SCORE, '--proposer', 'literals', '--attempts', '0'], 2, /--attempts.* more than 0/));
    it('an unknown run', () => one(['show', '2020'], 2, /no run/));
    it('a linked .ratchet', () => one(['run', 'f.py', ...SCORE, ...literals], 4, /is a link/, async () => {
      await mkdir(lab.path('elsewhere'));
      await symlink(lab.path('elsewhere'), lab.path('.ratchet'));
    }));
  });

  it('waits while node_modules is being installed anew, and calls no candidate crashed over it', async function () {
    const held = 'touch ../begun; while [ ! -e ../go ]; do sleep 0.02; done; cat node_modules/dep/base f.py >/dev/null && python3 score.py';
    await open({ '.gitignore': 'node_modules/\n', 'node_modules/dep/base': '1\n', 'r/1.md': reply('A = 10', 'A = 20'), 'r/2.md': reply('A = 20', 'A = 24') });
    lab.unconfined();
    const going = lab.start(['run', 'f.py', '--score', held, '--proposer', 'replay:r', '--json']);
    while (!existsSync(lab.path('../begun'))) await wait(10);
    const client = await lab.engine();
    assert.ok(client);
    const waits = Promise.withResolvers<void>();
    client.on('ratchet/activity', ({ note = '' }) => {
      if (note.startsWith('waiting for a folder')) waits.resolve();
    });
    const events = await client.request('ratchet/watch', { run: eventsOf(await firstLine(going))[0]?.run ?? '' });
    if (events.some((event) => event.type === 'scratch-opened' && event.scratch === 'copy')) {
      client.close();
      going.process.kill('SIGINT');
      await going.ended;
      return this.skip();
    }
    // The start file's run holds the old folder; the next one can't be entered.
    await rename(lab.path('node_modules'), lab.path('../away'));
    await lab.write('../go', '');
    await waits.promise;
    await rename(lab.path('../away'), lab.path('node_modules'));
    const { stdout, code, stderr } = await going.ended;
    assert.equal(code, 0, stderr);
    assert.deepEqual(verdictsOf(eventsOf(stdout)), ['kept', 'kept', 'kept']);
    client.close();
  }).timeout(60_000);

  it('scores once where there is nothing to vary', async () => {
    await open({ 'n.py': 'print("score: " + "1")\n' });
    const { code, stderr } = await lab.ratchet('score', 'n.py', '--score', 'python3 n.py');
    assert.equal(code, 0, stderr);
  });

  it('says so where a target is gone before the run had its turn', async () => {
    const hold = 'while [ ! -e ../go ]; do sleep 0.02; done; python3 score.py';
    await open({ 'g.py': TARGET });
    lab.unconfined();
    const first = lab.start(['run', 'f.py', '--score', hold, '--proposer', 'literals', '--attempts', '1', '--json']);
    await first.until((text) => text.includes('"scratch-opened"'));
    const second = lab.start(['run', 'g.py', ...SCORE, '--proposer', 'literals', '--attempts', '1']);
    await second.until((_, text) => text.includes('Waiting for another run'));
    await rm(lab.path('g.py'));
    await lab.write('../go', '');
    await first.ended;
    const { code, stderr, stdout } = await second.ended;
    assert.match(stdout + stderr, /Ended: .*g\.py is not there any more/);
    assert.doesNotMatch(stdout + stderr, /fault of/);
    assert.equal(code, 4);
  });

  it('survives a target that is deleted while it runs', async () => {
    await open({ 'slow.py': 'import time\nimport f\ntime.sleep(0.1)\nprint("score:", f.A)\n' });
    const going = lab.start(['run', 'f.py', '--score', 'python3 slow.py', '--proposer', 'literals', '--attempts', '4', '--json']);
    await going.until((text) => text.includes('"attempt":1,'));
    await rm(lab.path('f.py'));
    const { stdout } = await going.ended;
    assert.equal(verdictsOf(eventsOf(stdout)).length, 5);
    const { code, stderr } = await lab.ratchet('accept');
    assert.equal(code, 2);
    assert.match(stderr, /is gone/);
  });
});

/** The first event that a client printed. */
async function firstLine(going: Going): Promise<string> {
  let line = '';
  await going.until((stdout) => {
    line = stdout.slice(0, stdout.indexOf('\n') + 1);
    return line !== '';
  });
  return line;
}
