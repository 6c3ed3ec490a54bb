import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { loadParsers } from '../../src/engine/parsers.ts';
import type { Parsers } from '../../src/engine/parsers.ts';
import { TRAIN_REASONS } from '../../src/loop/protect-train.ts';
import { MARKED } from '../../src/loop/protect-markers.ts';
import { protectedLines, touchesProtected } from '../../src/loop/protect.ts';
import type { ProtectedRange } from '../../src/loop/protect.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

/** Letters before the bar say what each line is expected to be: import, evaluation, summary, seed, clock. */
const TRAIN = `
 |"""A made-up training script."""
 |import time
i|from prepare import (
i|    TIME_BUDGET, evaluate_bpb,
i|)
i|import prepare.data as data
i|from . import helpers
 |from elsewhere import evaluate
 |
 |DEPTH = 4
r|SEED = 7
c|SKIPPED = 10
 |LR = 3e-4
 |
 |class Layer:
 |    def forward(self, x, dt):
 |        dt = dt * 2
 |        return x * dt
 |
 |def schedule(progress):
 |    return max(0.1, 1.0 - progress)
 |
c|start = time.time()
r|torch.manual_seed(SEED)
r|rng = np.random.default_rng(3)
 |model = torch.nn.Linear(DEPTH, DEPTH)
c|spent = 0
 |step = 0
 |while True:
c|    torch.cuda.synchronize()
c|    t0 = time.time()
 |    loss = model(step) * LR
c|    progress = min(spent / TIME_BUDGET, 1.0)
 |    lr = schedule(progress)
 |    # the clock stops here
c|    dt = time.time() - t0
c|    if step > SKIPPED:
c|        spent += dt
c|    print(
c|        f"step {step} | dt: {dt * 1000:.0f}ms",
c|    )
 |    step += 1
c|    if step > SKIPPED and spent >= TIME_BUDGET:
c|        break
 |
 |model.eval()
 |with torch.no_grad():
e|    val_bpb = evaluate_bpb(model, 128)
c|end = time.time()
s|peak_mb = torch.cuda.max_memory_allocated() / 1024 / 1024
 |tokens = step * 1000
s|print("---")
s|print(f"val_bpb:          {val_bpb:.6f}")
s|print(f"training_seconds: {spent:.1f}")
s|print(f"total_seconds:    {end - start:.1f}")
s|print(f"peak_vram_mb:     {peak_mb:.1f}")
s|print(f"depth: {DEPTH}")
 |model.save("x")
 |print("bye")
`.trim().split('\n');
const LETTERS: Readonly<Record<string, string>> = {
  i: TRAIN_REASONS.import, e: TRAIN_REASONS.evaluation, s: TRAIN_REASONS.summary, r: TRAIN_REASONS.seed, c: TRAIN_REASONS.clock,
};
const train = TRAIN.map((line) => line.slice(line.indexOf('|') + 1)).join('\n');

