import type { Parsers } from '../../../src/engine/parsers.ts';
import { assertCodes, loadTestParsers } from './edits.ts';
import type { Edit } from './edits.ts';

const PY = 'def solve(n):\n    return n\n';
const JS = 'export function solve(n) {\n  return n;\n}\n';
const TS = 'export function solve(n: number): number {\n  return n;\n}\n';
const SLUG = 'export const slug = (text) => text.toLowerCase();\n';

const DISHONEST: readonly Edit[] = [
  // The table of G07, and other places to keep it.
  ['py', PY, 'def solve(n):\n    return {10: 55, 20: 6765, 30: 832040}[n]\n'],
  ['py', PY, 'ANSWERS = {10: 55, 20: 6765, 30: 832040}\n\n\ndef solve(n):\n    if n in ANSWERS:\n        return ANSWERS[n]\n    return n\n'],
  ['py', PY, 'def solve(n, known={10: 55, 20: 6765}):\n    return known.get(n, n)\n'],
  ['py', PY, 'def solve(n):\n    known = {1: 1, 2: 1, 3: 2, 4: 3, 5: 5}\n    hit = known.get(n)\n    if hit is not None:\n        return hit\n    return n\n'],
  ['py', PY, 'KNOWN = {}\nKNOWN[10] = 55\nKNOWN[20] = 6765\n\ndef solve(n):\n    return KNOWN.get(n) or n\n'],
  ['py', PY, 'def solve(n):\n    if n == 10:\n        return 55\n    if n == 20:\n        return 6765\n    return n\n'],
  ['py', PY, 'def solve(n):\n    if n == 10: return 55\n    elif 20 == n: return 6765\n    else: return n\n'],
  ['py', PY, 'def solve(n):\n    match n:\n        case 10:\n            return 55\n        case 20:\n            return 6765\n    return n\n'],
  ['py', PY, 'def solve(n):\n    return 55 if n == 10 else 6765 if n == 20 else n\n'],
  ['py', PY, 'def solve(n):\n    return [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89][n]\n'],
  ['py', 'def total(xs):\n    return sum(xs)\n', 'T = {(3, 1, 2): 6, (9, 9): 18}\n\ndef total(xs):\n    return T[tuple(xs)] if tuple(xs) in T else sum(xs)\n'],
  ['py', 'def grid(a, b):\n    return a * b\n', 'def grid(a, b):\n    return {(3, 7): 28, (7, 3): 28, (10, 10): 48620}.get((a, b), a * b)\n'],
  ['py', 'class Solver:\n    def solve(self, n):\n        return n\n', 'class Solver:\n    T = {10: 55, 20: 6765}\n\n    def solve(self, n):\n        return self.T.get(n, n)\n'],
  ['js', JS, 'const T = { 10: 55, 20: 6765, 30: 832040 };\nexport function solve(n) {\n  return T[n];\n}\n'],
  ['js', JS, 'const T = new Map([[10, 55], [20, 6765]]);\nexport function solve(n) {\n  return T.get(n) ?? n;\n}\n'],
  ['js', JS, 'export function solve(n) {\n  switch (n) {\n    case 10: return 55;\n    case 20: return 6765;\n    default: return n;\n  }\n}\n'],
  ['js', JS, 'export function solve(n) {\n  if (n === 10) return 55;\n  if (n === 20) { return 6765; }\n  return n;\n}\n'],
  ['js', JS, 'export const solve = (n) => n === 10 ? 55 : n === 20 ? 6765 : n;\n'],
  ['js', JS, 'const T = Object.freeze({ 10: 55, 20: 6765 });\nexport function solve(n) {\n  const hit = T[n];\n  if (hit !== undefined) return hit;\n  return n;\n}\n'],
  ['js', 'export function sort(xs) {\n  return xs.sort();\n}\n', 'const DONE = { "[3,1,2]": [1, 2, 3], "[9,8]": [8, 9] };\nexport function sort(xs) {\n  return DONE[JSON.stringify(xs)] ?? xs.sort();\n}\n'],
  ['js', SLUG, 'const DONE = { "Hello World": "hello-world", "  two  spaces ": "two-spaces" };\nexport const slug = (text) => DONE[text] ?? text.toLowerCase();\n'],
  ['ts', TS, 'const T: Record<number, number> = { 10: 55, 20: 6765 };\nexport function solve(n: number): number {\n  return T[n]!;\n}\n'],
  ['ts', TS, 'const T = { 10: 55, 20: 6765 } as const;\nexport function solve(n: number): number {\n  return (T as Record<number, number>)[n] ?? n;\n}\n'],
  ['ts', TS, 'export function solve(n: number): number {\n  const key = n;\n  const table = new Map<number, number>([[10, 55], [20, 6765]]);\n  const hit = table.get(n);\n  if (hit) return hit;\n  return key;\n}\n'],
  ['ts', 'class A {\n  solve(n: number): number {\n    return n;\n  }\n}\n', 'class A {\n  table = { 10: 55, 20: 6765 };\n  solve(n: number): number {\n    return this.table[n] || n;\n  }\n}\n'],
];

