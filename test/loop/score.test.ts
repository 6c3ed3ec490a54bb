import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { defaultMetric, feedbackOf, readScore } from '../../src/loop/score.ts';
import type { Reading, ReportRef, ScorerOutput } from '../../src/loop/score.ts';
import type { Direction, Metric } from '../../src/records.ts';

const score: Metric = { name: 'score', direction: 'higher' };
const bpb: Metric = { name: 'val_bpb', direction: 'lower' };
const ms: Metric = { name: 'runtime_ms', direction: 'lower', unit: 'ms' };

function ran(stdout: string, more: Partial<ScorerOutput> = {}): ScorerOutput {
  return { stdout, stderr: '', exitCode: 0, end: 'exited', ...more };
}

function read(stdout: string, metric = score, more: Partial<ScorerOutput> = {}): Reading {
  return readScore(ran(stdout, more), metric);
}

/** Reads, and demands this score. */
function scores(stdout: string, expected: number, metric = score): Reading {
  const reading = read(stdout, metric);
  assert.equal(reading.outcome, 'scored', `${JSON.stringify(stdout)}: ${reading.why}`);
  assert.ok(Object.is(reading.score, expected), `${JSON.stringify(stdout)}: ${reading.score}`);
  return reading;
}

function fails(outcome: Reading['outcome'], stdout: string, metric = score, more: Partial<ScorerOutput> = {}): Reading {
  const reading = read(stdout, metric, more);
  assert.equal(reading.outcome, outcome, `${JSON.stringify(stdout)}: ${reading.why}`);
  assert.equal(reading.score, undefined);
  assert.match(reading.why, /\.$/);
  return reading;
}

interface ScoreCase {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly input: { readonly stdout: string; readonly stderr: string; readonly exitCode: number; readonly metric?: string; readonly direction?: Direction };
  readonly expected: { readonly score?: number; readonly outcome?: 'crash' | 'no-score' | 'rejected'; readonly feedbackContains?: string };
}

describe('readScore: cases from public reports', () => {
  const all = JSON.parse(readFileSync('test/cases/handed.json', 'utf8')) as readonly ScoreCase[];
  const cases = all.filter((item) => item.kind === 'score');
  const outcomes = { crash: 'crashed', 'no-score': 'no-score', rejected: 'invalid-score' } as const;

  it('there are some', () => assert.ok(cases.length >= 4));
  for (const { id, title, input, expected } of cases)
    it(`${id}: ${title}`, () => {
      const output = ran(input.stdout, { stderr: input.stderr, exitCode: input.exitCode });
      const metric = { name: input.metric ?? 'score', direction: input.direction ?? 'higher' };
      const reading = readScore(output, metric);
      if (expected.outcome === undefined) assert.deepEqual([reading.outcome, reading.score], ['scored', expected.score]);
      else assert.deepEqual([reading.outcome, reading.score], [outcomes[expected.outcome], undefined]);
      if (expected.feedbackContains !== undefined) assert.ok(feedbackOf(output).includes(expected.feedbackContains));
    });

  it('G02: the target prints a score line of its own: the last counts, and both are counted', () => {
    const honest = read('score: 40\n');
    const candidate = read('score: 100\nscore: 40\n');
    assert.deepEqual([candidate.score, candidate.values, honest.values], [40, 2, 1]);
    assert.equal(read('score: 40\nscore: 100\n').values, 2);
  });

  it('G08: how many checks ran is kept beside the score', () => {
    assert.deepEqual(read('{"score": 70, "checks": 5}\n').metrics, { checks: 5 });
    assert.deepEqual(read('{"score": 100, "checks": 0}\n').metrics, { checks: 0 });
  });
});

