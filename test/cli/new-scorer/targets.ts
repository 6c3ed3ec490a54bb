/** Targets for the templates, each with a version that is worse in what a kind measures. */
import type { ScorerKind, ScriptLanguage } from '../../../src/loop/new-scorer/names.ts';

export interface Subject {
  readonly target: string;
  readonly good: string;
  /** It doesn't load. */
  readonly broken: string;
  readonly worse: Readonly<Record<ScorerKind, string>>;
  /** What lies around it: tests, and a linter's settings. */
  readonly files: Readonly<Record<string, string>>;
}

const JS = `export function slug(title) {
  return title.trim().toLowerCase().split(' ').join('-');
}
`;
const JS_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { slug } from './slug.js';

test('words', () => assert.equal(slug('Hello World'), 'hello-world'));
test('case', () => assert.equal(slug('ABC'), 'abc'));
`;
const PY = `def slug(title):
    return "-".join(title.lower().split())
`;
const PY_TEST = `from slug import slug


def test_words():
    assert slug("Hello World") == "hello-world"


def test_case():
    assert slug("ABC") == "abc"
`;
const SH = `slug() {
  echo "$1" | tr 'A-Z ' 'a-z-'
}
`;
/** Tests of a shell script, by the runner that is there. */
const SH_TEST = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

const slug = (title) => execFileSync('sh', ['-c', '. ./slug.sh; slug "$1"', 'sh', title], { encoding: 'utf8' }).trim();
test('words', () => assert.equal(slug('Hello World'), 'hello-world'));
test('case', () => assert.equal(slug('ABC'), 'abc'));
`;

export const SUBJECTS: Readonly<Record<ScriptLanguage, Subject>> = {
  javascript: {
    target: 'slug.js',
    good: JS,
    broken: `throw new Error('no slug today');\n${JS}`,
    worse: {
      checks: 'export const other = 1;\n',
      tests: JS.replace('.toLowerCase()', ''),
      function: JS.replace('  return', '  for (let i = 0; i < 300_000; i += 1) Math.sqrt(i);\n  return'),
      command: `${JS}Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);\n`,
      memory: `${JS}export const heavy = Buffer.alloc(120_000_000, 1);\n`,
      size: `${JS}export const long = '${'long '.repeat(200)}';\n`,
      lint: `${JS}const unused = 1;\n`,
      mix: JS.replace('.toLowerCase()', ''),
    },
    files: { 'package.json': '{ "type": "module" }\n', 'slug.test.mjs': JS_TEST, 'eslint.config.mjs': "export default [{ rules: { 'no-unused-vars': 'error' } }];\n" },
  },
  python: {
    target: 'slug.py',
    good: PY,
    broken: `raise RuntimeError("no slug today")\n${PY}`,
    worse: {
      checks: 'other = 1\n',
      tests: PY.replace('.lower()', ''),
      function: PY.replace('    return', '    sum(range(300_000))\n    return'),
      command: `${PY}\nimport time\ntime.sleep(0.3)\n`,
      memory: `${PY}\nheavy = bytes(range(256)) * 500_000\n`,
      size: `${PY}\nlong = "${'long '.repeat(200)}"\n`,
      lint: `import json\n${PY}`,
      mix: PY.replace('.lower()', ''),
    },
    files: { 'pytest.ini': '[pytest]\n', 'test_slug.py': PY_TEST },
  },
  shell: {
    target: 'slug.sh',
    good: SH,
    broken: `slug() {\n  if then\n`,
    worse: {
      checks: '\n# nothing\nexit 1\n',
      tests: SH.replace('a-z-', 'a-z_'),
      function: SH.replace('  echo', '  sleep 0.02\n  echo'),
      command: `${SH}sleep 0.3\n`,
      memory: `${SH}python3 -c 'bytes(range(256)) * 500_000'\n`,
      size: `${SH}: ${'long '.repeat(200)}\n`,
      lint: `${SH}slug "\`date\`"\n`,
      mix: SH.replace('a-z-', 'a-z_'),
    },
    files: { 'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n', 'slug.test.mjs': SH_TEST },
  },
};

/** In the place of ruff, which npm and Debian don't ship: names that are imported and not used. */
export const RUFF = `#!/usr/bin/env python3
import ast, sys
path = sys.argv[-1]
tree = ast.parse(open(path).read())
used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
found = [(node.lineno, name.name) for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names if name.name not in used]
for line, name in found:
    print(f"{path}:{line}:1: F401 \`{name}\` imported but unused")
print(f"Found {len(found)} errors." if found else "All checks passed!")
sys.exit(1 if found else 0)
`;

/** In the place of shellcheck: old command substitutions. */
export const SHELLCHECK = `#!/bin/sh
for path; do :; done
grep -n '\`' "$path" | sed "s|^\\([0-9]*\\):.*|$path:\\1:1: note: Use \\$(...) notation. [SC2006]|" | grep . && exit 1
exit 0
`;
