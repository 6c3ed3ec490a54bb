import assert from 'node:assert/strict';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { applyReply } from '../../../src/loop/edit.ts';
import { splitLines } from '../../../src/loop/edit/lines.ts';
import { block, fenced } from './helpers.ts';

const TARGET = { path: 'src/solution.py' };
/** Lines that mean something to one of the readers. */
const TEXTS = [
  '', '  ', '=======', '```', '```py', '~~~', '$&', '"</think>"', '</think>', '<think>', '-- x', '++ y', '@@ -1 +1 @@', '- z', '+ z', '\\ No newline', '> q', '1. i', '\tt', '    i',
  '...', '<<<<<<< HEAD', '>>>>>>> theirs', 'ä', '\u{1F600}', '\u2028', 'diff --git a/x b/x', '--- a/x', '+++ b/x',
] as const;
const END = fc.constantFrom('\n', '\r\n', '\r');
const newText = fc.oneof(fc.constantFrom(...TEXTS, '\uFEFF'), fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '')));

interface Edit {
  readonly original: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
  readonly mark: string;
  /** The only line end of the file; undefined where it has more. */
  readonly end: string | undefined;
  readonly ended: boolean;
}

const edits: fc.Arbitrary<Edit> = fc.record({
  texts: fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 12 }),
  ends: fc.oneof(fc.array(END, { minLength: 1, maxLength: 1 }), fc.array(END, { minLength: 12, maxLength: 12 })),
  mark: fc.constantFrom('', '\uFEFF'),
  ended: fc.boolean(),
  at: fc.nat(),
  many: fc.nat(4),
  added: fc.array(newText, { maxLength: 4 }),
}).map(({ texts, ends, mark, ended, at, many, added }) => {
  // Numbered, so that every line fits one place.
  const before = texts.map((text, index) => `${text}${index}`);
  const start = at % before.length;
  const removed = Math.min(many, before.length - start);
  const endOf = (index: number) => (index === before.length - 1 && !ended ? '' : ends[index % ends.length] ?? '\n');
  return {
    original: mark + before.map((text, index) => text + endOf(index)).join(''),
    before, start, removed, added, mark, ended,
    after: before.toSpliced(start, removed, ...added),
    end: ends.length === 1 ? ends[0] : undefined,
  };
});

/** Checks an applied edit against what must hold of every edit. */
function check(edit: Edit, reply: string): void {
  const result = applyReply(edit.original, reply, TARGET);
  if (edit.after.join('\n') === edit.before.join('\n')) {
    assert.equal(result.ok ? 'applied' : result.code, 'no-change');
    return;
  }
  if (!result.ok) assert.fail(`${result.code}: ${result.reason}\n${reply}`);
  // A mark in front of the file is the file's.
  const after = edit.after.map((text, index) => (index === 0 && !edit.before[0]?.startsWith('\uFEFF') ? text.replace(/^\uFEFF/, '') : text));
  if (edit.end !== undefined) {
    const last = edit.ended && after.length > 0 ? edit.end : '';
    // A file of one line without an end has no line end of its own.
    const end = edit.original.includes(edit.end) ? edit.end : '\n';
    assert.equal(result.text, edit.mark + after.join(end) + last);
    return;
  }
  assert.ok(result.text.startsWith(edit.mark));
  const lines = splitLines(result.text.slice(edit.mark.length));
  assert.deepEqual(lines.map((line) => line.text), edit.ended ? after : dropLastBlank(after));
  const old = splitLines(edit.original.slice(edit.mark.length));
  const tail = edit.before.length - edit.start - edit.removed;
  // Lines around the edit are as they were; the ones next to it may have become the last line, or ceased to be it.
  assert.deepEqual(lines.slice(0, Math.max(edit.start - 1, 0)), old.slice(0, Math.max(edit.start - 1, 0)));
  if (tail > 1) assert.deepEqual(lines.slice(-tail + 1), old.slice(-tail + 1));
}