describe('readScore: how the run ended', () => {
  it('an exit code other than 0 is a crash, whatever was printed or written', () => {
    for (const exitCode of [1, 2, 127, -1, 255]) {
      const reading = fails('crashed', 'score: 40\n', score, { exitCode, result: '{"score": 40}', stderr: '' });
      assert.match(reading.why, new RegExp(`exit code ${exitCode}`));
      assert.deepEqual([reading.values, reading.source, reading.metrics, reading.candidates], [0, 'none', {}, []]);
    }
  });

  it('names the error: not the footer of Node, and not the note after a Python error', () => {
    const node = 'file:///x.js:1\nTypeError: solve is not a function\n    at x (file:///x.js:1:2)\n\nNode.js v24.1.0\n';
    assert.match(fails('crashed', '', score, { exitCode: 1, stderr: node }).why, /exit code 1: "TypeError: solve is not a function"\.$/);
    const python = 'Traceback (most recent call last):\n  File "a.py", line 1\nModuleNotFoundError: No module named \'numpy\'\n';
    assert.match(fails('crashed', '', score, { exitCode: 1, stderr: python }).why, /No module named 'numpy'/);
    assert.match(fails('crashed', '', score, { exitCode: 3, stderr: 'line one\nno rule to make it\n\n' }).why, /no rule to make it/);
    assert.match(fails('crashed', '', score, { exitCode: 1, stderr: `\u001b[31mError: red\u001b[0m${' long'.repeat(1000)}` }).why, /^[^\u001b]{1,300}$/);
  });

  it('names the signal', () => {
    assert.match(fails('crashed', 'score: 40\n', score, { exitCode: null, signal: 'SIGKILL' }).why, /SIGKILL \(often: out of memory\)/);
    assert.match(fails('crashed', 'score: 40\n', score, { exitCode: null, signal: 'SIGSEGV' }).why, /SIGSEGV/);
    assert.match(fails('crashed', 'score: 40\n', score, { exitCode: 137 }).why, /137, after the signal SIGKILL/);
    fails('crashed', 'score: 40\n', score, { exitCode: null });
  });

  it('says what is wrong with the command', () => {
    assert.match(fails('crashed', '', score, { exitCode: 127, stderr: 'sh: 1: pytst: not found\n' }).why, /not found/);
    assert.match(fails('crashed', '', score, { exitCode: 126 }).why, /not executable/);
    assert.match(fails('crashed', '', score, { end: 'not-started', exitCode: null, startError: 'pytst does not exist.' }).why, /could not be started: pytst/);
  });

  it('over the timeout is never a score', () => {
    const reading = fails('timed-out', 'score: 40\n', score, { end: 'timed-out', exitCode: null, signal: 'SIGKILL', timeoutMs: 10_000, result: '{"score":40}' });
    assert.match(reading.why, /10 s/);
    fails('timed-out', 'score: 40\n', score, { end: 'timed-out', exitCode: 0 });
  });

  it('a cancelled run is no score', () => void fails('cancelled', 'score: 40\n', score, { end: 'cancelled', exitCode: 0 }));
});

