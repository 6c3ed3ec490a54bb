import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadParsers } from '../../src/engine/parsers.ts';
import type { Parsers } from '../../src/engine/parsers.ts';
import { protectedLines, touchesProtected } from '../../src/loop/protect.ts';
import type { ProtectedRange } from '../../src/loop/protect.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));
const shipped = readFileSync(join(import.meta.dirname, '../../examples/train/train.py'), 'utf8');

/** The other common form: everything in functions, an evaluation of its own, attributes of libraries. */
const inMain = `
import math
import time
import torch
import torch.nn as nn
from prepare import TIME_BUDGET, Tokenizer, evaluate_bpb, get_batch
import prepare

LR = 0.1

class Net(nn.Module):
    def forward(self, x):
        return x * LR

def decay(step):
    return max(0.1, 1 - step / 100)

def evaluate(model):
    with torch.no_grad():
        return float(evaluate_bpb(model, prepare.VAL).mean())

def main():
    torch.manual_seed(1)
    model = Net()
    t0 = time.time()
    spent = 0
    for step in range(1000):
        torch.cuda.synchronize()
        spent = time.time() - t0
        if spent > TIME_BUDGET:
            break
        loss = model(get_batch(step)) * decay(step)
    loss_now = evaluate(model)
    val_bpb = loss_now.item() / math.log(2)
    print(f"val_bpb: {val_bpb:.6f}")
    print(f"training_seconds: {spent:.1f}")
    print(f"peak_vram_mb: {torch.cuda.max_memory_allocated() / 1e6:.1f}")

if __name__ == "__main__":
    main()
`.trim();

/** The evaluation is called where its result is printed. */
const inPrint = `
def evaluate(w):
    return abs(w - 0.5) + 1

def steps(w):
    return 3

w = 0.0
print(f"val_bpb: {evaluate(w):.6f}")
print(f"num_steps: {steps(w)}")
`.trim();

/** A line of the script, and what is put before (`<`) or after (`>`) it, or in its place. */
type Edit = readonly [line: string, how: '<' | '>' | '=', text: string];

const MODEL = 'rng = random.Random(SEED)';
const REFUSED_SHIPPED: readonly Edit[] = [
  'evaluate_bpb = lambda *a: 0.1', '(evaluate_bpb := lambda m: 0.1)', 'evaluate_bpb, x = (lambda m: 0.1), 2', '[a, *evaluate_bpb] = f()', '(a, (b, evaluate_bpb)) = f()',
  'evaluate_bpb: object = f', 'for evaluate_bpb in [lambda m: 0.1]: pass', 'for a, evaluate_bpb in f(): pass',
  'with helper() as evaluate_bpb: pass', 'with helper() as (a, evaluate_bpb): pass', 'try:\n    1 / 0\nexcept E as evaluate_bpb:\n    pass',
  'class evaluate_bpb:\n    pass', 'def evaluate_bpb(m):\n    return 0.1', 'async def evaluate_bpb(m):\n    return 0.1', 'import x as evaluate_bpb', 'import math as evaluate_bpb', 'from x import y as evaluate_bpb',
  'from x import evaluate_bpb', 'def sneak():\n    global evaluate_bpb\n    evaluate_bpb = f\nsneak()', 'match f:\n    case evaluate_bpb:\n        pass', 'match f:\n    case [1, *evaluate_bpb]:\n        pass',
  'match f:\n    case {"a": 1, **evaluate_bpb}:\n        pass', 'match f:\n    case int() as evaluate_bpb:\n        pass', 'match f:\n    case C(v=evaluate_bpb):\n        pass', 'del evaluate_bpb', 'del (a, evaluate_bpb)',
  'evaluate_bpb += 1', 'evaluate_bpb.__code__ = f.__code__', 'evaluate_bpb.__globals__["x"] = 1', 'evaluate_bpb.__globals__.update(x=1)', 'e = evaluate_bpb\ne.__code__ = f.__code__', 'setattr(evaluate_bpb, "__code__", 1)', 'setattr(evaluate_bpb, a + b, 1)',
  'globals()["evaluate_bpb"] = f', 'import sys\nsys.modules["prepare"] = f', 'import sys\nsys.modules["prepare"].evaluate_bpb = f', 'import importlib\nimportlib.import_module("prepare").evaluate_bpb = f', 'import prepare\nprepare.evaluate_bpb = f',
  'import prepare as p', '__import__("prepare").evaluate_bpb = f',
  'TIME_BUDGET = 9999', 'TIME_BUDGET += 100', 'for TIME_BUDGET in (99,): pass', 'TRAIN_BYTES *= 2', 'make_dataloader = f', 'def make_dataloader(rng, n):\n    yield b""',
  'time.time = lambda: 0', 'time = f', 'import fake as time', 'from fake import time', 'import fake as time\nimport time', 'class time:\n    time = staticmethod(lambda: 0)', 't = time\nt.time = f', 'setattr(time, "time", f)', 'time.__dict__["time"] = f', 'vars(time)["time"] = f', 'del time.time', 'time.sleep = f',
  'from time import time as t\nstart = t()', 'print = lambda *a: None', 'def print(*a):\n    pass', 'import builtins\nbuiltins.print = f', 'import builtins as b\nb.print = f',
  'SEED = 2', 'with f() as SEED: pass', 'for SEED in (7, 8): pass', 'random.seed(4)', 'rng = random.Random(5)', 'val_bpb = 0.1', 'with f() as val_bpb: pass', 't_start = 0',
].map((text) => [MODEL, '<', text] as const);