describe('protect', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });
  const ofTrain = (text: string): readonly ProtectedRange[] =>
    protectedLines(text, parsers.parse('python', text), { trainPy: true, projectModules: new Set(['prepare']) });
  const linesOf = (text: string, ranges: readonly ProtectedRange[], why?: string): string[] =>
    text.split('\n').filter((_, i) => ranges.some(({ from, to, why: reason }) => from <= i + 1 && i + 1 <= to && (why === undefined || why === reason)));

  it('finds imports, evaluation, summary, seeds and the clock of a train.py, and nothing else', () => {
    const ranges = ofTrain(train);
    const found = TRAIN.map((_, i) => ranges.find(({ from, to }) => from <= i + 1 && i + 1 <= to)?.why);
    assert.deepEqual(found, TRAIN.map((line) => LETTERS[line.trim().charAt(0)]));
  });

  it('protects nothing of the kind in other files', () => {
    assert.deepEqual(protectedLines(train, parsers.parse('python', train), { trainPy: false, projectModules: new Set() }), []);
    assert.deepEqual(protectedLines(train, undefined, { trainPy: true, projectModules: new Set() }), []);
  });

  it('protects an evaluation that the script does itself', () => {
    const text = [
      'def evaluate(model):', '    return 1.0', 'def main():', '    val_loss = evaluate(net)', '    bits = val_loss / 2', '    net = build(4)',
      '    val_bpb = bits', '    print("val_bpb:", val_bpb)', 'main()',
    ].join('\n');
    assert.deepEqual(linesOf(text, ofTrain(text)), [
      'def evaluate(model):', '    return 1.0', '    val_loss = evaluate(net)', '    bits = val_loss / 2', '    val_bpb = bits',
      '    print("val_bpb:", val_bpb)',
    ]);
  });

  it('protects functions of the script that make the printed memory and metric', () => {
    const text = [
      'def peak():', '    return alloc() / 1e6', 'def other():', '    return 3', 'def bits(x):', '    return x / 2', 'mb = peak()', 'val = measure(net)',
      'print("val_bpb:", bits(val.item()))', 'print(f"peak_vram_mb: {mb}")', 'print(f"depth: {other()}")',
    ].join('\n');
    assert.deepEqual(linesOf(text, ofTrain(text)), [
      'def peak():', '    return alloc() / 1e6', 'def bits(x):', '    return x / 2', 'mb = peak()', 'print("val_bpb:", bits(val.item()))', 'print(f"peak_vram_mb: {mb}")', 'print(f"depth: {other()}")',
    ]);
  });

  it('reads other ways to ask for the time', () => {
    const text = [
      'import time as clock', 'from time import perf_counter as now', 'import math', 'a = clock.monotonic()', 'b = now()', 'c = math.time()',
      'spent = b - a', 'while spent < args.limit:', '    work()', 'x, y = spent, 3', 'def f():', '    global spent', '    spent = 0', 'MAX_SECONDS = 300',
      'left = MAX_SECONDS - spent', 'ratio = spent / left', 'other = ratio + 1',
    ].join('\n');
    assert.deepEqual(linesOf(text, ofTrain(text), TRAIN_REASONS.clock), [
      'a = clock.monotonic()', 'b = now()', 'spent = b - a', 'while spent < args.limit:', 'x, y = spent, 3', '    global spent', '    spent = 0', 'MAX_SECONDS = 300',
      'left = MAX_SECONDS - spent', 'ratio = spent / left',
    ]);
  });

  it('counts lines as edits do, whatever ends them', () => {
    assert.deepEqual(protectedLines('a\r# ratchet: protect\rb\r\n# ratchet: end\nc', undefined, { trainPy: false, projectModules: new Set() }), [{ from: 2, to: 4, why: MARKED }]);
  });

  it('protects what people marked, in any comment syntax', () => {
    for (const [open, close] of [['# ', ''], ['// ', ''], ['-- ', ''], [';; ', ''], ['% ', ''], ['/* ', ' */'], ['<!-- ', ' -->']]) {
      const text = ['a', `  ${open}ratchet: protect${close}`, 'b', `  ${open}ratchet: end${close}`, 'c', `${open}ratchet: protect${close}`, 'd'].join('\n');
      assert.deepEqual(protectedLines(text, undefined, { trainPy: false, projectModules: new Set() }), [
        { from: 2, to: 4, why: MARKED }, { from: 6, to: 7, why: MARKED },
      ], open);
    }
    const mention = 'x = 1  # see ratchet: protect';
    assert.deepEqual(protectedLines(mention, undefined, { trainPy: false, projectModules: new Set() }), []);
  });

  describe('touchesProtected', () => {
    const original = ['a', 'P1', 'P2', 'b', ')', 'Q', ')', 'c', 'break', 'd'].join('\n');
    const ranges: ProtectedRange[] = [{ from: 2, to: 3, why: 'p' }, { from: 6, to: 7, why: 'q' }, { from: 9, to: 9, why: 'r' }];
    const touched = (...lines: string[]): string | undefined => {
      const found = touchesProtected(original, lines.join('\n'), ranges);
      return found === undefined ? undefined : `${found.line} ${found.why}`;
    };

    it('lets other lines change and shift', () => {
      assert.equal(touched('new', 'a', 'P1', 'P2', 'B', ')', 'Q', ')', 'break', 'd', 'e'), undefined);
      assert.equal(touched('P1', 'P2', 'Q', ')', 'break'), undefined);
      assert.equal(touchesProtected(original, original.replaceAll('\n', '\r\n'), ranges), undefined);
      assert.equal(touched('a', 'P1', 'P2', 'Q', ')', ')', 'c', 'break', 'd'), undefined);
    });

    it('names the line that changed, went, moved or was split', () => {
      assert.equal(touched('a', 'P1', 'P3', 'b', ')', 'Q', ')', 'c', 'break', 'd'), '3 p');
      assert.equal(touched('a', 'P1', 'new', 'P2', 'b', ')', 'Q', ')', 'c', 'break', 'd'), '2 p');
      assert.equal(touched('a', 'P1', 'P2', 'b', ')', 'Q', 'c', 'break', 'd'), '6 q');
      assert.equal(touched('a', 'P1', 'P2', 'b', ')', 'Q', ')', 'c', 'pass', 'd'), '9 r');
      assert.equal(touched('break', 'a', 'P1', 'P2', 'b', ')', 'Q', ')', 'c', 'd'), '9 r');
      assert.equal(touched('a', ' P1', ' P2', 'b', ')', 'Q', ')', 'c', 'break', 'd'), '2 p');
    });

    it('takes ranges that overlap', () => {
      const overlapping = [{ from: 2, to: 3, why: 'p' }, { from: 3, to: 4, why: 'x' }];
      assert.equal(touchesProtected(original, original.replace('a\n', ''), overlapping), undefined);
      assert.deepEqual(touchesProtected(original, original.replace('b\n', ''), overlapping), { line: 4, why: 'x' });
    });

    it('sees a second clock, another seed, and lines put into a string', () => {
      const changes: readonly (readonly [string, string, string | undefined])[] = [
        ['LR = 3e-4', 'LR = 6e-4', undefined],
        ['    loss = model(step) * LR', '    loss = model(step) * LR\n    spent = 0', TRAIN_REASONS.clock],
        ['model.eval()', 'torch.manual_seed(8)\nmodel.eval()', TRAIN_REASONS.seed],
        ['tokens = step * 1000', 'val_bpb = 0.1', TRAIN_REASONS.evaluation],
      ];
      for (const [from, to, why] of changes) {
        const candidate = train.replace(from, to);
        assert.notEqual(candidate, train);
        assert.equal(touchesProtected(train, candidate, ofTrain(train)), undefined);
        assert.equal(touchesProtected(train, candidate, ofTrain(train), ofTrain(candidate))?.why, why, to);
      }
      const hidden = train.replace('torch.manual_seed', '"""\ntorch.manual_seed').replace('model = ', '"""\nmodel = ');
      assert.equal(touchesProtected(train, hidden, ofTrain(train), ofTrain(hidden))?.why, TRAIN_REASONS.seed);
    });

    it('refuses each change of a protected line, and none of another', () => {
      const lines = train.split('\n');
      const trainRanges = ofTrain(train);
      fc.assert(fc.property(fc.nat(lines.length - 1), fc.constantFrom('changed', 'removed', 'doubled'), (at, how) => {
        const changed = lines.toSpliced(at, 1, ...(how === 'changed' ? [`${lines[at]} #`] : how === 'removed' ? [] : [lines[at] ?? '', lines[at] ?? '']));
        const range = trainRanges.find(({ from, to }) => from <= at + 1 && at + 1 <= to);
        const found = touchesProtected(train, changed.join('\n'), trainRanges);
        // A line that stands twice may still be the old one with a new neighbour.
        if (how !== 'doubled') assert.equal(found?.why, range?.why);
        else if (range === undefined) assert.equal(found, undefined);
      }), { numRuns: 150, seed: 3 });
    });
  });
});
