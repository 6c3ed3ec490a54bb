import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execute } from '../../src/engine/execute.ts';
import type { Execution } from '../../src/engine/execute.ts';
import { scorerCommand } from '../../src/engine/scorer.ts';
import type { ScorerCommand, ScorerPaths } from '../../src/engine/scorer.ts';
import { readScore, reportOf } from '../../src/loop/score.ts';
import type { Reading } from '../../src/loop/score.ts';
import type { ScorerSpec } from '../../src/records.ts';
import { assertNoSurvivors } from '../census.ts';

// The interpreter itself: a version manager's shim would start more than one process.
const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
const tools = { node: process.execPath, python };

function forRoot(root: string, target = 'src/target.js', platform: NodeJS.Platform = 'linux'): (spec: ScorerSpec) => ScorerCommand {
  const paths: ScorerPaths = { root, target: join(root, target), inside: (path) => path };
  return (spec) => scorerCommand(spec, paths, tools, platform);
}

describe('scorerCommand', () => {
  const command = forRoot('/w');
  const shown = (spec: ScorerSpec): string => command(spec).display;

  it('a text runs in sh, and is shown as it is', () => {
    const text = 'node score.js | tail -1 && echo "ok"';
    assert.deepEqual(command({ kind: 'shell', command: text }), { file: 'sh', args: ['-c', text], display: text, readsStdout: true, env: {}, verbatim: false });
  });

  it('on Windows in cmd, whose quoting is its own', () => {
    const text = 'node "a b.js" & echo %X%';
    assert.deepEqual(forRoot('/w', 't', 'win32')({ kind: 'shell', command: text }), { file: 'cmd.exe', args: ['/d', '/s', '/c', `"${text}"`], display: text, readsStdout: true, env: {}, verbatim: true });
  });

  it('a list runs as it is, and is shown as a shell would take it', () => {
    const made = command({ kind: 'argv', argv: ['pytest', '-q', '--junitxml=my report.xml', "it's", '$HOME', ''] });
    assert.deepEqual([made.file, made.args], ['pytest', ['-q', '--junitxml=my report.xml', "it's", '$HOME', '']]);
    assert.equal(made.display, `pytest -q '--junitxml=my report.xml' 'it'\\''s' '$HOME' ''`);
    assert.deepEqual(reportOf(made.display), { file: 'my report.xml', format: 'junit' });
    assert.equal(execFileSync('sh', ['-c', `printf '%s|' ${made.display}`], { encoding: 'utf8' }), ['pytest', ...made.args, ''].join('|'));
    assert.throws(() => command({ kind: 'argv', argv: [] }), /empty list/);
  });

  it('a train.py is its own scorer', () => {
    assert.deepEqual(command({ kind: 'self', python: ['uv', 'run', 'python'] }).args, ['run', 'python', '/w/src/target.js']);
    assert.equal(command({ kind: 'self', python: ['.venv/bin/python'] }).file, '/w/.venv/bin/python');
    assert.equal(command({ kind: 'self', python: ['python3'] }).file, 'python3');
    assert.equal(shown({ kind: 'self', python: ['/usr/bin/python3'] }), '/usr/bin/python3 /w/src/target.js');
  });

  it('a module is called, and what it prints is not parsed', () => {
    const node = command({ kind: 'module', file: 'bench/score.mjs', language: 'node' });
    assert.equal(node.display, `${process.execPath} bench/score.mjs (calls its default export)`);
    assert.deepEqual([node.file, node.args.slice(-2), node.readsStdout], [process.execPath, ['/w/bench/score.mjs', '/w/src/target.js'], false]);
    const made = command({ kind: 'module', file: 'score.py', language: 'python' });
    assert.deepEqual([made.file, made.args[0], made.args.slice(-2), made.readsStdout], [python, '-c', ['/w/score.py', '/w/src/target.js'], false]);
    assert.equal(made.display, `${python} score.py (calls its score(path))`);
  });

  it('paths of the workspace are the scratch copy\'s', () => {
    const paths: ScorerPaths = { root: '/w', target: '/copy/t.py', inside: (path) => path.replace(/^\/w(?=\/|$)/, '/copy') };
    const made = (spec: ScorerSpec): readonly string[] => {
      const { file, args } = scorerCommand(spec, paths, { node: '/n/node', python: '/w/.venv/bin/python' }, 'linux');
      return [file, ...args.slice(-2)];
    };
    assert.deepEqual(made({ kind: 'argv', argv: ['/usr/bin/node', '/w/score.js', 'rel.js'] }), ['/usr/bin/node', '/copy/score.js', 'rel.js']);
    assert.deepEqual(made({ kind: 'self', python: ['.venv/bin/python', '-u'] }), ['/copy/.venv/bin/python', '-u', '/copy/t.py']);
    assert.deepEqual(made({ kind: 'module', file: 'score.py', language: 'python' }), ['/copy/.venv/bin/python', '/copy/score.py', '/copy/t.py']);
  });

  it('the editor\'s own Electron is told to be a Node', () => {
    const electron = { node: '/e/code', nodeEnv: { ELECTRON_RUN_AS_NODE: '1' }, python };
    const paths: ScorerPaths = { root: '/w', target: '/w/t.js', inside: (path) => path };
    const envOf = (spec: ScorerSpec): object => scorerCommand(spec, paths, electron, 'linux').env;
    assert.deepEqual(envOf({ kind: 'module', file: 's.mjs', language: 'node' }), electron.nodeEnv);
    assert.deepEqual(envOf({ kind: 'argv', argv: ['/e/code', 's.js'] }), electron.nodeEnv);
    assert.deepEqual(envOf({ kind: 'argv', argv: ['node', 's.js'] }), {});
    assert.deepEqual(envOf({ kind: 'module', file: 's.py', language: 'python' }), {});
  });
});