/** Without a final line end, a blank last line is no line. */
function dropLastBlank(texts: readonly string[]): readonly string[] {
  return texts.at(-1) === '' ? texts.slice(0, -1) : texts;
}

const asLines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');

describe('any edit of any file', () => {
  it('is applied exactly as search/replace blocks', () => {
    fc.assert(fc.property(edits, fc.nat(2), fc.nat(2), fc.boolean(), (edit, above, below, inFence) => {
      const from = Math.max(edit.start - above, 0);
      const to = Math.min(edit.start + edit.removed + below, edit.before.length);
      const search = edit.before.slice(from, to);
      fc.pre(search.length > 0);
      const replace = [...edit.before.slice(from, edit.start), ...edit.added, ...edit.before.slice(edit.start + edit.removed, to)];
      const reply = block(asLines(search), asLines(replace));
      check(edit, `Why.\n\n${inFence ? fenced(reply, 'python', '`````') : reply}`);
    }), { numRuns: 1500 });
  });

  it('is applied exactly as a unified diff', () => {
    fc.assert(fc.property(edits, fc.integer({ min: 1, max: 4 }), fc.boolean(), (edit, context, wrongNumbers) => {
      // Without a final line end a blank last line is none to a diff.
      fc.pre(edit.ended || edit.after.at(-1) !== '');
      const last = edit.ended ? '\n' : '';
      const text = (lines: readonly string[]) => lines.join('\n') + (lines.length > 0 ? last : '');
      const patch = createTwoFilesPatch('a/src/solution.py', 'b/src/solution.py', text(edit.before), text(edit.after), '', '', { context });
      fc.pre(patch.includes('@@'));
      const reply = wrongNumbers ? patch.replace(/^@@ -\d+/gm, '@@ -7') : patch;
      check(edit, `Why.\n\n${fenced(reply, 'diff', '`````')}`);
    }), { numRuns: 1500 });
  });

  it('is applied exactly as a whole file', () => {
    fc.assert(fc.property(edits, (edit) => {
      fc.pre(edit.after.some((text) => text.trim() !== ''));
      // That would be a diff.
      fc.pre(!/^(?:@@|diff|---)/.test(edit.after.join('\n').trimStart()));
      check(edit, `Why.\n\n${fenced(asLines(edit.after), 'python', '`````')}`);
    }), { numRuns: 1500 });
  });
});

describe('any reply', () => {
  const piece = fc.oneof(
    fc.constantFrom(...TEXTS, '<<<<<<< SEARCH', '>>>>>>> REPLACE', 'a', 'b', '-a', '+b', ' a', '   ```', '- ```', '<thinking>', '@@ @@', '*** Begin Patch', '// ...'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const soup = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', ' ', '')), { maxLength: 40 }).map((parts) => parts.flat().join(''));
  const file = fc.oneof(soup, fc.constantFrom('', 'a\nb\n', 'a', '\uFEFFa\r\nb'));

  it('is applied or refused with a sentence, and never throws', () => {
    fc.assert(fc.property(file, soup, (original, reply) => {
      const edit = applyReply(original, reply, TARGET);
      if (edit.ok) {
        assert.notEqual(edit.text, original);
        assert.equal(edit.text.startsWith('\uFEFF'), original.startsWith('\uFEFF'));
        if (/[\r\n]$/.test(original) && edit.text.replace(/^\uFEFF/, '') !== '') assert.match(edit.text, /[\r\n]$/);
      } else {
        assert.match(edit.reason, /^[A-Z].*\.$/s);
      }
    }), { numRuns: 5000 });
  });

  it('that is mere text is refused', () => {
    fc.assert(fc.property(fc.string(), fc.string({ unit: 'binary', maxLength: 400 }), (original, reply) => {
      fc.pre(!/```|~~~|^@@/m.test(reply));
      assert.equal(applyReply(original, reply, TARGET).ok, false);
    }), { numRuns: 2000 });
  });
});