describe('readScore: the file at RATCHET_RESULT', () => {
  it('JSON there is the result, with metrics, cases and notes', () => {
    const result = JSON.stringify({ score: 62.5, metrics: { p95: 12, memory: 3.5, name: 'x' }, cases: [{ name: 'a', score: 1 }, { name: 'b', score: 0, note: 'wrong' }], notes: 'slow on b' }, null, 2);
    const reading = read('100\n', score, { result });
    assert.deepEqual([reading.outcome, reading.score, reading.source, reading.values], ['scored', 62.5, 'result-file', 1]);
    assert.deepEqual(reading.metrics, { p95: 12, memory: 3.5 });
    assert.deepEqual(reading.cases, [{ name: 'a', score: 1 }, { name: 'b', score: 0, note: 'wrong' }]);
    assert.equal(reading.notes, 'slow on b');
    assert.equal(reading.conflict, undefined);
  });

  it('the metric may stand under its own name, in metrics, or as `score`', () => {
    for (const result of ['{"runtime_ms": 12}', '{"score": 3, "runtime_ms": 12}', '{"score": 3, "metrics": {"runtime_ms": 12}}', '{"score": 12}', '12', ' \ufeff'.trim() + '12\n'])
      assert.equal(read('', ms, { result }).score, 12, result);
    assert.deepEqual(read('', ms, { result: '{"score": 12}' }).metrics, {});
    assert.deepEqual(read('', ms, { result: '{"score": 80, "runtime_ms": 12}' }).metrics, { score: 80 });
  });

  it('a differing named value on stdout is a conflict; a number alone and a rounded value are none', () => {
    assert.match(read('score: 100\n', score, { result: '{"score": 40}' }).conflict ?? '', /says 40, but the output says "score: 100"/);
    assert.match(read('METRIC score=100\n', score, { result: '{"score": 40}' }).conflict ?? '', /40.*100/);
    assert.match(read('{"score": 100}\n', score, { result: '{"score": 40}' }).conflict ?? '', /40.*100/);
    assert.match(read('{"score": null}\n', score, { result: '{"score": 40}' }).conflict ?? '', /null/);
    assert.match(read('score: nan\n', score, { result: '{"score": 40}' }).conflict ?? '', /nan/);
    for (const stdout of ['100\n', 'best_score: 100\n', 'score: 40\n', 'score: 39.8\n', 'score: 40.00\n'])
      assert.equal(read(stdout, score, { result: '{"score": 40}' }).conflict, undefined, stdout);
    assert.equal(read('val_bpb: 0.9979\n', bpb, { result: '{"val_bpb": 0.99791234}' }).conflict, undefined);
    assert.notEqual(read('val_bpb: 0.9978\n', bpb, { result: '{"val_bpb": 0.99791234}' }).conflict, undefined);
  });

  it('counts the values of both places', () => {
    assert.equal(read('score: 40\n', score, { result: '{"score": 40}' }).values, 2);
    assert.equal(read('', score, { result: '{"score": 40}' }).values, 1);
  });

  it('JSON without the metric is no score, whatever stdout says', () => {
    for (const result of ['{}', '[]', '{"value": 3}', 'null', 'true', '"40"', '{"score": "40"}', '{"score": null}', '{"score": true}', '{"score": [40]}', '{"score": {"value": 40}}'])
      fails('no-score', 'score: 40\n', score, { result });
    assert.match(fails('no-score', '', score, { result: '{"score": "40"}' }).why, /the text "40", not a number/);
    assert.match(fails('no-score', '', score, { result: '{"score": null}' }).why, /null/);
    assert.deepEqual(fails('no-score', '', score, { result: '{"accuracy": 3}' }).candidates, [{ name: 'accuracy', value: 3 }]);
  });

  it('a file without JSON is not the result, and is spoken of', () => {
    for (const result of ['', '  \n', 'score: 12', '{"score": 12', 'oops'])
      assert.equal(read('score: 40\n', score, { result }).score, 40, result);
    assert.match(read('score: 40\n', score, { result: 'oops' }).why, /RATCHET_RESULT holds no JSON/);
    assert.match(fails('no-score', '', score, { result: '{"score": 12' }).why, /holds no JSON/);
    assert.doesNotMatch(read('score: 40\n', score, { result: '' }).why, /RATCHET_RESULT/);
  });

  it('survives odd shapes and keeps what is bounded', () => {
    const result = JSON.stringify({ score: 1, metrics: 5, cases: [null, 3, { name: 1, score: 2 }, { name: 'ok', score: 2, note: 4 }, { name: 'x' }], notes: ['a'] });
    const reading = read('', score, { result });
    assert.deepEqual(reading.cases, [{ name: 'ok', score: 2 }]);
    assert.equal(reading.notes, undefined);
    assert.equal(reading.score, 1);
    const many = read('', score, { result: JSON.stringify({ score: 1, metrics: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`m${i}`, i])), cases: Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, score: i })) }) });
    assert.ok(Object.keys(many.metrics).length <= 64 && many.cases.length <= 500);
    const inherited = read('', { name: 'constructor', direction: 'higher' }, { result: '{"__proto__": {"score": 3}}' });
    assert.equal(inherited.outcome, 'no-score');
  });
});

