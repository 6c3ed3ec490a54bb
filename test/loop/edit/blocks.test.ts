import assert from 'node:assert/strict';
import { applied, block, fenced, refused } from './helpers.ts';

describe('search/replace blocks', () => {
  it('need no fence', () => {
    assert.equal(applied('a = 1\nb = 2\n', `Raise b.\n\n${block('b = 2\n', 'b = 3\n')}\nDone.`, 'search-replace'), 'a = 1\nb = 3\n');
  });

  it('match whole lines and nothing less', () => {
    refused('not-found', 'max_x = 1\nx = 10\n', block('x = 1\n', 'x = 2\n'));
    assert.equal(applied('xx = 1\nx = 1\n', block('x = 1\n', 'x = 2\n')), 'xx = 1\nx = 2\n');
  });

  it('compare white space, and say so where it is all that differs', () => {
    for (const search of ['  x = 1\n', 'x = 1 \n', '\tx = 1\n', 'x  = 1\n']) {
      const reason = refused('not-found', 'y = 0\nx = 1\n', block(search, 'x = 2\n'));
      assert.match(reason, /not found.*white space alone: line 2 is "x = 1", not/);
    }
  });

  it('name the closest place where nothing fits', () => {
    const file = 'def f(a):\n    b = a + 1\n    return b\n';
    const reason = refused('not-found', file, block('def f(a):\n    b = a + 2\n    return b\n', 'x\n'));
    assert.match(reason, /line 2 is "b = a \+ 1", not "b = a \+ 2"/);
    assert.match(refused('not-found', file, block('nothing of it\n', 'x\n')), /None of its lines/);
  });

  it('count the places of an ambiguous SEARCH', () => {
    assert.match(refused('ambiguous', 'x\ny\nx\ny\nx\n', block('x\n', 'z\n')), /lines 1, 3 and 5/);
    assert.match(refused('ambiguous', 'x\n'.repeat(9), block('x\n', 'z\n')), /lines 1, 2, 3, 4, 5 and 4 more/);
    refused('ambiguous', 'x\nx\nx\n', block('x\nx\n', 'z\n'));
  });

  it('remove lines with an empty REPLACE', () => {
    assert.equal(applied('a\nb\nc\n', block('b\n', '')), 'a\nc\n');
    assert.equal(applied('a\nb', block('b\n', '')), 'a');
    assert.equal(applied('a\n', block('a\n', '')), '');
  });

  it('have an empty SEARCH for an empty target alone', () => {
    assert.equal(applied('', block('', 'a = 1\n')), 'a = 1\n');
    assert.equal(applied('\uFEFF', block('', 'a = 1\n')), '\uFEFFa = 1\n');
    assert.equal(applied('', block('\n', 'a = 1\n')), 'a = 1\n');
    assert.match(refused('empty-search', '\n', block('', 'a = 1\n')), /empty/);
    refused('not-found', '', block('b\n', 'a\n'));
  });

  it('take a blank SEARCH line as a line', () => {
    assert.equal(applied('a\n\nb\n', block('\n', '# c\n')), 'a\n# c\nb\n');
    refused('ambiguous', 'a\n\nb\n\n', block('\n', '# c\n'));
  });

  it('insert REPLACE as typed', () => {
    const typed = '$& $1 $` $$ \\1 \\n %s {0} \u2028 \f \u00a0\ttail  ';
    assert.equal(applied('a\nb\n', block('a\n', `${typed}\n`)), `${typed}\nb\n`);
  });

  it('are looked up in the target as it is, not in what other blocks make of it', () => {
    assert.equal(applied('a\nb\n', block('a\n', 'b\n') + block('b\n', 'c\n')), 'b\nc\n');
    refused('not-found', 'a\nb\n', block('a\n', 'x\n') + block('x\n', 'y\n'));
    assert.equal(applied('a\nb\nc\n', block('c\n', 'C\n') + block('a\n', 'A\n')), 'A\nb\nC\n');
  });

  it('may share lines that stay, but not lines that change', () => {
    assert.equal(applied('a\nb\nc\n', block('a\nb\n', 'A\nb\n') + block('b\nc\n', 'b\nC\n')), 'A\nb\nC\n');
    assert.match(refused('overlap', 'a\nb\nc\n', block('a\nb\n', 'a\nB\n') + block('b\nc\n', 'x\nc\n')), /Block 1 and block 2.*line 2/);
    refused('overlap', 'a\nb\n', block('a\n', 'a\nx\n') + block('a\nb\n', 'a\ny\nb\n'));
  });

  it('may change nothing one by one, but not all together', () => {
    assert.equal(applied('a\nb\n', block('a\n', 'a\n') + block('b\n', 'c\n')), 'a\nc\n');
    refused('no-change', 'a\nb\n', block('a\n', 'a\n') + block('b\n', 'b\n'));
  });

  it('are applied together or not at all', () => {
    refused('ambiguous', 'a\nb\nb\n', block('a\n', 'A\n') + block('b\n', 'B\n'));
    refused('unterminated', 'a\nb\n', `${block('a\n', 'A\n')}<<<<<<< SEARCH\nb\n=======\nB\n`);
  });

  it('end with their own marker', () => {
    const cut = ['<<<<<<< SEARCH\n', '<<<<<<< SEARCH\na\n', '<<<<<<< SEARCH\na\n=======\n', '<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLAC'];
    for (const reply of cut) assert.match(refused('unterminated', 'a\n', fenced(reply)), /unterminated/);
    refused('unterminated', 'a\nb\n', fenced('<<<<<<< SEARCH\na\n=======\nA\n') + fenced(block('b\n', 'B\n')));
    refused('unterminated', 'a\n', '<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n');
    refused('malformed', 'a\nb\n', `${block('a\n', 'A\n')}B\n>>>>>>> REPLACE\n`);
  });

  it('have markers exactly as written, alone on their lines', () => {
    const replace = 'x\n ======= \n  =======\n======== \n<<<<<<< SEARCHING\n>>>>>>> REPLACE me\n >>>>>>> REPLACE\n';
    assert.equal(applied('a\n', block('a\n', replace)), replace);
    for (const wrong of ['<<<<<< SEARCH', '<<<<<<< SEARCH ', '  <<<<<<< SEARCH', '<<<<<<< ORIGINAL', '------- SEARCH'])
      refused('malformed', 'a\n', fenced(`${wrong}\na\n=======\nb\n>>>>>>> UPDATED\n`));
  });

  it('may hold lines like the divider, where the target tells which one divides', () => {
    const file = 'Guide\n=======\n\nText\n';
    assert.equal(applied(file, block('Guide\n=======\n', 'Manual\n=======\n')), 'Manual\n=======\n\nText\n');
    assert.equal(applied(file, block('Text\n', 'More\n=======\n\nText\n')), 'Guide\n=======\n\nMore\n=======\n\nText\n');
    assert.equal(applied(file, block('Guide\n=======\n\nText\n', 'Gone\n')), 'Gone\n');
    assert.equal(applied('=======\nTop\n=======\nx\n', block('=======\nTop\n=======\n', '# Top\n')), '# Top\nx\n');
    assert.match(refused('ambiguous', file, block('Guide\n=======\n', 'Manual\n')), /divides/);
    assert.match(refused('not-found', file, block('Guide 2\n=======\n', 'Manual\n=======\n')), /not found/);
    refused('ambiguous', 'A\n=======\nA\n=======\n', block('A\n=======\n', 'B\n=======\n'));
  });

  it('resolve a conflict that version control left in the target', () => {
    const conflict = '<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> theirs\n';
    assert.equal(applied(`x\n${conflict}y\n`, fenced(block(conflict, 'a = 2\n'))), 'x\na = 2\ny\n');
    assert.equal(applied(`x\n${conflict}y\n`, fenced(block(conflict, conflict.replace('a = 2', 'a = 3')))), `x\n${conflict.replace('a = 2', 'a = 3')}y\n`);
  });

  it('may hold fences', () => {
    const file = '# T\n\n```sh\nnpm i\n```\n\nEnd\n';
    const edit = block('```sh\nnpm i\n```\n', '```sh\nnpm ci\n```\n');
    for (const fence of ['```', '````', '~~~']) assert.equal(applied(file, `Faster.\n\n${fenced(edit, 'md', fence)}`), file.replace('npm i', 'npm ci'));
    assert.equal(applied(file, fenced(block('npm i\n```\n', 'npm ci\n```\n'))), file.replace('npm i', 'npm ci'));
  });

  it('do not take the fence around them for text', () => {
    refused('unterminated', 'a\nb\n', '```\n<<<<<<< SEARCH\na\n=======\nA\n```\n>>>>>>> REPLACE\n');
  });

  it('lose the indentation of their fence, and of the list item or quote around it', () => {
    const file = 'def f():\n    return 1\n';
    const expected = 'def f():\n    return 2\n';
    const edit = fenced(block('    return 1\n', '    return 2\n'), 'python');
    const indented = (by: string) => edit.replace(/^(?=.)/gm, by);
    assert.equal(applied(file, indented('   ')), expected);
    assert.equal(applied(file, `1. First:\n\n${indented('   ')}\n2. Done.`), expected);
    assert.equal(applied(file, `- First:\n  - Second:\n${indented('    ')}`), expected);
    assert.equal(applied(file, `10) First:\n\n${indented('    ')}`), expected);
    assert.equal(applied(file, indented('> ')), expected);
    refused('malformed', file, indented('    '));
    refused('unterminated', file, `- First:\n\n${indented('  ').replace('      return 2', 'return 2')}`);
  });

  it('are the edit wherever other forms stand beside them', () => {
    const reply = `${fenced('whole = 1\n', 'python')}${fenced('@@ -1 +1 @@\n-a\n+z\n', 'diff')}${fenced(block('a\n', 'b\n'))}`;
    assert.equal(applied('a\n', reply, 'search-replace'), 'b\n');
  });
});