describe('scorers, really run', () => {
  let root: string;
  let marks: string[];

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'ratchet scorer-')));
    marks = [];
  });
  afterEach(async () => {
    rmSync(root, { recursive: true, force: true });
    await assertNoSurvivors(marks);
  });

  function write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  }

  async function score(spec: ScorerSpec, target: string, metric = 'score'): Promise<{ readonly reading: Reading; readonly run: Execution; readonly result: string | undefined }> {
    const command = forRoot(root, target)(spec);
    const result = join(root, 'result.json');
    rmSync(result, { force: true });
    const mark = randomUUID();
    marks.push(mark);
    const env = { PATH: process.env.PATH ?? '', HOME: root, RATCHET_TARGET: join(root, target), RATCHET_RESULT: result, ...command.env };
    const run = await execute({ file: command.file, args: command.args, cwd: root, env }, { timeoutMs: 15_000, signal: new AbortController().signal, mark });
    const text = existsSync(result) ? readFileSync(result, 'utf8') : undefined;
    const reading = readScore({
      ...run, signal: run.signal ?? undefined, readsStdout: command.readsStdout, result: text,
    } as Parameters<typeof readScore>[0], { name: metric, direction: metric === 'score' ? 'higher' : 'lower' });
    return { reading, run, result: text };
  }

  const node = (file: string): ScorerSpec => ({ kind: 'module', file, language: 'node' });
  const py = (file: string): ScorerSpec => ({ kind: 'module', file, language: 'python' });

  it('a shell command sees RATCHET_TARGET', async () => {
    write({ 't.txt': '41\n' });
    const { reading } = await score({ kind: 'shell', command: 'echo noise; cat "$RATCHET_TARGET"' }, 't.txt');
    assert.deepEqual([reading.score, reading.source], [41, 'bare-number']);
  });

  it('a list keeps its words', async () => {
    write({ 'say it.js': 'console.log("score: " + process.argv.slice(2).length)' });
    assert.equal((await score({ kind: 'argv', argv: [process.execPath, join(root, 'say it.js'), '$HOME', 'a b'] }, 't')).reading.score, 2);
  });

  it('a train.py runs itself', async () => {
    write({ 'train.py': 'print("---")\nprint("val_bpb:          0.997900")\nprint("peak_vram_mb:     45060.2")\n' });
    const { reading } = await score({ kind: 'self', python: [python] }, 'train.py', 'val_bpb');
    assert.deepEqual([reading.score, reading.metrics], [0.9979, { peak_vram_mb: 45060.2 }]);
  });

  describe('a Node module', () => {
    it('gives a number: of a promise, of a .ts file, of CommonJS, of transpiled code', async () => {
      write({
        'src/a.mjs': 'export const speed = 40;',
        'score.mjs': 'export default async function score(path) { const { speed } = await import(path); console.log("score: 99"); return speed; }',
        'score.ts': 'import { speed } from "./src/a.mjs";\nexport default function score(path: string): number { return path.endsWith("a.mjs") ? speed + 1 : 0; }',
        'score.cjs': 'module.exports = (path) => 42;',
        'old.cjs': 'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = () => 43;',
      });
      const scores: unknown[] = [];
      for (const file of ['score.mjs', 'score.ts', 'score.cjs', 'old.cjs']) {
        const { reading } = await score(node(file), 'src/a.mjs');
        scores.push([reading.score, reading.source, reading.values]);
      }
      assert.deepEqual(scores, [[40, 'module', 1], [41, 'module', 1], [42, 'module', 1], [43, 'module', 1]]);
    });

    it('gives an object with metrics, cases and notes, under the metric\'s own name too', async () => {
      write({ 'score.mjs': 'export default () => ({ runtime_ms: 12.5, metrics: { p95: 20, bad: NaN }, cases: [{ name: "a", score: 1 }], notes: "n" });' });
      const { reading } = await score(node('score.mjs'), 't.js', 'runtime_ms');
      assert.deepEqual([reading.score, reading.metrics, reading.cases, reading.notes], [12.5, { p95: 20 }, [{ name: 'a', score: 1 }], 'n']);
      write({ 'score.mjs': 'export default () => 12.5;' });
      assert.equal((await score(node('score.mjs'), 't.js', 'runtime_ms')).reading.score, 12.5);
    });

    it('NaN and infinities survive, and are invalid', async () => {
      for (const value of ['NaN', 'Infinity', '-Infinity', '{ score: NaN }', '{ score: -Infinity, metrics: { a: NaN } }']) {
        write({ 'score.mjs': `export default () => (${value});` });
        assert.equal((await score(node('score.mjs'), 't.js')).reading.outcome, 'invalid-score', value);
      }
    });

    it('what is no number is a clear sentence and exit code 1, without a stack trace', async () => {
      for (const [value, said] of [['undefined', 'undefined'], ['null', 'null'], ['"40"', 'the text "40"'], ['true', 'true'], ['[40]', 'a list'], ['() => 40', 'a function'], ['40n', '40']] as const) {
        write({ 'score.mjs': `export default () => (${value});` });
        const { run, reading } = await score(node('score.mjs'), 't.js');
        assert.equal(run.stderr, `score.mjs returned ${said}; it must return a number, or an object like {score: 40}.\n`);
        assert.deepEqual([run.exitCode, reading.outcome], [1, 'crashed']);
      }
    });

    it('a missing file, and a missing default export, are clear sentences', async () => {
      write({ 'score.mjs': 'export const score = () => 40;', 'no.mjs': 'export default 40;' });
      const gone = await score(node('gone.mjs'), 't.js');
      assert.deepEqual([gone.run.exitCode, gone.run.stderr], [1, `The scoring module ${join(root, 'gone.mjs')} does not exist.\n`]);
      for (const file of ['score.mjs', 'no.mjs']) {
        const { run } = await score(node(file), 't.js');
        assert.equal(run.exitCode, 1);
        assert.match(run.stderr, new RegExp(`^${file} has no default export that is a function: write "export default function score\\(path\\).*\n$`));
      }
    });

    it('what the module or the candidate throws is a crash with its place', async () => {
      write({ 'src/bad.mjs': 'export const x = ;\n', 'score.mjs': 'export default async (path) => { await import(path); return 40; };' });
      const syntax = await score(node('score.mjs'), 'src/bad.mjs');
      assert.equal(syntax.reading.outcome, 'crashed');
      assert.match(syntax.run.stderr, /bad\.mjs:1[^]*SyntaxError/);
      assert.match(syntax.reading.why, /SyntaxError/);
      write({ 'score.mjs': 'export default () => { throw new TypeError("no such case"); };' });
      const thrown = await score(node('score.mjs'), 't.js');
      assert.match(thrown.run.stderr, /TypeError: no such case\n\s+at .*score\.mjs/);
      assert.match(thrown.reading.why, /exit code 1: "TypeError: no such case"/);
    });

    it('a candidate that ends the process gives no score, and a module that waits for ever none either', async () => {
      write({ 'src/exit.mjs': 'console.log("score: 100"); process.exit(0);', 'score.mjs': 'export default async (path) => { await import(path); return 40; };' });
      const { reading } = await score(node('score.mjs'), 'src/exit.mjs');
      assert.deepEqual([reading.outcome, reading.why], ['no-score', 'The module ended before it gave a value.']);
      write({ 'score.mjs': 'export default () => new Promise(() => {});' });
      assert.equal((await score(node('score.mjs'), 't.js')).reading.outcome, 'crashed');
    });

    it('ends although the module leaves a server and a timer behind', async () => {
      write({ 'score.mjs': 'import { createServer } from "node:http"; export default () => new Promise((done) => { setInterval(() => {}, 1000); createServer().listen(0, "127.0.0.1", () => done(7)); });' });
      const { reading, run } = await score(node('score.mjs'), 't.js');
      assert.deepEqual([reading.score, run.end], [7, 'exited']);
    });
  });

  describe('a Python module', () => {
    it('a candidate of the same size in the same second is read anew', async () => {
      write({ 'score.py': 'import os, sys\n\ndef score(path):\n    sys.path.insert(0, os.path.dirname(path))\n    import target\n    return target.VALUE\n' });
      const scores: unknown[] = [];
      for (const value of [1, 2, 3]) {
        write({ 'src/target.py': `VALUE = ${value}\n` });
        scores.push((await score(py('score.py'), 'src/target.py')).reading.score);
      }
      assert.deepEqual(scores, [1, 2, 3]);
    });

    it('gives a number, with its own folder first on the path and under its own name', async () => {
      write({
        'bench/helper.py': 'BONUS = 2\n',
        'helper.py': 'raise RuntimeError("the wrong helper")\n',
        'bench/my_score.py': 'import sys\nfrom dataclasses import dataclass\nfrom helper import BONUS\n\n@dataclass\nclass Box:\n    n: int\n\ndef score(path):\n    print("score: 99")\n    assert __name__ == "my_score" and sys.modules["my_score"].score is score, __name__\n    return Box(len(open(path).read())).n + BONUS\n',
        't.txt': 'abc',
      });
      const { reading, run } = await score(py('bench/my_score.py'), 't.txt');
      assert.equal(reading.score, 5, run.stderr);
      assert.equal(reading.source, 'module');
    });

    it('gives numbers of other kinds: fractions, decimals, anything with __float__', async () => {
      for (const [value, expected] of [['7', 7], ['1e-3', 0.001], ['-0.0', 0], ['__import__("fractions").Fraction(1, 4)', 0.25], ['__import__("decimal").Decimal("0.5")', 0.5], ['Tensor()', 12.5], ['{"score": Tensor()}', 12.5]] as const) {
        write({ 'score.py': `class Tensor:\n    def __float__(self):\n        return 12.5\n\ndef score(path):\n    return ${value}\n` });
        const { reading, run } = await score(py('score.py'), 't.txt');
        assert.equal(reading.score, expected, `${value}: ${run.stderr}`);
      }
    });

    it('gives a dict with metrics, cases and notes', async () => {
      write({ 'score.py': 'def score(path):\n    return {"score": 50, "metrics": {"p95": 2.5, "bad": float("nan")}, "cases": [{"name": "ä", "score": 1}], "notes": "n"}\n' });
      const { reading } = await score(py('score.py'), 't.txt');
      assert.deepEqual([reading.score, reading.metrics, reading.cases, reading.notes], [50, { p95: 2.5 }, [{ name: 'ä', score: 1 }], 'n']);
    });

    it('NaN and infinities survive, and are invalid', async () => {
      for (const value of ['float("nan")', 'float("-inf")', '{"score": float("inf")}']) {
        write({ 'score.py': `def score(path):\n    return ${value}\n` });
        assert.equal((await score(py('score.py'), 't.txt')).reading.outcome, 'invalid-score', value);
      }
    });

    it('what is no number is a clear sentence and exit code 1, without a stack trace', async () => {
      for (const value of ['None', "'40'", 'True', '[40]', '(1, 2)', "b'1'"]) {
        write({ 'score.py': `def score(path):\n    return ${value}\n` });
        const { run } = await score(py('score.py'), 't.txt');
        assert.deepEqual([run.exitCode, run.stderr], [1, `score.py returned ${value}; score(path) must return a number, or a dict like {"score": 40}.\n`]);
      }
    });

    it('a missing file, and a missing score, are clear sentences', async () => {
      const gone = await score(py('gone.py'), 't.txt');
      assert.deepEqual([gone.run.exitCode, gone.run.stderr], [1, `The scoring module ${join(root, 'gone.py')} does not exist.\n`]);
      for (const text of ['', 'score = 40\n', 'class A:\n    def score(self):\n        pass\n']) {
        write({ 'score.py': text });
        const { run } = await score(py('score.py'), 't.txt');
        assert.deepEqual([run.exitCode, run.stderr], [1, 'score.py has no function score: write "def score(path):" at its top level.\n']);
      }
    });

    it('what it raises is a crash with its place; a candidate that ends the process gives no score', async () => {
      write({ 'score.py': 'def score(path):\n    raise ValueError("no such case")\n' });
      const raised = await score(py('score.py'), 't.txt');
      assert.match(raised.run.stderr, /score\.py", line 2/);
      assert.match(raised.reading.why, /exit code 1: "ValueError: no such case"/);
      write({ 'score.py': 'import runpy\n\ndef score(path):\n    runpy.run_path(path)\n    return 40\n', 't.py': 'import sys\nsys.exit(0)\n' });
      assert.equal((await score(py('score.py'), 't.py')).reading.outcome, 'no-score');
    });
  });
}).timeout(60_000);
