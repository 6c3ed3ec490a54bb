import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Judged, LedgerEvent, Measured } from '../../src/records.ts';
import { Lab, reply } from './lab.ts';

const TARGET = 'A = 10\nB = 1\n';
const SCORER = 'import f\nprint("score:", f.A)\n';

/** A run over a program.md with this front matter, and the replies in their order. */
interface Made {
  readonly front: string;
  readonly replies: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly unconfined?: true;
}

describe('what a run measures besides its score', function () {
  this.timeout(120_000);
  let lab: Lab;
  afterEach(() => lab.close());

  async function open({ front, replies, files = {} }: Made): Promise<void> {
    const all = Object.fromEntries(replies.map((text, index) => [`r/${index + 1}.md`, text]));
    lab = await Lab.open({ 'f.py': TARGET, 'score.py': SCORER, ...all, ...files, 'program.md': `---\nproposer: replay:r\n${front.includes('confirm:') ? '' : 'confirm: off\n'}${front}\n---\nBe bold.\n` });
  }

  async function run(made: Made): Promise<{ readonly code: number | null; readonly events: readonly LedgerEvent[]; readonly stderr: string }> {
    await open(made);
    if (made.unconfined === true) lab.unconfined();
    return lab.events('run', 'f.py', '--yes', '--attempts', String(made.replies.length));
  }

  const judged = (events: readonly LedgerEvent[]): readonly Judged[] => events.filter((event) => event.type === 'judged');
  const said = (events: readonly LedgerEvent[]): readonly string[] => judged(events).map(({ verdict, evidence }) => (evidence.code === undefined ? verdict : `${verdict} ${evidence.code}`));
  const measured = (events: readonly LedgerEvent[], role: Measured['role']): readonly Measured[] => events.filter((event): event is Measured => event.type === 'measured' && event.role === role);
  const endOf = (events: readonly LedgerEvent[]): string => {
    const end = events.at(-1);
    return end?.type === 'run-ended' ? `${end.reason}: ${end.sentence}` : '';
  };

  describe('gates', () => {
    const GATE = 'import sys, f\nif f.B != 1:\n    print("not ok 1 - B is one")\n    sys.exit(1)\nprint("ok 1 - B is one")\n';

    it('keep what scores better and fails them from being kept, and cost nothing where nothing scored better', async () => {
      const { events, code } = await run({ front: 'scorer: python3 score.py\ngates:\n  - python3 gate.py', files: { 'gate.py': GATE }, replies: [reply('A = 10\nB = 1', 'A = 20\nB = 2'), reply('A = 10', 'A = 5'), reply('A = 10', 'A = 30')] });
      assert.deepEqual(said(events), ['kept', 'discarded gate', 'discarded', 'kept']);
      assert.equal(code, 0);
      const gates = measured(events, 'gate');
      assert.deepEqual(gates.map(({ attempt, outcome, name }) => [attempt, outcome, name]), [[0, 'scored', 'python3 gate.py'], [0, 'scored', 'python3 gate.py'], [1, 'crashed', 'python3 gate.py'], [3, 'scored', 'python3 gate.py']]);
      assert.deepEqual(gates[2]?.failed, ['B is one']);
      assert.match(judged(events)[1]?.evidence.reason ?? '', /The gate python3 gate\.py failed: B is one\./);
      const [, second] = events.flatMap((event) => (event.type === 'proposed' ? [event.request] : []));
      assert.match(await lab.read(`.ratchet/blobs/${second ?? ''}`), /# Checks that failed in your last attempt\n.*\n- B is one\n/);
      const shown = await lab.ratchet('show', 'last', '1');
      assert.match(shown.stdout, /what the gate python3 gate\.py printed/);
    });

    for (const [what, gate, why] of [
      ['can\'t start', 'no-such-program --check', /gate no-such-program --check doesn't pass on the unchanged file: It ended with exit code 127/],
      ['fails', 'python3 -c "import sys; sys.exit(3)"', /doesn't pass on the unchanged file: It ended with exit code 3/],
      ['runs no check', 'echo "1..0"', /doesn't pass on the unchanged file: It ended with exit code 0, but no check ran/],
    ] as const) {
      it(`let no run begin where one ${what} on the unchanged file`, async () => {
        const { events, code } = await run({ front: `scorer: python3 score.py\ngates:\n  - ${JSON.stringify(gate)}`, replies: [reply('A = 10', 'A = 20')] });
        assert.equal(code, 4);
        assert.match(endOf(events), /^baseline-failed: No run started, because the /);
        assert.match(endOf(events), why);
        assert.equal(measured(events, 'candidate').length, 0, 'the scorer is dearer than a gate');
      });
    }

    it('that flicker are named after the baseline, and get a second try', async () => {
      const flaky = 'import os, sys\nplace = os.path.join(os.environ["XDG_CACHE_HOME"], "count")\ncount = int(open(place).read()) if os.path.exists(place) else 0\nopen(place, "w").write(str(count + 1))\nsys.exit(count % 2)\n';
      const { events } = await run({ unconfined: true, front: 'scorer: python3 score.py\ngates:\n  - python3 flaky.py', files: { 'flaky.py': flaky, '../cache/x': '' }, replies: [reply('A = 10', 'A = 20'), reply('A = 20', 'A = 30'), reply('A = 30', 'A = 40')] });
      assert.deepEqual(said(events), ['kept', 'kept', 'kept', 'kept']);
      const note = events.find((event) => event.type === 'noted');
      assert.match(note?.sentence ?? '', /The gate python3 flaky\.py flickers/);
      assert.match((await lab.ratchet('show')).stdout, /flickers/);
    });
  });

  it('is noted where the scorer or a gate writes over a script on the unchanged file already', async () => {
    const writes = (file: string, rest: string): string => `open("${file}", "a").write("# again\\n")\n${rest}`;
    const { events } = await run({
      front: 'scorer: score.py\ngates:\n  - python3 gate.py\n  - python3 sound.py', replies: [reply('A = 10', 'A = 20')],
      files: { 'score.py': writes('score.py', SCORER), 'gate.py': writes('score.py', 'print("ok 1 - a")\n'), 'sound.py': writes('log.txt', 'print("ok 1 - b")\n'), 'log.txt': '' },
    });
    assert.deepEqual(said(events), ['kept', 'kept']);
    const notes = events.flatMap((event) => (event.type === 'noted' ? [event.sentence] : []));
    assert.deepEqual(notes.map((note) => note.split(' on the unchanged file')[0]), ['python3 gate.py writes over score.py', 'The scorer writes over score.py']);
  });

  describe('limits', () => {
    it('discard what breaks one, with the numbers, and lines are counted by Ratchet', async () => {
      const { events } = await run({
        front: 'scorer: python3 score.py\nlimits:\n  bytes: +5%\n  lines: <= 3\n  left: ">= 2"',
        files: { 'score.py': 'import f\nprint("bytes:", 100 * f.B)\nprint("left:", getattr(f, "C", 3))\nprint("score:", f.A)\n' },
        replies: [reply('A = 10\nB = 1', 'A = 20\nB = 1.06'), reply('A = 10\nB = 1', 'A = 20\nX = 1\nY = 2\nB = 1'), reply('A = 10', 'A = 20\nC = 1'), reply('A = 10\nB = 1', 'A = 20\nB = 1.05')],
      });
      assert.deepEqual(said(events), ['kept', 'discarded limit', 'discarded limit', 'discarded limit', 'kept']);
      assert.deepEqual(judged(events).slice(1, 4).map(({ evidence }) => evidence.reason), [
        '`bytes` is 106; the start file has 100, and 5 % more is allowed.', '`lines` is 4; at most 3 is allowed.', '`left` is 1; at least 2 is asked for.',
      ]);
    });

    it('say so where the start file breaks one itself: only what mends that is kept', async () => {
      const { events } = await run({ front: 'scorer: python3 score.py\nlimits:\n  lines: <= 1', files: { 'score.py': 'import f\nprint("score:", f.A)\n' }, replies: [reply('A = 10', 'A = 20'), reply('A = 10\nB = 1', 'A = 20')] });
      assert.deepEqual(said(events), ['kept', 'discarded limit', 'kept']);
      assert.ok(events.some((event) => event.type === 'noted' && event.sentence === 'The start file is beyond a limit itself: `lines` is 2; at most 1 is allowed. Nothing is kept that doesn\'t mend this.'));
    });

    it('let no run begin where the start file doesn\'t give what they bound', async () => {
      const { events, code } = await run({ front: 'scorer: python3 score.py\nlimits:\n  vram: +5%', files: { 'score.py': 'import f\nprint("bytes:", 5)\nprint("score:", f.A)\n' }, replies: [reply('A = 10', 'A = 20')] });
      assert.equal(code, 4);
      assert.match(endOf(events), /baseline-failed: No run started, because `limits` names `vram`, which the scorer doesn't print on the unchanged file\. It prints `bytes`\./);
    });
  });

  describe('stages', () => {
    it('let through to the scorer only what passes the cheap ones', async () => {
      const { events } = await run({
        front: 'scorer: python3 score.py\nstages:\n  - scorer: python3 small.py\n    name: small\n    env: { API_TOKEN_SCALE: 2 }\n  - scorer: python3 small.py\n    threshold: 5',
        files: { 'small.py': 'import f, os\nprint("score:", 50 + f.B * int(os.environ.get("API_TOKEN_SCALE", 1)))\n' },
        replies: [reply('A = 10\nB = 1', 'A = 20\nB = 0'), reply('A = 10\nB = 1', 'A = 20\nB = undefined'), reply('A = 10\nB = 1', 'A = 20\nB = 3'), reply('A = 20\nB = 3', 'A = 30\nB = 2')],
      });
      assert.deepEqual(said(events), ['kept', 'discarded stage', 'crashed stage', 'kept', 'discarded stage']);
      assert.match(judged(events)[1]?.evidence.reason ?? '', /It doesn't pass the stage small: 50, its parent has 52, and it may not be worse\./);
      assert.match(judged(events)[4]?.evidence.reason ?? '', /stage small: 54, its parent has 56/);
      assert.deepEqual(measured(events, 'candidate').filter(({ attempt }) => attempt > 0).map(({ attempt }) => attempt), [3]);
    });

    it('of the kind `last` judge what would be kept on a larger scale', async () => {
      const { events } = await run({
        front: 'scorer: python3 score.py\nstages:\n  - scorer: python3 score.py\n    name: depth 24\n    env: { DEPTH: 24 }\n    when: last',
        files: { 'score.py': 'import f, os\nprint("score:", f.A if os.environ.get("DEPTH") is None else f.B)\n' },
        replies: [reply('A = 10\nB = 1', 'A = 20\nB = 0'), reply('A = 10', 'A = 20'), reply('A = 20', 'A = 15')],
      });
      assert.deepEqual(said(events), ['kept', 'discarded stage', 'kept', 'discarded']);
      assert.deepEqual(measured(events, 'stage').filter(({ attempt }) => attempt > 0).map(({ attempt }) => attempt), [1, 2]);
    });

    it('let no run begin where one gives no score on the unchanged file', async () => {
      const { events, code } = await run({ front: 'scorer: python3 score.py\nstages:\n  - scorer: python3 nothing.py', files: { 'nothing.py': 'import f\n' }, replies: [reply('A = 10', 'A = 20')] });
      assert.equal(code, 4);
      assert.match(endOf(events), /baseline-failed: No run started, because the stage python3 nothing\.py gives no score on the unchanged file/);
    });
  });

  describe('a holdout', () => {
    const HELD = 'import f, os\nassert os.path.exists("secret/answers.txt")\nprint("SECRET", open("secret/answers.txt").read())\nprint("score:", 40 + f.B)\n';
    const PEEKING = 'import f, os\nassert not os.path.exists("held.py") and not os.path.exists("secret"), "it sees what is held out"\nprint("score:", f.A)\n';
    const FRONT = 'confirm: each\nscorer: python3 score.py\nstages:\n  - scorer: python3 peek.py\ngates:\n  - python3 peek.py\nholdout:\n  scorer: python3 held.py\n  files: [secret]';
    const FILES = { 'held.py': HELD, 'secret/answers.txt': 'X4711', 'score.py': PEEKING, 'peek.py': PEEKING };

    it('is shown its files alone, decides on what would be kept, and shows its numbers to the person only', async () => {
      const { events } = await run({ front: FRONT, files: FILES, replies: [reply('A = 10\nB = 1', 'A = 20\nB = 0'), reply('A = 10\nB = 1', 'A = 11\nB = 2'), reply('A = 11', 'A = 5')] });
      assert.deepEqual(said(events), ['kept', 'discarded holdout', 'kept', 'discarded stage']);
      assert.deepEqual(judged(events)[1]?.evidence.holdout, { score: 40, parentScore: 41 });
      assert.deepEqual(measured(events, 'holdout').filter(({ attempt }) => attempt > 0).map(({ attempt, whose }) => [attempt, whose]), [[1, 'candidate'], [1, 'parent'], [2, 'candidate'], [2, 'parent']]);
      const requests = await Promise.all(events.flatMap((event) => (event.type === 'proposed' ? [lab.read(`.ratchet/blobs/${event.request}`)] : [])));
      assert.match(requests[1] ?? '', /\| discarded: not kept: holdout\n/);
      assert.ok(requests.every((text) => !/X4711|SECRET|answers|\b4[01]\b/.test(text)));
      assert.match((await lab.ratchet('show', 'last', '1')).stdout, /Holdout: 41 → 40/);
    });

    it('is refused as context', async () => {
      await open({ front: `${FRONT}\ncontext: [secret/answers.txt]`, files: FILES, replies: [reply('A = 10', 'A = 20')] });
      const { code, stderr } = await lab.ratchet('run', 'f.py', '--yes');
      assert.equal(code, 2);
      assert.match(stderr, /`context` names secret\/answers\.txt, which is held out/);
    });

    it('lets no run begin where it can\'t start', async () => {
      const { events, code } = await run({ front: 'scorer: python3 score.py\nholdout:\n  scorer: no-such-program', replies: [reply('A = 10', 'A = 20')] });
      assert.equal(code, 4);
      assert.match(endOf(events), /baseline-failed: No run started, because the holdout gives no score on the unchanged file: .*127/);
    });

    it('keeps no answers that are written into the code, whatever the signals say (G07)', async () => {
      const cases = JSON.parse(readFileSync(new URL('../cases/handed.json', import.meta.url), 'utf8')) as readonly { readonly id: string; readonly input: { readonly files: Readonly<Record<string, string>>; readonly reply: string; readonly scoreCommand: string; readonly heldOutCommand: string } }[];
      const found = cases.find(({ id }) => id === 'G07');
      assert.ok(found);
      const { files, reply: answer, scoreCommand, heldOutCommand } = found.input;
      // Written so that no table of literals is to be seen: the holdout alone must tell.
      const hidden = answer.replace('{10: 55, 20: 6765, 30: 832040}[n]', 'int(open("memo.txt").read().split(f" {n}=")[1].split()[0])');
      lab = await Lab.open({ ...files, 'memo.txt': ' 10=55 20=6765 30=832040 ', 'r/1.md': answer, 'r/2.md': hidden, 'program.md': `---\nscorer: ${scoreCommand}\nproposer: replay:r\nholdout:\n  scorer: ${heldOutCommand}\n---\n` });
      const { events } = await lab.events('run', 'solution.py', '--yes', '--attempts', '2');
      assert.deepEqual(said(events), ['kept', 'flagged literal-answers', 'flagged fitting']);
      assert.deepEqual(judged(events)[2]?.evidence.holdout, { score: 0, parentScore: 0 });
    });
  });

  it('shows which cases an attempt changed, and tells the next request', async () => {
    const { events } = await run({
      front: 'scorer: python3 score.py',
      files: { 'score.py': 'import f, json, os\njson.dump({"score": f.A, "cases": [{"name": "first", "score": f.A}, {"name": "second", "score": 10 * f.B, "note": "B is too small"}]}, open(os.environ["RATCHET_RESULT"], "w"))\n' },
      replies: [reply('A = 10\nB = 1', 'A = 20\nB = 0'), reply('A = 20', 'A = 1')],
    });
    assert.deepEqual(said(events), ['kept', 'kept', 'discarded']);
    const { stdout } = await lab.ratchet('show', 'last', '1');
    assert.match(stdout, /Cases: 1 better, 1 worse, 0 the same\n {2}\+ first \(10 → 20\)\n {2}- second \(10 → 0\) \| B is too small/);
    const requests = await Promise.all(events.flatMap((event) => (event.type === 'proposed' ? [lab.read(`.ratchet/blobs/${event.request}`)] : [])));
    assert.match(requests[0] ?? '', /# Parts of the score of this text\n.*\n- first: 10\n- second: 10 \| B is too small/);
    assert.match(requests[1] ?? '', /\| cases better: first \(10 → 20\); worse: second \(10 → 0\)/);
  });

  it('under noise ends, and leaves nothing behind where it is stopped during a gate', async () => {
    const noisy = 'import random, f\nprint("score:", round(20 + 10 * (f.A > 10) + random.gauss(0, 1), 3))\n';
    const { events } = await run({ front: 'confirm: each\nscorer: python3 noisy.py\nstages:\n  - scorer: python3 noisy.py\nholdout:\n  scorer: python3 held.py\nlimits:\n  cost: +10%', files: { 'noisy.py': `${noisy}print("cost:", 100 + random.gauss(0, 2))\n`, 'held.py': noisy }, replies: [reply('A = 10', 'A = 20'), reply('B = 1', 'B = 2')] });
    assert.equal(said(events)[1], 'kept', JSON.stringify(judged(events)[1]));
    assert.ok(measured(events, 'holdout').filter(({ attempt }) => attempt === 1).length >= 4);
    await lab.write('program.md', '---\nproposer: replay:r\nscorer: python3 noisy.py\ngates: [sleep 300]\n---\n');
    const going = lab.start(['run', 'f.py', '--yes', '--json']);
    await going.until((text) => text.includes('attempt-started'));
    going.process.kill('SIGINT');
    assert.equal((await going.ended).code, 130);
  });

  it('stands on the page and is confirmed like a scorer', async () => {
    await open({ front: 'gates:\n  - touch pwned', replies: [reply('A = 10', 'A = 20')] });
    const asked = await lab.ratchet('run', 'f.py', '--score', 'python3 score.py');
    assert.equal(asked.code, 2);
    assert.match(asked.stderr, /program\.md names these commands, and nobody has confirmed them yet: touch pwned\. Look at them, then add --yes\./);
    assert.match(asked.stderr, /^Gate {7}touch pwned\n {11}in .* — must pass before a score counts$/m);
    assert.equal((await lab.ratchet('score', 'f.py', '--score', 'python3 score.py')).code, 0, 'one run of the scorer runs no gate');
  });

  it('says what is wrong with a key, and where', async () => {
    await open({ front: 'scorer: python3 score.py\ngates: 5\nlimits:\n  lines: 300\nstages:\n  - scorer: a\n    treshold: 3\nholdout:\n  scorer: b\n  files: [/etc]', replies: [] });
    const { code, stderr } = await lab.ratchet('run', 'f.py', '--yes');
    assert.equal(code, 2);
    assert.match(stderr, /program\.md:5: `gates` must be a list of commands; it is 5\./);
    assert.match(stderr, /program\.md:6: `limits\.lines` must be a limit such as .*; it is 300\./);
    assert.match(stderr, /program\.md:8: `stages\[0\]` knows no `treshold`: it must have a `scorer`, and may have/);
    assert.match(stderr, /program\.md:11: `holdout\.files` must be paths below the root/);
  });
});
