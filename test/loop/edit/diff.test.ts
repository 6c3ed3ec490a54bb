import assert from 'node:assert/strict';
import { applied, fenced, refused } from './helpers.ts';

const FILE = 'import math\n\n\ndef norm(v):\n    s = 0.0\n\n    for x in v:\n        s += x * x\n    return math.sqrt(s)\n';
const HEADER = '--- a/src/solution.py\n+++ b/src/solution.py\n';
const HUNK = '@@ -4,2 +4,2 @@\n def norm(v):\n-    s = 0.0\n+    s = 0\n';
const EDITED = FILE.replace('0.0', '0');

describe('a unified diff', () => {
  it('may be labelled or not, fenced or not', () => {
    for (const info of ['diff', 'patch', 'udiff', '', 'python']) assert.equal(applied(FILE, `Shorter.\n\n${fenced(HEADER + HUNK, info)}`, 'unified-diff'), EDITED);
    assert.equal(applied(FILE, `Shorter.\n\n${HEADER}${HUNK}\nThat is all.\n`, 'unified-diff'), EDITED);
    assert.equal(applied(FILE, `Shorter.\n${HUNK}`, 'unified-diff'), EDITED);
  });

  it('is placed by context, whatever its numbers', () => {
    for (const numbers of ['-1,3 +1,3', '-400 +400', '...', '-4,2 +4,2', ''])
      assert.equal(applied(FILE, fenced(HUNK.replace('-4,2 +4,2', numbers), 'diff')), EDITED);
    assert.equal(applied(FILE, fenced(HUNK.replace('@@ -4,2 +4,2 @@', '@@'), 'diff')), EDITED);
    assert.equal(applied(FILE, fenced(HUNK.replace(' @@', ' @@ def norm(v):'), 'diff')), EDITED);
    assert.equal(applied(FILE, fenced(HEADER + HUNK.split('\n').slice(1).join('\n'), 'diff')), EDITED);
  });

  it('takes a number for a hint where it points at one of several places', () => {
    const file = 'a\nx\nb\nx\nc\n';
    assert.equal(applied(file, fenced('@@ -4 +4 @@\n-x\n+y\n', 'diff')), 'a\nx\nb\ny\nc\n');
    assert.match(refused('ambiguous', file, fenced('@@ -3 +3 @@\n-x\n+y\n', 'diff')), /lines 2 and 4/);
    refused('ambiguous', file, fenced('@@ ... @@\n-x\n+y\n', 'diff'));
  });

  it('reads bare blank lines as blank context, but not a gap at its end', () => {
    assert.equal(applied(FILE, fenced('@@ @@\n     s = 0.0\n\n-    for x in v:\n+    for y in v:\n', 'diff')), FILE.replace('for x', 'for y'));
    assert.equal(applied(FILE, fenced(`${HUNK}\n\n`, 'diff')), EDITED);
    assert.equal(applied(FILE, fenced(`${HUNK}\n@@ @@\n-    return math.sqrt(s)\n+    return s ** 0.5\n\n`, 'diff')), EDITED.replace('math.sqrt(s)', 's ** 0.5'));
    refused('not-found', FILE, fenced('@@ @@\n     s = 0.0\n\n\n-    for x in v:\n+    for y in v:\n', 'diff'));
  });

  it('may have several hunks, in any order, that share context', () => {
    const hunks = '@@ @@\n b\n-c\n+C\n@@ @@\n-a\n+A\n b\n';
    assert.equal(applied('a\nb\nc\n', fenced(hunks, 'diff')), 'A\nb\nC\n');
    refused('overlap', 'a\nb\nc\n', fenced('@@ @@\n-a\n-b\n+x\n@@ @@\n-b\n+y\n c\n', 'diff'));
    refused('not-found', 'a\nb\nc\n', fenced('@@ @@\n-a\n+A\n@@ @@\n-z\n+Z\n', 'diff'));
  });

  it('inserts before, after and between context', () => {
    assert.equal(applied('a\nb\n', fenced('@@ @@\n+x\n a\n', 'diff')), 'x\na\nb\n');
    assert.equal(applied('a\nb\n', fenced('@@ @@\n b\n+x\n', 'diff')), 'a\nb\nx\n');
    assert.equal(applied('a\nb', fenced('@@ @@\n b\n+x\n', 'diff')), 'a\nb\nx');
    assert.equal(applied('a\nb\n', fenced('@@ @@\n a\n+x\n+y\n b\n', 'diff')), 'a\nx\ny\nb\n');
  });

  it('needs a line of the target, unless that is empty', () => {
    assert.match(refused('ambiguous', 'a\n', fenced('@@ -1,0 +2 @@\n+x\n', 'diff')), /ambiguous/);
    assert.equal(applied('', fenced('--- /dev/null\n+++ b/src/solution.py\n@@ -0,0 +1,2 @@\n+x\n+y\n', 'diff')), 'x\ny\n');
  });

  it('keeps the state of the final line end, whatever it says about it', () => {
    const hunk = '@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n';
    assert.equal(applied('a\nb', fenced(hunk, 'diff')), 'a\nc');
    assert.equal(applied('a\nb\n', fenced(hunk, 'diff')), 'a\nc\n');
    refused('no-change', 'a\nb', fenced('@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n', 'diff'));
  });

  it('reads what version control writes around hunks', () => {
    const git = 'diff --git a/src/solution.py b/src/solution.py\nindex 12ab..34cd 100644\n';
    assert.equal(applied(FILE, fenced(git + HEADER + HUNK, 'diff')), EDITED);
    assert.equal(applied(FILE, git + HEADER + HUNK), EDITED);
    assert.equal(applied(FILE, fenced(`Index: src/solution.py\n${'='.repeat(67)}\n${HEADER}${HUNK}`)), EDITED);
    const times = '--- src/solution.py\t2024-01-01 10:00:00.000 +0100\n+++ src/solution.py\t2024-01-02 10:00:00.000 +0100\n';
    assert.equal(applied(FILE, fenced(times + HUNK, 'diff')), EDITED);
  });

  it('does not take changed lines for headers', () => {
    const sql = 'select 1;\n-- old note\nselect 2;\nselect 3;\n';
    const hunk = '@@ -1,3 +1,3 @@\n select 1;\n--- old note\n+++ new note\n select 2;\n';
    assert.equal(applied(sql, fenced(`--- a/q.sql\n+++ b/q.sql\n${hunk}`, 'diff'), 'unified-diff', 'q.sql'), sql.replace('-- old note', '++ new note'));
    const two = '--- a/q.sql\n+++ b/q.sql\n@@ -2 +2 @@\n--- old note\n+++ new note\n@@ -4 +4 @@\n-select 3;\n+select 4;\n';
    assert.equal(applied(sql, fenced(two, 'diff'), 'unified-diff', 'q.sql'), sql.replace('-- old note', '++ new note').replace('3', '4'));
  });

  it('may name the target in more than one way', () => {
    for (const name of ['solution.py', './src/solution.py', 'a/src/solution.py', '/home/me/src/solution.py', 'src\\solution.py', '"src/solution.py"', 'original'])
      assert.equal(applied(FILE, fenced(`--- ${name}\n+++ ${name}\n${HUNK}`, 'diff')), EDITED);
  });

  it('of another file is refused', () => {
    const other = '--- a/score.py\n+++ b/score.py\n@@ -1 +1 @@\n-print("score: 0")\n+print("score: 100")\n';
    assert.match(refused('other-file', FILE, fenced(other, 'diff')), /score\.py.*target/);
    assert.match(refused('other-file', FILE, other), /score\.py.*target/);
    refused('other-file', FILE, fenced(HEADER + HUNK + other, 'diff'));
    refused('other-file', FILE, fenced(other + HEADER + HUNK, 'diff'));
    refused('other-file', FILE, fenced(`--- a/score.py\n+++ b/score.py\n${HUNK}${HEADER}${HUNK}`, 'diff'));
    refused('other-file', FILE, fenced('--- /dev/null\n+++ b/score.py\n@@ -0,0 +1 @@\n+print(1)\n', 'diff'));
  });

  it('is applied under another name where all of it fits the target', () => {
    assert.equal(applied(FILE, fenced(`--- a/norm.py\n+++ b/norm.py\n${HUNK}`, 'diff')), EDITED);
  });

  it('stands alone', () => {
    assert.match(refused('several-edits', FILE, fenced(HUNK, 'diff') + fenced(HUNK, 'diff')), /ambiguous/);
    assert.equal(applied(FILE, `Now:\n${fenced('s = 0.0\n', 'python')}\nBetter:\n${fenced(HUNK, 'diff')}`, 'unified-diff'), EDITED);
  });

  it('is refused where it is cut off or lacks signs', () => {
    assert.match(refused('unterminated', FILE, `\`\`\`diff\n${HUNK}`), /unterminated/);
    refused('malformed', FILE, fenced(`${HUNK}no sign\n`, 'diff'));
    refused('malformed', FILE, fenced('nothing but words\n', 'diff'));
  });

  it('may hold the fences of a target in Markdown', () => {
    const file = '# T\n```sh\nnpm i\n```\nmid\n```sh\nx\n```\n';
    const hunk = '@@ @@\n # T\n ```sh\n-npm i\n+npm ci\n ```\n-mid\n+middle\n ```sh\n x\n ```\n';
    assert.equal(applied(file, fenced(hunk, 'diff')), file.replace('npm i', 'npm ci').replace('mid', 'middle'));
    assert.equal(applied(file, fenced(hunk, 'diff', '````')), file.replace('npm i', 'npm ci').replace('mid', 'middle'));
    assert.equal(applied(file, hunk), file.replace('npm i', 'npm ci').replace('mid', 'middle'));
  });
});