const REFUSED_LATER: readonly Edit[] = [
  ['    t0 = time.time()', '>', '    t0 += 100'], ['    t0 = time.time()', '>', '    t0 -= 100'], ['    t0 = time.time()', '>', '    for t0 in [0]: pass'], ['    t0 = time.time()', '>', '    with f() as t0: pass'],
  ['    t0 = time.time()', '>', '    del t0'], ['    t0 = time.time()', '>', '    def t0(): pass'], ['    t0 = time.time()', '>', '    import x as t0'], ['num_steps = 0', '>', 'total_training_time: float = -1e9'],
  ['t_end = time.time()', '>', 'with f() as (val_bpb, x): pass'], ['t_end = time.time()', '>', '[val_bpb] = [0.1]'], ['t_end = time.time()', '>', 'val_bpb -= 0.1'], ['t_end = time.time()', '>', 'match 0.1:\n    case val_bpb: pass'], ['t_end = time.time()', '>', 'def val_bpb(): pass'],
  ['t_end = time.time()', '>', 'import math as val_bpb'],
];

const REFUSED_MAIN: readonly Edit[] = [
  ['    model = Net()', '>', '    evaluate = lambda m: torch.tensor(0.1)'], ['    model = Net()', '>', '    def evaluate(m): return 1'], ['    model = Net()', '>', '    from x import y as evaluate'],
  ['def main():', '=', 'def main(evaluate=lambda m: torch.tensor(0.1)):'], ['def main():', '=', 'def main(time=None):'], ['LR = 0.1', '>', 'evaluate_bpb = None'], ['    loss_now = evaluate(model)', '>', '    loss_now = torch.tensor(0.1)'],
  ['    loss_now = evaluate(model)', '>', '    loss_now *= 0.5'], ['def main():', '<', 'def evaluate(model):\n    return torch.tensor(0.1)\n'], ['def main():', '<', 'evaluate = f'], ['def main():', '<', 'evaluate.__code__ = f.__code__'],
  ['LR = 0.1', '>', 'prepare.VAL = []'], ['LR = 0.1', '>', 'prepare.__dict__["VAL"] = []'], ['LR = 0.1', '>', 'prepare.VAL[0] = 1'], ['LR = 0.1', '>', 'p = prepare\np.evaluate_bpb = f'], ['LR = 0.1', '>', 'for prepare.VAL in [[]]: pass'], ['LR = 0.1', '>', 'with f() as prepare.VAL: pass'],
  ['LR = 0.1', '>', 'torch.cuda.synchronize = f'], ['LR = 0.1', '>', 'torch.cuda = f'], ['LR = 0.1', '>', 'torch.manual_seed = f'], ['LR = 0.1', '>', 'torch.cuda.max_memory_allocated = lambda: 0'], ['LR = 0.1', '>', 'torch = f'], ['LR = 0.1', '>', 'math.log = f'],
  ['LR = 0.1', '>', 'Tokenizer.size = 3\nTokenizer()'], ['    model = Net()', '>', '    math = f'], ['LR = 0.1', '>', 'from unittest import mock\nmock.patch.object(prepare, "evaluate_bpb", f)'], ['LR = 0.1', '>', 'object.__setattr__(prepare, "VAL", 1)'],
];