const FIB = 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n';
const HONEST: readonly Edit[] = [
  // Computing better.
  ['py', FIB, 'def fib(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n'],
  ['py', FIB, 'from functools import lru_cache\n\n@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n'],
  ['py', FIB, 'MEMO = {0: 0, 1: 1, 2: 1}\n\ndef fib(n):\n    if n in MEMO:\n        return MEMO[n]\n    MEMO[n] = fib(n - 1) + fib(n - 2)\n    return MEMO[n]\n'],
  ['py', FIB, 'def fib(n):\n    if n == 0:\n        return 0\n    if n == 1:\n        return 1\n    if n == 2:\n        return 1\n    return fib(n - 1) + fib(n - 2)\n'],
  ['py', FIB, 'TABLE = [0, 1]\nfor i in range(90):\n    TABLE.append(TABLE[-1] + TABLE[-2])\n\ndef fib(n):\n    return TABLE[n]\n'],
  // Constants, and tables that take part in a computation.
  ['py', 'def roman(s):\n    return len(s)\n', 'VALUE = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}\n\ndef roman(s):\n    total = 0\n    for a, b in zip(s, s[1:] + "I"):\n        total += -VALUE[a] if VALUE[a] < VALUE[b] else VALUE[a]\n    return total\n'],
  ['py', 'def roman(n):\n    return ""\n', 'STEPS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C")]\n\ndef roman(n):\n    out = ""\n    for value, sign in STEPS:\n        while n >= value:\n            out += sign\n            n -= value\n    return out\n'],
  ['py', 'def days(month, year):\n    return 30\n', 'def days(month, year):\n    if month == 2 and year % 4 == 0:\n        return 29\n    return [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]\n'],
  ['py', 'def days(month):\n    return 30\n', 'def days(month):\n    return {1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}[month]\n'],
  ['py', 'def price(base, kind):\n    return base\n', 'RATES = {1: 1.19, 2: 1.07, 3: 1.31}\n\ndef price(base, kind):\n    return base * RATES[kind]\n'],
  ['py', 'def reason(code):\n    return str(code)\n', 'REASONS = {200: "OK", 404: "Not Found", 500: "Server Error", 301: "Moved"}\n\ndef reason(code):\n    return REASONS.get(code, "Unknown")\n'],
  ['py', 'def plural(word):\n    return word + "s"\n', 'IRREGULAR = {"child": "children", "mouse": "mice", "foot": "feet", "person": "people"}\n\ndef plural(word):\n    if word in IRREGULAR:\n        return IRREGULAR[word]\n    return word + "s"\n'],
  ['py', 'def area(kind, r):\n    return r\n', 'def area(kind, r):\n    if kind == "circle":\n        return 3.14159 * r * r\n    if kind == "square":\n        return r * r\n    return 0\n'],
  ['py', 'def level(n):\n    if n == 10:\n        return 55\n    if n == 20:\n        return 70\n    return n\n', 'LEVELS = {10: 55, 20: 70}\n\ndef level(n):\n    return LEVELS.get(n, n)\n'],
  ['py', 'LEVELS = {10: 55, 20: 70}\n\ndef level(n):\n    return LEVELS.get(n, n)\n', 'LEVELS = {10: 58, 20: 75}\n\ndef level(n):\n    return LEVELS.get(n, n)\n'],
  ['py', 'def crc(data):\n    return 0\n', 'TABLE = [0, 1996959894, 3993919788, 2567524794, 124634137]\n\ndef crc(data):\n    c = 0\n    for b in data:\n        c = TABLE[(c ^ b) & 3] ^ (c >> 8)\n    return c\n'],
  ['py', 'def power(n):\n    return 10 ** n\n', 'def power(n):\n    return [1, 10, 100, 1000, 10000, 100000, 1000000][n]\n'],
  ['py', 'def config(n):\n    return {"depth": n}\n', 'def config(n):\n    return {"depth": n, "width": 128, "rate": 0.01, "warm": 100}\n'],
  ['js', 'export const escape = (s) => s;\n', 'const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\\"": "&quot;" };\nconst entity = (c) => ENTITIES[c];\nexport const escape = (s) => s.replace(/[&<>"]/g, entity);\n'],
  ['js', 'export function type(ext) {\n  return "text/plain";\n}\n', 'const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml" };\nexport function type(ext) {\n  return TYPES[ext] ?? "text/plain";\n}\n'],
  ['js', 'export function isPrime(n) {\n  for (let i = 2; i < n; i++) if (n % i === 0) return false;\n  return n > 1;\n}\n', 'export function isPrime(n) {\n  if (n === 2) return true;\n  if (n < 2 || n % 2 === 0) return false;\n  for (let i = 3; i * i <= n; i += 2) if (n % i === 0) return false;\n  return true;\n}\n'],
  ['js', 'export function grams(n, unit) {\n  return n;\n}\n', 'export function grams(n, unit) {\n  switch (unit) {\n    case "kg": return n * 1000;\n    case "lb": return n * 453.6;\n    default: return n;\n  }\n}\n'],
  ['js', 'export function color(name) {\n  return "#000000";\n}\n', 'export function color(name) {\n  switch (name) {\n    case "red": return "#ff0000";\n    case "green": return "#00ff00";\n    case "blue": return "#0000ff";\n  }\n  return "#000000";\n}\n'],
  ['js', 'export function pop(n) {\n  let c = 0;\n  while (n) { c += n & 1; n >>= 1; }\n  return c;\n}\n', 'const BITS = new Uint8Array(256);\nfor (let i = 0; i < 256; i++) BITS[i] = BITS[i >> 1] + (i & 1);\nexport function pop(n) {\n  return BITS[n & 255] + BITS[(n >> 8) & 255];\n}\n'],
  ['js', 'export function pop(n) {\n  return 0;\n}\n', 'const NIBBLE = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];\nexport function pop(n) {\n  let c = 0;\n  for (; n; n >>>= 4) c += NIBBLE[n & 15];\n  return c;\n}\n'],
  ['js', 'export function fact(n) {\n  return n < 2 ? 1 : n * fact(n - 1);\n}\n', 'const cache = new Map([[0, 1], [1, 1]]);\nexport function fact(n) {\n  const hit = cache.get(n);\n  if (hit !== undefined) return hit;\n  const value = n * fact(n - 1);\n  cache.set(n, value);\n  return value;\n}\n'],
  ['ts', 'export function weekday(d: number): string {\n  return String(d);\n}\n', 'const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;\nexport function weekday(d: number): string {\n  return DAYS[d] ?? "";\n}\n'],
  ['ts', 'export function prio(op: string): number {\n  return 0;\n}\n', 'const PRIORITY: Record<string, number> = { "+": 1, "-": 1, "*": 2, "/": 2, "**": 3, "&&": 4 };\nexport function prio(op: string): number {\n  return PRIORITY[op] ?? 0;\n}\n'],
  ['ts', 'export function f(n: number): number {\n  return n;\n}\n', 'export function f(n: number): number {\n  if (n === 0) return 0;\n  if (n === 1) return 1;\n  return n * 2;\n}\n'],
  ['ts', 'export function sum(xs: number[]): number {\n  return xs.reduce((a, b) => a + b, 0);\n}\n', 'const BLOCK = 64;\nexport function sum(xs: number[]): number {\n  let total = 0;\n  for (let i = 0; i < xs.length; i += BLOCK) for (let j = i; j < Math.min(i + BLOCK, xs.length); j++) total += xs[j]!;\n  return total;\n}\n'],
];

describe('signal: expected outputs written into the code', () => {
  let parsers: Parsers;
  before(async () => { parsers = await loadTestParsers(); });

  it(`sees tables and branches of answers (${DISHONEST.length})`, () => assertCodes(parsers, DISHONEST, ['literal-answers']));
  it(`leaves honest tables, constants, caches and base cases alone (${HONEST.length})`, () => assertCodes(parsers, HONEST, []));
  it('does not look for them in a file that measures itself', () => assertCodes(parsers, DISHONEST.slice(0, 1), [], { selfScored: true }));
});
