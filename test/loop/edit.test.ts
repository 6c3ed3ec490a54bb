import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { applyReply } from '../../src/loop/edit.ts';
import { applied, block, fenced, hypothesis, refused } from './edit/helpers.ts';

interface EditCase {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly input: { readonly file: string; readonly reply: string };
  readonly expected: {
    readonly outcome: 'applied' | 'rejected';
    readonly result?: string;
    readonly reasonContains?: string;
    readonly hypothesisContains?: string;
    readonly hypothesisLacks?: string;
  };
}

const handed = JSON.parse(readFileSync('test/cases/handed.json', 'utf8')) as (EditCase & { readonly input: { readonly files: Readonly<Record<string, string>> } })[];
const cases = handed.filter(({ kind }) => kind === 'edit');

describe('the reply contract: cases from public reports', () => {
  for (const { id, title, input, expected } of cases) {
    // The names in these replies are not those of the file that holds the text.
    for (const path of ['target.txt', 'norm.py']) {
      it(`${id} ${title} (${path})`, () => {
        const edit = applyReply(input.file, input.reply, { path });
        assert.equal(edit.ok ? 'applied' : 'rejected', expected.outcome, edit.ok ? edit.text : edit.reason);
        if (edit.ok) assert.equal(edit.text, expected.result);
        else assert.match(edit.reason.toLowerCase(), new RegExp(expected.reasonContains ?? 'no such reason'));
        if (expected.hypothesisContains !== undefined) assert.ok(edit.hypothesis.includes(expected.hypothesisContains));
        if (expected.hypothesisLacks !== undefined) assert.ok(!edit.hypothesis.includes(expected.hypothesisLacks));
      });
    }
  }

  it('has found the cases', () => {
    assert.equal(cases.length, 14);
  });

  it('G05 an edit of the scorer is refused and names the target', () => {
    const input = handed.find(({ id }) => id === 'G05')?.input;
    const reason = refused('other-file', input?.files['solution.py'] ?? '', input?.reply ?? '', 'solution.py');
    assert.match(reason, /score\.py.*target/);
  });
});

describe('line ends', () => {
  it('of a file are those of what is put into it', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const file = ['a', 'b', 'c', ''].join(end);
      const expected = ['a', 'x', 'y', 'c', ''].join(end);
      for (const typed of ['\n', '\r\n', '\r']) {
        for (const reply of [block('b\n', 'x\ny\n'), fenced('@@ @@\n a\n-b\n+x\n+y\n c\n', 'diff'), fenced('a\nx\ny\nc\n')])
          assert.equal(applied(file, reply.replaceAll('\n', typed)), expected);
      }
    }
  });

  it('in a mixed file stay on every line, and new lines take those of the lines they replace', () => {
    const file = 'a\r\nb\nc\r\nd\n';
    assert.equal(applied(file, block('b\n', 'x\ny\n')), 'a\r\nx\ny\nc\r\nd\n');
    assert.equal(applied(file, block('c\n', 'x\ny\n')), 'a\r\nb\nx\r\ny\r\nd\n');
    assert.equal(applied(file, block('a\nb\nc\nd\n', 'a\nb\nC\nd\n')), 'a\r\nb\nC\r\nd\n');
    assert.equal(applied(file, block('a\nb\nc\nd\n', 'A\nb\nC\nD\n')), 'A\r\nb\nC\r\nD\n');
    assert.equal(applied(file, block('a\nb\nc\n', 'x\n')), 'x\r\nd\n');
    assert.equal(applied(file, block('b\n', 'b\nx\n')), 'a\r\nb\nx\nc\r\nd\n');
    assert.equal(applied(file, block('b\n', 'x\nb\n')), 'a\r\nx\nb\nc\r\nd\n');
    assert.equal(applied(file, fenced('@@ @@\n+x\n b\n', 'diff')), 'a\r\nx\nb\nc\r\nd\n');
    assert.equal(applied(file, fenced('@@ @@\n c\n+x\n', 'diff')), 'a\r\nb\nc\r\nx\r\nd\n');
  });

  it('come from the reply where the file has none', () => {
    assert.equal(applied('a', block('a\n', 'x\ny\n')), 'x\ny');
    assert.equal(applied('a', block('a\n', 'x\ny\n').replaceAll('\n', '\r\n')), 'x\r\ny');
    assert.equal(applied('', block('', 'x\n').replaceAll('\n', '\r\n')), 'x\r\n');
  });

  it('are not what Unicode, forms and terminals call so', () => {
    const file = 'a\u2028b\fc\vd\u0085e\nx\n';
    assert.equal(applied(file, block('x\n', 'y\n')), file.replace('x', 'y'));
    assert.equal(applied(file, block('a\u2028b\fc\vd\u0085e\n', 'z\n')), 'z\nx\n');
  });

  it('never melt into one', () => {
    assert.equal(applied('a\rb\n\nc\n', block('b\n', '')), 'a\r\rc\n');
  });
});