describe('readScore: standard output', () => {
  it('reads each of the four forms', () => {
    assert.equal(scores('{"score": 40}\n', 40).source, 'json-line');
    assert.equal(scores('score: 40\n', 40).source, 'named-line');
    assert.equal(scores('METRIC score=40\n', 40).source, 'named-line');
    assert.equal(scores('40\n', 40).source, 'bare-number');
    assert.equal(scores('METRIC runtime_ms=18.25', 18.25, ms).source, 'named-line');
  });

  it('the last line of any form counts, and lines after it that are none do not matter', () => {
    scores('score: 10\nscore: 20\ndone in 3 s\n', 20);
    scores('score: 10\n{"score": 20}\n', 20);
    scores('{"score": 20}\nscore: 10\n', 10);
    scores('1\n2\n3\n', 3);
    scores('7\nscore: 10\n', 10);
    scores('{"score": 1}\n{"loss": 2}\n', 1);
    assert.match(scores('score: 10\nscore: 20\n', 20).why, /last of 2 lines/);
  });

  it('counts values: those with the name, and numbers alone only where such a number counts', () => {
    assert.equal(scores('1\n2\nscore: 10\n', 10).values, 1);
    assert.equal(scores('score: 1\n{"score": 2}\nMETRIC score=3\n', 3).values, 3);
    assert.equal(scores('1\n2\n', 2).values, 2);
  });

  it('a number alone after a named value counts as the contract says, and is a conflict where it differs', () => {
    const reading = scores('score: 40\n7\n', 7);
    assert.match(reading.conflict ?? '', /"score: 40", and then "7"/);
    assert.equal(reading.values, 2);
    assert.equal(scores('score: 40\n40\n', 40).conflict, undefined);
    assert.equal(scores('7\nscore: 40\n', 40).conflict, undefined);
  });

  it('demands exactly the metric\'s name', () => {
    for (const stdout of ['Score: 40\n', 'best_score: 40\n', 'score_b: 40\n', 'final score: 40\n', 'scores: 40\n', 'METRIC best=40\n', '{"Score": 40}\n', '{"result": {"score": 40}}\n', '[40]\n', 'score=40\n', 'score 40\n'])
      fails('no-score', stdout);
    fails('no-score', 'val_bpb_ema: 0.9\n', bpb);
    fails('no-score', 'score: 40\n', bpb);
    fails('no-score', '{"score": 40}\n', bpb);
    scores('val.bpb*: 1\n', 1, { name: 'val.bpb*', direction: 'lower' });
    fails('no-score', 'valxbpb: 1\n', { name: 'val.bpb', direction: 'lower' });
    scores('mean:sort (1,000): 5.5\n', 5.5, { name: 'mean:sort (1,000)', direction: 'lower' });
  });

  it('a number in a sentence, with a unit, or with marks is no score', () => {
    for (const stdout of ['7 passed in 0.04s\n', 'score: 40%\n', 'score: 40/100\n', 'score: 40 points\n', 'score: about 40\n', '40%\n', '40 ok\n', 'score:\n', 'score: \n40 %\n', 'score: 0x28\n', 'score: 1_000\n', 'score: 1 000\n', 'score: 4O\n', 'score: --4\n', 'score: 1e\n', 'score: .\n', '.\n', '-\n', '12:30\n'])
      fails('no-score', stdout);
  });

  it('a decimal comma is no number, and the sentence says so', () => {
    assert.match(fails('no-score', 'score: 1,5\n').why, /^The number in "score: 1,5" has a comma.*decimal point/);
    fails('no-score', '1,5\n');
    fails('no-score', 'runtime_ms: 1,234.5\n', ms);
  });

  it('reads numbers as programs print them', () => {
    scores('score: 1e-3\n', 0.001);
    scores('score: 1E1\n', 10);
    scores('score: +5\n', 5);
    scores('score: .5\n', 0.5);
    scores('score: 5.\n', 5);
    scores('score: 007\n', 7);
    scores('score:40\n', 40);
    scores('  score  :  40  \t\n', 40);
    scores('METRIC  score = 40\n', 40);
    scores('val_bpb:          0.997900\n', 0.9979, bpb);
    scores('runtime_ms: -12.5\n', -12.5, ms);
  });

  it('-0 is 0, and 0 is a score', () => {
    for (const stdout of ['score: -0\n', 'score: -0.0\n', '{"score": -0}\n', '-0\n', 'score: 0\n', '0', '{"score": 0.0}']) scores(stdout, 0);
  });

  it('not finite is invalid, in any letter case and any form', () => {
    for (const text of ['nan', 'NaN', 'NAN', '-nan', 'inf', 'Inf', '-inf', '+inf', 'Infinity', '-Infinity', 'INFINITY', '1e999', '-nan(ind)']) {
      const reading = fails('invalid-score', `val_bpb: ${text}\n`, bpb);
      assert.equal(reading.values, 1);
      fails('invalid-score', `METRIC val_bpb=${text}\n`, bpb);
      fails('invalid-score', `${text}\n`, bpb);
      fails('invalid-score', `val_bpb: 1.0\nval_bpb: ${text}\n`, bpb);
    }
    for (const text of ['NaN', 'Infinity', '-Infinity', 'nan', '1e999']) {
      fails('invalid-score', `{"val_bpb": ${text}, "note": "NaN is fine here: \\"inf\\""}\n`, bpb);
      fails('invalid-score', '', bpb, { result: `{"score": ${text}}` });
      fails('invalid-score', '', bpb, { result: text });
    }
    assert.deepEqual(scores('{"score": 3, "loss": NaN, "text": "NaN", "acc": 0.5}\n', 3).metrics, { acc: 0.5 });
  });

  it('`score` outside 0 to 100 is invalid; a rounding error is not', () => {
    for (const text of ['100.5', '-1', '1e6', '100.000001']) assert.match(fails('invalid-score', `score: ${text}\n`).why, /outside 0 to 100/);
    fails('invalid-score', '{"score": 101}\n');
    fails('invalid-score', '', score, { result: '{"score": 101}' });
    scores('score: 100\n', 100);
    scores('score: 100.00000000000001\n', 100);
    scores('score: -1e-17\n', 0);
    scores('runtime_ms: 1e6\n', 1e6, ms);
  });

  it('JSON whose metric is no number is no score, and no older value takes its place', () => {
    for (const text of ['"40"', 'null', 'true', '[]', '{}']) assert.match(fails('no-score', `score: 12\n{"score": ${text}}\n`).why, /not a number/);
  });

  it('reads metrics, cases and notes of a JSON line too', () => {
    const reading = scores('{"score": 50, "metrics": {"p95": 3}, "cases": [{"name": "a", "score": 1}], "notes": "n"}\n', 50);
    assert.deepEqual([reading.metrics, reading.cases, reading.notes], [{ p95: 3 }, [{ name: 'a', score: 1 }], 'n']);
    scores('{"score": 3, "metrics": {"runtime_ms": 5}}\n', 5, ms);
  });

  it('strips what a terminal would not show', () => {
    scores('\u001b[32mscore: 40\u001b[0m\n', 40);
    scores('\u001b[1mscore\u001b[22m: \u001b[38;5;82m40\u001b[0m\u001b[K\n', 40);
    scores('\u001b]0;title\u0007score: 40\n', 40);
    scores('\u001b]8;;http://x\u001b\\score: 40\u001b]8;;\u001b\\\n', 40);
    scores('\u001b[2K\u001b[1Gscore: 40\n', 40);
    scores('\u001b(Bscore: 40\n', 40);
    scores('\u001b[33m{"score": 40}\u001b[39m\n', 40);
    scores('10%\r50%\r100%\rscore: 40\n', 40);
    scores('score: 10\rscore: 40\r\n', 40);
    scores('| \b/\b-\bscore: 40\n', 40);
    scores('score: 40\r\n', 40);
    scores('score: 40\r\r\n', 40);
    scores('log\r\nscore: 40\r\nmore\r\n', 40);
    scores('\ufeffscore: 40\n', 40);
    scores('\ufeff40', 40);
    scores('score: 40\u0000\n', 40);
    scores('\ufffd\ufffds\u0000c\u0000o\u0000r\u0000e\u0000:\u0000 \u00004\u00000\u0000\n\u0000', 40);
    scores('\u00a0score: 40\u00a0\n', 40);
    scores('score: 40\u0007\n', 40);
    fails('no-score', 'score: 40\rdone\n');
  });

  it('explains itself where there is no value', () => {
    assert.match(fails('no-score', '').why, /printed nothing/);
    assert.match(fails('no-score', '\n \n').why, /printed nothing/);
    assert.match(fails('no-score', '', score, { stderr: 'score: 40\n' }).why, /"score: 40" stands on standard error/);
    assert.match(fails('no-score', '[info] score: 40\n').why, /nearest is "\[info\] score: 40"/);
    assert.match(fails('no-score', 'score: 40 ms\n').why, /without a unit/);
    assert.match(fails('no-score', '{\n  "score": 40,\n  "n": 2\n}\n').why, /JSON object on one line/);
    assert.match(fails('no-score', 'all good\n').why, /last line is "all good"/);
    assert.ok(fails('no-score', `score ${'x'.repeat(900)}1\n`).why.length < 400);
  });

  it('lists the numbers under other names, to pick one', () => {
    const reading = fails('no-score', 'Accuracy: 0.91\nmean time: 18.2\nMETRIC p95=30\n{"loss": 2.5, "epoch": 3}\nloss: 2.4\n12:30\nTime: 12:30\nx: 4 ms\n');
    assert.deepEqual(reading.candidates, [
      { name: 'Accuracy', value: 0.91 }, { name: 'mean time', value: 18.2 }, { name: 'p95', value: 30 }, { name: 'epoch', value: 3 }, { name: 'loss', value: 2.4 },
    ]);
    assert.match(reading.why, /`Accuracy`/);
  });

  it('a module\'s prints are not parsed', () => {
    const module = { readsStdout: false, result: '{"score": 40}' };
    const reading = read('score: 100\nnoise: 3\n', score, module);
    assert.deepEqual([reading.score, reading.source, reading.values, reading.conflict, reading.metrics], [40, 'module', 1, undefined, {}]);
    assert.match(fails('no-score', 'score: 100\n', score, { readsStdout: false }).why, /ended before it gave a value/);
    fails('invalid-score', '', score, { readsStdout: false, result: '{"score":NaN}' });
  });

  it('a huge output and an endless line are read in no time', () => {
    const noise = 'x'.repeat(5_000_000);
    scores(`${noise}\nscore: 40\n`, 40);
    scores(`score: 40\n${'1'.repeat(5_000_000)}\n{${'"'.repeat(999_999)}}\n{"a": "${'\\"'.repeat(999_999)}}\n`, 40);
    scores(`${'\u001b['.repeat(500_000)}\nscore: 40\n`, 40);
    scores(`${'step 3: 4\n'.repeat(200_000)}score: 40\n`, 40);
    assert.ok(Object.keys(read(Array.from({ length: 100_000 }, (_, i) => `step ${i}: 1\n`).join('')).metrics).length <= 64);
    fails('no-score', `{"score": ${'['.repeat(100_000)}NaN}\n`);
  }).timeout(20_000);
});

