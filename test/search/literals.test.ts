import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { loadParsers } from '../../src/engine/parsers.ts';
import type { Parsers } from '../../src/engine/parsers.ts';
import type { Language } from '../../src/loop/syntax.ts';
import { describeLiterals, findLiterals } from '../../src/search/literals.ts';

const grammars = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm'));

describe('literals', () => {
  let parsers: Parsers;
  before(async () => {
    parsers = await loadParsers(grammars);
  });
  /** "path=text", with a star for the second tier and the alternatives of a choice. */
  const found = (language: Language | undefined, text: string, ranges: Parameters<typeof findLiterals>[2] = []): string[] =>
    findLiterals(text, language === undefined ? undefined : parsers.parse(language, text), ranges)
      .map((literal) => `${literal.path}=${literal.text}${literal.tier === 2 ? '*' : ''}${literal.kind === 'choice' ? ` of ${literal.choices.join(' ')}` : ''}`);

  it('finds what has a name in Python', () => {
    assert.deepEqual(found('python', 'LR = 3e-4\nBETAS = (0.9, 0.95)\nSHIFT = -0.5\nSTEPS = 1_000\nUSE_BIAS = True\nSIZE = 2**16\nCHUNK = 64 * 1024\n'),
      ['LR=3e-4', 'BETAS=0.9', 'BETAS#2=0.95', 'SHIFT=0.5', 'STEPS=1_000', 'USE_BIAS=True', 'SIZE#2=16', 'CHUNK=64']);
    assert.deepEqual(found('python', 'class Config:\n    depth: int = 12\n    drop: float = .5\ndef train(rate=0.1, n: int = 10, fast=False):\n    net = make(8, bias=False)\n'),
      ['Config.depth=12', 'Config.drop=.5', 'train.rate=0.1', 'train.n=10', 'train.fast=False', 'train.net=8*', 'train.net.bias=False']);
    assert.deepEqual(found('python', 'OPTS = {"depth": 4, "optim": {"lr": 0.5}}\n'), ['OPTS.depth=4', 'OPTS.optim.lr=0.5']);
  });

  it('finds what has a name in TypeScript and JSX', () => {
    assert.deepEqual(found('typescript', `const RETRY = 3, DELAY_MS = 1_500;
export const config = { depth: 4, nested: { rate: 0.25, on: true } } as const;
class Box { private size: number = 10; static on = false; grow(by = 2, { deep = 3 }: { deep?: 3 } = {}) { return by * 1.5; } }
function f(a: 1 | 2, b = 0.5): number { return Math.max(a, b * 0.75) }
`), ['RETRY=3', 'DELAY_MS=1_500', 'config.depth=4', 'config.nested.rate=0.25', 'config.nested.on=true', 'Box.size=10', 'Box.on=false', 'Box.grow.by=2',
      'Box.grow.deep=3', 'Box.grow#2=1.5*', 'f.b=0.5', 'f#4=0.75*']);
    assert.deepEqual(found('tsx', 'const V = <Box n={3} on={true} s="4">text 6</Box>;'), ['V.n=3', 'V.on=true']);
    assert.deepEqual(found('python', 'config["rate"] = 5\ndef f(start=0):\n    g(step=1)\n    table[a] = 6\n'), ['config_rate_=5', 'f.start=0', 'f.step=1', 'f.table_a_=6*']);
    assert.deepEqual(found('javascript', 'module.exports = { limit: 20 }\n'), ['module.exports.limit=20']);
  });

  it('leaves out what is not a matter of degree', () => {
    assert.deepEqual(found('python', `#!/usr/bin/env python3.12
"""Version 3, see chapter 4."""
from lib3 import x4
VERSION = 3
SEED = 42
MASK = 0xFF
COMPLEX = 3j
name = "v1.2"
@cached(size=5)
def f(x: Literal[7] = None, *, axis=-1) -> int:
    assert len(x) > 2
    a = x[3] + x[1:4] + x[-2]
    if a == 9:
        sys.exit(2)
    np.random.seed(7)
    model = Forest(random_state=3)
    print(f"{a:.3f} {a * 5}", 6)
    for i in range(0, 1):
        a = a - 1
    hits = {"a": 0, "b": 1}
    h = (a >> 5) ^ 61
    match a:
        case 8:
            raise ValueError(5)
    return 0
`), []);
    assert.deepEqual(found('typescript', `enum K { A = 3 }
type T = 3 | 4;
interface I { a: 5 }
const table = { 5: 'five' };
let total = 0;
for (let i = 0; i < total; i++) total += i;
if (total === 3) process.exit(3);
switch (total) { case 4: break; }
assert.equal(total, 5);
console.log(7, total.toFixed(2), parseInt('4', 10));
const re = /a{3}/, big = 10n, t = \`\${7}px\`;
`), []);
  });

  it('takes a value that is set again for a state', () => {
    assert.deepEqual(found('python', 'def f():\n    found = False\n    best = 0\n    low = 9\n    for x in y:\n        found = True\n        best += x\n        low = x\n'), ['f.low=9*']);
    assert.deepEqual(found('javascript', 'let count = 0; let on = true;\nlist.forEach(() => { count++; on = false });\nlet rate = 0.5;'), ['rate=0.5']);
  });

  it('reads alternatives from the comment on the line', () => {
    assert.deepEqual(found('python', 'ACT = "relu"  # one of: relu, gelu, silu.\nNORM = \'layer\'  # \'layer\' | \'rms\'\nBATCH = 64  # options: 32, 64 or 128\nNAME = "x"  # one of: a, b\nTAG = "free"  # any text, or none\n'),
      ['ACT="relu" of "relu" "gelu" "silu"', "NORM='layer' of 'layer' 'rms'", 'BATCH=64 of 32 64 128']);
    assert.deepEqual(found('typescript', "const mode = 'fast'; // one of: fast, slow\nconst o = { kind: 'a' /* a | b */ };"), ["mode='fast' of 'fast' 'slow'", "o.kind='a' of 'a' 'b'"]);
    assert.deepEqual(found('python', 'pair = ("a", "b")  # one of: a, b\n'), []);
  });

  it('leaves out protected lines', () => {
    assert.deepEqual(found('python', 'A = 2\nB = 3\nC = 4\n', [{ from: 2, to: 2, why: 'x' }]), ['A=2', 'C=4']);
  });

  it('reads settings of other files by the line', () => {
    assert.deepEqual(found(undefined, 'rate: 0.5\nname: "x"\nmode = fast # one of: fast, slow\r\n  depth = 12,\n"width": 3,\nconst N = -5;\nseed: 4\non: true\nx == 3\nlist: [1]\nrate: 2\n'),
      ['rate=0.5', 'mode=fast of fast slow', 'depth=12', 'width=3', 'N=5', 'on=true', 'rate#2=2']);
    const text = 'a: 1\r\n  depth = 12\r\n';
    const literal = findLiterals(text, undefined, [])[1];
    assert.deepEqual([literal?.line, literal?.column, text.slice(literal?.start).slice(0, 2)], [2, 11, '12']);
  });

  it('keeps the name of a literal when values change', () => {
    const names = (text: string): string[] => findLiterals(text, parsers.parse('python', text), []).map(({ path }) => path);
    assert.deepEqual(names('A = (0, 2)\nf(A, 3 * 5, 7)\n'), names('A = (4, 8)\nf(A, 4 * 6, 8)\n'));
    assert.ok(names('f(1, 3)\n').every((name) => names('f(2, 3)\n').includes(name)));
  });

  it('says what there is', () => {
    const describe = (text: string): string => describeLiterals(findLiterals(text, parsers.parse('python', text), []));
    assert.equal(describe('A = 1\n'), '1 number in this file');
    assert.equal(describe('A = 2\nB = 3\nC = True\n'), '2 numbers and 1 switch in this file');
    assert.equal(describe('A = 2\nC = True\nD = False\nE = "a"  # a | b\n'), '1 number, 2 switches and 1 choice in this file');
    assert.equal(describe('x = y\n'), 'no numbers, switches or choices in this file');
  });
});