describe('the end of a file', () => {
  it('stays with or without a line end', () => {
    for (const replace of ['x\n', 'x\ny\n', 'x\n\n']) {
      assert.equal(applied('a\nb\n', block('b\n', replace)), `a\n${replace}`);
      assert.equal(applied('a\nb', block('b\n', replace)), `a\n${replace.slice(0, -1)}`);
    }
    assert.equal(applied('a\r\nb', block('b\n', 'b\nc\n')), 'a\r\nb\r\nc');
    assert.equal(applied('a\nb\nc', block('b\nc\n', 'b\n')), 'a\nb');
  });
});

describe('a byte-order mark', () => {
  it('stays, whether the reply has one or not', () => {
    const mark = '\uFEFF';
    for (const [search, replace] of [['a\n', 'x\n'], [`${mark}a\n`, `${mark}x\n`], [`${mark}a\n`, 'x\n'], ['a\n', `${mark}x\n`]] as const) {
      assert.equal(applied(`${mark}a\nb\n`, block(search, replace)), `${mark}x\nb\n`);
      assert.equal(applied('a\nb\n', block(search, replace)), 'x\nb\n');
    }
    assert.equal(applied(`${mark}a\nb\n`, fenced(`@@ @@\n-${mark}a\n+${mark}x\n b\n`, 'diff')), `${mark}x\nb\n`);
    assert.equal(applied(`${mark}a\nb\n`, `${mark}${block('b\n', 'y\n')}`), `${mark}a\ny\n`);
    assert.equal(applied(`a\n${mark}b\n`, block(`${mark}b\n`, `${mark}c\n`)), `a\n${mark}c\n`);
    refused('no-change', `${mark}a\n`, block('a\n', `${mark}a\n`));
  });
});

describe('the hypothesis', () => {
  it('is the text around the edit, with other code in it', () => {
    const reply = `Before.\n\n${fenced('old()\n', 'py')}\n\n\nBetween.\n${fenced(block('a\n', 'b\n'))}After.\n`;
    assert.equal(hypothesis('a\n', reply), 'Before.\n\n```py\nold()\n```\n\nBetween.\nAfter.');
    assert.equal(hypothesis('a\n', `Before.\n${block('a\n', 'b\n')}`), 'Before.');
    assert.equal(hypothesis('a\n', `Before.\n@@ @@\n-a\n+b\n\nAfter.`), 'Before.\n\nAfter.');
  });

  it('is there when the edit is refused', () => {
    assert.equal(hypothesis('z\n', `Why.\n${fenced(block('a\n', 'b\n'))}`), 'Why.');
    assert.equal(hypothesis('z\n', 'No edit at all.'), 'No edit at all.');
    assert.equal(hypothesis('a\n', 'Why.\n```\n<<<<<<< SEARCH\na\n=======\nb'), 'Why.');
  });
});