describe('readScore: a train.py', () => {
  const block = '---\nval_bpb:          0.997900\ntraining_seconds: 300.1\ntotal_seconds:    325.9\npeak_vram_mb:     45060.2\nmfu_percent:      39.80\ntotal_tokens_M:   499.6\nnum_steps:        953\ndepth:            8\n';

  it('reads val_bpb and keeps the summary beside it', () => {
    const reading = scores(`step 00952 (99.9%) | loss: 2.9 \r\n${block}`, 0.9979, bpb);
    assert.deepEqual(reading.metrics, { training_seconds: 300.1, total_seconds: 325.9, peak_vram_mb: 45060.2, mfu_percent: 39.8, total_tokens_M: 499.6, num_steps: 953, depth: 8 });
    assert.equal(reading.values, 1);
  });

  it('keeps the summary where the metric itself is not finite', () => {
    const reading = fails('invalid-score', block.replace('0.997900', 'nan'), bpb);
    assert.equal(reading.metrics.peak_vram_mb, 45060.2);
  });
});

describe('readScore: with a report', () => {
  const junit: ReportRef = { file: 'r.xml', format: 'junit' };
  const xml = '<testsuites><testsuite name="s"><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite></testsuites>';

  it('the report counts, and numbers alone on stdout do not', () => {
    const reading = readScore(ran('12\n', { report: xml }), score, junit);
    assert.deepEqual([reading.score, reading.source, reading.values], [50, 'report', 1]);
    assert.deepEqual(reading.metrics, { tests: 2, failures: 1, skipped: 0 });
    assert.deepEqual(reading.cases, [{ name: 'a', score: 100 }, { name: 'b', score: 0, note: 'no' }]);
    assert.match(reading.why, /r\.xml/);
  });

  it('a named line counts before it, and a difference is a conflict', () => {
    const reading = readScore(ran('score: 90\n3\n', { report: xml }), score, junit);
    assert.deepEqual([reading.score, reading.source, reading.values], [90, 'named-line', 2]);
    assert.match(reading.conflict ?? '', /report says 50, but the output says "score: 90"/);
    assert.equal(readScore(ran('score: 50\n', { report: xml }), score, junit).conflict, undefined);
  });

  it('the result file counts before both, and a failed run before all', () => {
    assert.equal(readScore(ran('', { report: xml, result: '{"score": 7}' }), score, junit).score, 7);
    assert.equal(readScore(ran('', { report: xml, exitCode: 1 }), score, junit).outcome, 'crashed');
  });

  it('a report that is missing, cut off, empty, or without the metric is no score', () => {
    const why = (report: string | undefined, metric = score, ref = junit): string => {
      const reading = readScore(ran('ok\n', report === undefined ? {} : { report }), metric, ref);
      assert.equal(reading.outcome, 'no-score');
      return reading.why;
    };
    assert.match(why(undefined), /r\.xml was not written/);
    assert.match(why(xml.slice(0, 60)), /cut off/);
    assert.match(why('oops'), /not JUnit/);
    assert.match(why('<testsuites/>'), /no test/);
    assert.match(why(xml, ms), /no `runtime_ms`.*`score`/);
  });

  it('without a value in the report a number alone serves', () => {
    assert.equal(readScore(ran('12\n'), score, junit).score, 12);
  });
});

