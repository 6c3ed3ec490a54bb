import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Parsers } from '../../src/engine/parsers.ts';
import { testParsers } from '../loop/audit/corpus.ts';
import { CheckBench, lineOf, troubles } from './check/bench.ts';

const SLUG = `LIMIT = 40


def slug(text):
    if text == "":
        return ""
    return "-".join(text.lower().split())[:LIMIT]


def parse_date(text):
    year, month = text.split("-")
    return int(year) * 12 + int(month)
`;
const SCORE = `from slug import slug
cases = {"Hello World": "hello-world", "  two  spaces ": "two-spaces", "Ünï": "uni", "": "", "a": "a", "b c": "b-c", "x": "y"}
print("score:", 100 * sum(slug(text) == want for text, want in cases.items()) / len(cases))
`;

describe('a check with real runs', function () {
  this.timeout(120_000);
  let parsers: Parsers;
  let bench: CheckBench;
  before(async () => {
    parsers = await testParsers();
  });
  beforeEach(() => {
    bench = new CheckBench(parsers);
  });
  afterEach(() => bench.dispose());

  for (const copied of [false, true]) it(`of a sound scorer names the region that nothing depends on, with its lines, and finds no fault (${copied ? 'copy' : 'layer'})`, async () => {
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': SCORE }).check('slug.py', 'python3 score.py', { repeated: 'said', copied });
    assert.deepEqual(troubles(report), ['regions warning']);
    assert.match(lineOf(report, 'regions').evidence, /^Nothing you measure depends on parse_date \(lines 10–12\)\. 2 of 3 parts/);
    assert.equal(lineOf(report, 'noise').evidence.startsWith('None: 5 runs with 3 seeds'), true);
    assert.equal(lineOf(report, 'parallel').verdict, 'yes');
    assert.equal(report.left, 0);
    assert.equal(readFileSync(join(bench.root, '.ratchet', '.gitignore'), 'utf8'), '*\n');
    assert.equal(readFileSync(join(bench.root, 'slug.py'), 'utf8'), SLUG);
  });

  it('keeps what was measured: the same text and scorer run nothing again, another text or scorer begins anew', async () => {
    bench.write({ 'slug.py': SLUG, 'score.py': SCORE });
    const first = await bench.check('slug.py', 'python3 score.py');
    assert.equal((await bench.known('slug.py', 'python3 score.py')).find(({ name }) => name === 'parse_date')?.verdict, 'unnoticed');
    assert.deepEqual(await bench.known('slug.py', 'sh another.sh'), []);
    const ran: number[] = [];
    const onProgress = (): void => void ran.push(1);
    const again = await bench.check('slug.py', 'python3 score.py', { onProgress });
    assert.equal(ran.length, 0);
    assert.deepEqual(again.lines, first.lines);
    await bench.check('slug.py', 'python3 score.py', { onProgress, again: true });
    const every = ran.length;
    assert.ok(every > 10);
    bench.write({ 'score.py': `${SCORE}# another\n` });
    await bench.check('slug.py', 'python3 score.py', { onProgress });
    assert.equal(ran.length, 2 * every);
    await bench.check('slug.py', 'python3 score.py', { onProgress, text: `${SLUG}# unsaved\n` });
    assert.equal(ran.length, 3 * every);
    writeFileSync(join(bench.root, '.ratchet/checks', readdirSync(join(bench.root, '.ratchet/checks'))[0] ?? ''), '{"v":1,"samp');
    assert.equal((await bench.check('slug.py', 'python3 score.py', { text: `${SLUG}# unsaved\n` })).left, 0);
  });

  it('stops when it is told to, says what is known, and goes on from there', async () => {
    bench.write({ 'slug.py': SLUG, 'score.py': SCORE });
    const stop = new AbortController();
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (done === 4) stop.abort();
    };
    const stopped = await bench.check('slug.py', 'python3 score.py', { signal: stop.signal, onProgress });
    assert.equal(stopped.stopped, true);
    assert.equal(stopped.runs, 4);
    assert.ok(stopped.left > 5);
    assert.equal(lineOf(stopped, 'environment').verdict, 'yes');
    assert.equal(lineOf(stopped, 'regions').verdict, 'not tried');
    const starts: number[] = [];
    const rest = await bench.check('slug.py', 'python3 score.py', { onProgress: ({ done }) => starts.push(done) });
    assert.equal(starts[0], 4);
    assert.equal(rest.left, 0);
  });

  it('ends when its time is over, by a clock that is handed in, and leaves the rest for the next one', async () => {
    bench.write({ 'slug.py': SLUG, 'score.py': SCORE });
    let nowMs = Date.UTC(2026, 10, 30);
    const now = (): Date => new Date((nowMs += 8_000));
    const report = await bench.check('slug.py', 'python3 score.py', { now });
    assert.ok(report.left > 0);
    assert.ok(report.runs >= 2);
    assert.equal(report.budgetMs, 120_000);
    assert.ok(report.spentMs < 1.5 * 120_000);
  });

  it('of a very slow scorer runs the unchanged file and a broken one, and says what was not reached', async () => {
    let nowMs = Date.UTC(2026, 10, 30);
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': SCORE }).check('slug.py', 'python3 score.py', { now: () => new Date((nowMs += 200_000)) });
    assert.equal(report.runs, 2);
    assert.match(lineOf(report, 'environment').evidence, /^The scorer ran here once, and noticed when the file was broken/);
    for (const id of ['noise', 'resolution', 'parallel', 'no-op', 'order', 'regions'] as const) assert.equal(lineOf(report, id).verdict, 'not tried', id);
    assert.equal(report.verdict, 'yes');
    assert.ok(report.left > 5);
  });

  it('catches a scorer that reads a kept result and ignores the file', async () => {
    const cached = 'if [ -f "$OUTSIDE" ]; then echo "cache hit, replaying logs"; cat "$OUTSIDE"; else sleep 0.5; echo "score: 40" | tee "$OUTSIDE"; fi';
    const report = await bench.write({ 'slug.py': SLUG }).check('slug.py', cached, { repeated: 'said' });
    assert.equal(report.verdict, 'no');
    assert.equal(lineOf(report, 'environment').verdict, 'no');
    assert.match(lineOf(report, 'cache').evidence, /Every text gives the same.*kept result was read.*--force/);
    assert.equal(report.left, 0, 'nothing more is tried of it');
  });

  it('catches a scorer that keeps its results by text', async () => {
    const score = `import hashlib, os, pathlib, time\nsource = pathlib.Path("slug.py").read_bytes()\nkept = pathlib.Path(os.environ["OUTSIDE"] + hashlib.sha256(source).hexdigest())\nif not kept.exists():\n    time.sleep(1)\n    ${SCORE.trimEnd().replaceAll('\n', '\n    ').replace('print("score:",', 'kept.write_text("score: %s" % (')})\nprint(kept.read_text())\n`;
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': score }).check('slug.py', 'python3 score.py');
    assert.equal(lineOf(report, 'cache').verdict, 'warning');
    assert.match(lineOf(report, 'cache').evidence, /results are kept and read again/);
  });

  it('catches a scorer that depends on the order of runs', async () => {
    const count = 'import os\nimport slug\npath = os.environ["OUTSIDE"]\nn = len(open(path).read()) if os.path.exists(path) else 0\nopen(path, "a").write("x")\nprint("score:", 10 + n if slug.slug("A b") == "a-b" else 0)\n';
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': count }).check('slug.py', 'python3 score.py');
    assert.equal(report.verdict, 'no');
    assert.notEqual(lineOf(report, 'order').verdict, 'yes');
    assert.match(lineOf(report, 'order').evidence, /depends on (?:how many runs came|what ran) before|leaves something behind/);
  });

  it('catches a scorer that gives a broken file 100, and one that rewards work left undone', async () => {
    const forgiving = 'try:\n    from slug import slug\n    print("score:", 60 if slug("A b") == "a-b" else 50)\nexcept Exception:\n    print("score: 100")\n';
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': forgiving }).check('slug.py', 'python3 score.py');
    assert.equal(lineOf(report, 'broken').verdict, 'no');
    assert.match(lineOf(report, 'broken').evidence, /^A file that only throws an error scores 100, better than 60/);
    assert.match(lineOf(report, 'exit-code').evidence, /exit code 0 and 100/);

    const work = 'def work(n):\n    total = 0\n    for i in range(n):\n        total += i * i\n    return total\n';
    const steps = 'import sys\nimport work\nsteps = 0\ndef count(frame, event, arg):\n    global steps\n    steps += 1\n    return count\nsys.settrace(count)\nwork.work(300)\nsys.settrace(None)\nprint("steps:", steps)\n';
    const idle = await bench.write({ 'work.py': work, 'steps.py': steps }).check('work.py', 'python3 steps.py', { flags: { metric: 'steps', direction: 'lower' } });
    assert.match(lineOf(idle, 'broken').evidence, /^With work \(lines 1–5\) emptied it scores better/);
    assert.equal(idle.verdict, 'no');
  });

  it('catches a comment that changes the score', async () => {
    const size = 'import slug\nprint("bytes:", len(open("slug.py").read()))\n';
    const report = await bench.write({ 'slug.py': SLUG, 'score.py': size }).check('slug.py', 'python3 score.py', { flags: { metric: 'bytes', direction: 'lower' } });
    assert.equal(lineOf(report, 'no-op').verdict, 'warning');
    assert.match(lineOf(report, 'no-op').evidence, /^One comment at its end changes the score: \d+ instead of \d+/);
  });

  it('says that nothing is left to gain, and that a score over random draws is noisy', async () => {
    const full = await bench.write({ 'slug.py': SLUG, 'score.py': 'import slug\nprint("score:", 100 if slug.slug("A b") == "a-b" else 0)\n' }).check('slug.py', 'python3 score.py');
    assert.match(lineOf(full, 'headroom').evidence, /^Nothing to gain: the unchanged file has 100/);
    assert.equal(full.verdict, 'no');
    const drawn = 'import os, random\nfrom slug import slug\nrandom.seed(int(os.environ["RATCHET_SEED"]))\nprint("score:", (50 if slug("A b") == "a-b" else 10) + 30 * random.random())\n';
    const noisy = await bench.write({ 'score.py': drawn }).check('slug.py', 'python3 score.py');
    assert.match(lineOf(noisy, 'noise').evidence, /^One seed always gives the same; over seeds it is ±/);
    assert.equal(lineOf(noisy, 'noise').verdict, 'warning');
    bench.write({ 'own.py': 'import random\nSEED = 1\nrandom.seed(SEED)\nRATE = 0.5\n\n\ndef loss():\n    return RATE + random.random()\n', 'score.py': 'import own\nprint("val:", own.loss())\n' });
    const own = await bench.check('own.py', 'python3 score.py', { flags: { metric: 'val', direction: 'lower' } });
    assert.match(lineOf(own, 'noise').evidence, /^One seed always gives the same; over seeds it is ±.*5 runs with 3 seeds, in the place of SEED too/);
    assert.equal(lineOf(own, 'no-op').verdict, 'yes');
  });

  it('says plainly of a scorer that always fails, asks for input, never ends or does not exist what is wrong', async () => {
    bench.write({ 'slug.py': SLUG });
    const said = async (scorer: string, flags = {}): Promise<string> => {
      const report = await bench.check('slug.py', scorer, { flags });
      assert.equal(report.verdict, 'no', scorer);
      assert.equal(report.runs, 1, scorer);
      return lineOf(report, 'verification').evidence;
    };
    assert.match(await said('echo oops >&2; exit 3'), /exit code 3/);
    assert.match(await said(`python3 -c 'input("Go on? ")'`), /^It asks for input, or wants a terminal/);
    assert.match(await said('echo "Watching for file changes."; sleep 60', { timeout: 1 }), /^It doesn't end by itself: it waits for files to change/);
    assert.match(await said('sleep 60', { timeout: 1 }), /^It doesn't end by itself\. The scorer didn't end on the unchanged file within 1 s/);
    assert.match(await said('no-such-program-at-all'), /127|not found/);
    assert.match(await said('echo "score: 1,5"'), /No run started/);
    const none = await bench.check('slug.py', undefined);
    assert.equal(none.verdict, 'no');
    assert.match(lineOf(none, 'verification').evidence, /^No scorer: .*No test, benchmark or script was found/);
  });

  it('says so where it has no parser, or the file has a syntax error, and still finds what matters', async () => {
    bench.write({ 'conf.ini': '[a]\nlevel = 30\n\n[unused]\nother = 4\n', 'score.sh': 'n=$(sed -n "s/^level = //p" conf.ini); [ -n "$n" ] || exit 1; echo "score: $n"\n' });
    const report = await bench.check('conf.ini', 'sh score.sh');
    assert.match(lineOf(report, 'regions').evidence, /Nothing you measure depends on \[unused\] \(lines 4–5\)\..*There is no parser for this kind of file/);
    assert.equal(lineOf(report, 'exit-code').verdict, 'not tried');
    const wrong = await bench.write({ 'slug.py': 'def slug(:\n    return 1\n', 'score.py': SCORE }).check('slug.py', 'python3 score.py');
    assert.match(lineOf(wrong, 'verification').evidence, /SyntaxError/);
    const odd = await bench.write({ 'slug.py': 'LEVEL = 3\n\ndef slug(:\n    return 1\n', 'read.sh': 'grep -q "LEVEL = 3" slug.py && echo "score: 3" || echo "score: 1"\n' }).check('slug.py', 'sh read.sh');
    assert.match(odd.guessed ?? '', /syntax error/);
  });

  it('takes a target of nearly 1 MB, and breaks the part that matters most first', async () => {
    const filler = Array.from({ length: 9_000 }, (_, i) => `def unused_${i}(value):\n    """Filler of the test that nobody calls, at all."""\n    return value + ${i}\n\n\n`).join('');
    const text = `${filler}def slug(text):\n    words = text.lower().split()\n    words = [word for word in words]\n    return "-".join(words)\n`;
    assert.ok(text.length > 900_000 && text.length < 1024 * 1024);
    let nowMs = Date.UTC(2026, 10, 30);
    const report = await bench.write({ 'slug.py': text, 'score.py': SCORE }).check('slug.py', 'python3 score.py', { now: () => new Date((nowMs += 2_000)) });
    assert.equal(report.findings.find(({ name }) => name === 'slug')?.verdict, 'noticed');
    assert.ok(report.left > 8_000);
    assert.ok(lineOf(report, 'regions').evidence.length < 2_000);
  });
});