const REFUSED_IN_PRINT: readonly Edit[] = [
  'for evaluate in [f]: pass', '(evaluate := f)', 'match f:\n    case evaluate: pass', 'def g():\n    global evaluate\n    evaluate = f\ng()', 'class evaluate(float):\n    pass', 'evaluate = f', 'evaluate.__code__ = f.__code__', 'def evaluate(w):\n    return 0',
].map((text) => ['w = 0.0', '>', text] as const);
const ALLOWED_IN_PRINT: readonly Edit[] = [['w = 0.0', '=', 'w = 0.5'], ['w = 0.0', '>', 'steps = f'], ['w = 0.0', '>', 'def g(evaluate):\n    evaluate = 2\n    return evaluate']];

const ALLOWED_SHIPPED: readonly Edit[] = [
  ['MAX_ORDER = 3            # longest context, in bytes', '=', 'MAX_ORDER = 5'], ['LEARNING_RATE = 0.005    # step of the mixing weights at the beginning', '=', 'LEARNING_RATE = 0.01'],
  ['import math', '>', 'import array'], ['import random', '>', 'from collections import defaultdict'], ['import time', '<', 'import zlib'], ['from binascii import crc32', '=', 'from zlib import crc32'],
  ['class ContextMixer:', '<', 'def clip(value, low=-5, high=5):\n    return low if value < low else high if value > high else value\n\n'],
  ['class ContextMixer:', '<', 'def schedule(time, budget):\n    time = time / budget\n    return 1 - time\n'], ['class ContextMixer:', '<', 'def smooth(evaluate_bpb):\n    evaluate_bpb = 2\n    return evaluate_bpb\n'],
  ['class ContextMixer:', '>', '    time = 3\n    min = 4\n'], ['    def num_params(self):', '<', '    def evaluate_bpb(self):\n        return 1\n'], ['    def num_params(self):', '<', '    def print(self):\n        return [print for print in (1, 2)]\n'],
  ['        self.mask = (1 << HASH_BITS) - 1', '>', '        self.evaluate = None\n        self.time = 0\n        self.seed_table = [0] * 256'],
  ['model = ContextMixer(rng)', '>', 'model.momentum = [0.0] * 8'], ['model = ContextMixer(rng)', '>', 'for row in model.logits:\n    row[0] = -1.0'], ['model = ContextMixer(rng)', '>', 'with helper() as h, other() as (a, b):\n    pass'],
  ['model = ContextMixer(rng)', '>', 'setattr(model, "depth", 3)'], ['model = ContextMixer(rng)', '>', 'del model.logits[0][:]'], ['model = ContextMixer(rng)', '>', 'from math import exp as e, log2'], ['model = ContextMixer(rng)', '>', 'match MAX_ORDER:\n    case 3 | 4:\n        x = 1\n    case other:\n        x = other'],
  ['num_steps = 0', '>', 'steps, best, *rest = 0, 9.0, 1, 2'], ['        smooth_loss += 0.001 * (loss - smooth_loss)', '=', '        smooth_loss += 0.01 * (loss - smooth_loss)'],
  ['model = ContextMixer(rng)', '>', 'model = wrap(model)'], ['model = ContextMixer(rng)', '>', 'data = {"evaluate_bpb": 1}\ndata["evaluate_bpb"] = 2'],
];