describe('readScore: rules that hold for all output', () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom('score', ': ', '40', '\n', '\r', '{', '}', '"', 'nan', '\u001b[0m', 'METRIC ', '=', ',', '-', '\u0000', ' ')).map((parts) => parts.join('')));

  it('a score is there exactly when the outcome is scored; it is finite, in range, and never -0', () => {
    fc.assert(fc.property(anyText, fc.option(anyText, { nil: undefined }), fc.constantFrom(score, ms), (stdout, result, metric) => {
      const reading = read(stdout, metric, result === undefined ? {} : { result });
      assert.equal(reading.outcome === 'scored', reading.score !== undefined);
      if (reading.score !== undefined) {
        assert.ok(Number.isFinite(reading.score) && !Object.is(reading.score, -0) && reading.values > 0);
        if (metric === score) assert.ok(reading.score >= 0 && reading.score <= 100);
      }
      assert.ok(Object.values(reading.metrics).every(Number.isFinite));
      assert.deepEqual(JSON.parse(JSON.stringify(reading)), { ...reading });
    }));
  });

  it('any finite number that can be computed with and is printed by name is read as it is, whatever stands before it', () => {
    fc.assert(fc.property(anyText, fc.double({ noNaN: true, min: -1e150, max: 1e150 }).filter((value) => value === 0 || Math.abs(value) >= 1e-150), (before, value) => {
      assert.equal(read(`${before}\nruntime_ms: ${value}\n`, ms).score, value + 0);
      assert.equal(read(`${before}\n${JSON.stringify({ runtime_ms: value })}\n`, ms).score, value + 0);
    }));
  });

  it('a run that failed has no score, whatever it printed', () => {
    fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 255 }), (stdout, exitCode) => {
      assert.equal(read(`${stdout}\nscore: 40\n`, score, { exitCode, result: '{"score":40}' }).outcome, 'crashed');
    }));
  });
});

describe('defaultMetric', () => {
  it('knows two, and no other', () => {
    assert.deepEqual(defaultMetric('score'), { name: 'score', direction: 'higher' });
    assert.deepEqual(defaultMetric('val_bpb'), { name: 'val_bpb', direction: 'lower' });
    for (const name of ['runtime_ms', 'Score', '', 'constructor']) assert.equal(defaultMetric(name), undefined);
  });
});