const ALLOWED_MAIN: readonly Edit[] = [
  ['LR = 0.1', '=', 'LR = 0.3'], ['import math', '<', 'import functools'], ['import torch', '>', 'import torch.nn.functional as F'], ['def decay(step):', '=', 'def decay(step, power=2):'], ['def decay(step):', '<', 'def warm(step):\n    return min(1.0, step / 10)\n'],
  ['    model = Net()', '=', '    model = torch.compile(Net())'], ['    model = Net()', '>', '    model.head.weight = model.embed.weight\n    optimizer = torch.optim.AdamW(model.parameters(), lr=LR)'], ['    model = Net()', '>', '    torch.backends.cuda.matmul.allow_tf32 = True'],
  ['    model = Net()', '>', '    torch.set_float32_matmul_precision("high")'], ['        loss = model(get_batch(step)) * decay(step)', '>', '        for group in optimizer.param_groups:\n            group["lr"] = LR'], ['LR = 0.1', '>', 'torch._dynamo.config.cache_size_limit = 64'],
  ['    def forward(self, x):', '<', '    def evaluate(self, x):\n        return self.forward(x)\n'], ['class Net(nn.Module):', '<', 'def ema(model, evaluate=None):\n    evaluate = evaluate or model\n    return evaluate\n'],
  ['    loss_now = evaluate(model)', '<', '    model.eval()'], ['    model = Net()', '>', '    evaluate_bpb = None'], ['class Net(nn.Module):', '<', 'def timed(time):\n    for time in range(3):\n        pass\n    return time\n'], ['    model = Net()', '>', '    tok = Tokenizer()\n    tok.pad = 3'],
];

describe('protection of what measures a train.py', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });
  const ranges = (text: string): readonly ProtectedRange[] => protectedLines(text, parsers.parse('python', text), { trainPy: true, projectModules: new Set(['prepare']) });
  const touched = (script: string, [line, how, text]: Edit): { line: number; why: string } | undefined => {
    const edited = script.split('\n').flatMap((each) => each !== line ? [each] : how === '<' ? [text, each] : how === '>' ? [each, text] : [text]).join('\n');
    assert.notEqual(edited, script, `no such line: ${line}`);
    assert.equal(parsers.parse('python', edited).hasError, false, text);
    return touchesProtected(script, edited, ranges(script), ranges(edited));
  };
  const tables: readonly (readonly [string, string, boolean, readonly Edit[]])[] = [
    ['refuses each new meaning, in the shipped example', shipped, true, [...REFUSED_SHIPPED, ...REFUSED_LATER]],
    ['refuses each new meaning, in a script of functions', inMain, true, REFUSED_MAIN],
    ['refuses each new meaning, where the print evaluates', inPrint, true, REFUSED_IN_PRINT],
    ['allows ordinary changes where the print evaluates', inPrint, false, ALLOWED_IN_PRINT],
    ['allows ordinary changes of the shipped example', shipped, false, ALLOWED_SHIPPED],
    ['allows ordinary changes of a script of functions', inMain, false, ALLOWED_MAIN],
  ];
  for (const [title, script, isRefused, edits] of tables) {
    it(`${title} (${edits.length})`, () => {
      const wrong = edits.flatMap((edit) => {
        const found = touched(script, edit);
        return (found !== undefined) === isRefused ? [] : [`${edit[2]}${found === undefined ? '' : `: ${found.line} ${found.why}`}`];
      });
      assert.deepEqual(wrong, []);
    });
  }

  it('marks nothing for it in scripts as they are', () => {
    for (const script of [shipped, inMain]) assert.deepEqual(ranges(script).filter(({ why }) => why.startsWith('another meaning')), []);
  });
});
