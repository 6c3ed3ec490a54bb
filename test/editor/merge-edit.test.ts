import assert from 'node:assert/strict';
import fc from 'fast-check';
import { acceptInto, smallestEdit, type LineEdit } from '../../src/editor/merge-edit.ts';

/** What an editor makes of the edit. */
function apply(text: string, { startLine, endLine, endCharacter, text: insert }: LineEdit): string {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
  const at = (line: number): number => {
    const start = starts[line];
    assert.ok(start !== undefined, `line ${line} exists`);
    return start;
  };
  return text.slice(0, at(startLine)) + insert + text.slice(at(endLine) + endCharacter);
}

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 6 }).chain((lines) => fc.boolean().map((open) => lines.join('\n') + (open || lines.length === 0 ? '' : '\n')));

describe('accepting into a document', () => {
  it('turns one text into the other by one replacement of whole lines', () => {
    fc.assert(fc.property(text, text, (from, to) => {
      fc.pre(from !== to);
      assert.equal(apply(from, smallestEdit(from, to)), to);
    }));
  });

  it('replaces no line more than it must', () => {
    assert.deepEqual(smallestEdit('a\nb\nc\n', 'a\nB\nc\n'), { startLine: 1, endLine: 2, endCharacter: 0, text: 'B\n' });
    assert.deepEqual(smallestEdit('a\nb', 'a\nb\nc'), { startLine: 1, endLine: 1, endCharacter: 1, text: 'b\nc' });
  });

  it('compares neither line ends nor a byte-order mark', () => {
    const got = acceptInto('a\r\nb\r\nmine\r\n', '\uFEFFa\r\nb\r\nc\r\n'.replace('c', 'mine'), '\uFEFFa\nB\nmine\n');
    assert.deepEqual(got, { kind: 'clean', edit: { startLine: 1, endLine: 2, endCharacter: 0, text: 'B\n' } });
    assert.deepEqual(acceptInto('a\r\nB\r\n', '\uFEFFa\nb\n', '\uFEFFa\nB\n'), { kind: 'same' });
  });

  it('keeps what the person changed meanwhile', () => {
    const got = acceptInto('mine\nb\nc\nd\n', 'a\nb\nc\nd\n', 'a\nb\nc\nD\n');
    assert.equal(got.kind, 'clean');
    assert.equal(got.kind === 'clean' ? apply('mine\nb\nc\nd\n', got.edit) : '', 'mine\nb\nc\nD\n');
  });

  it('marks where both changed the same line', () => {
    const got = acceptInto('mine\n', 'a\n', 'theirs\n');
    assert.equal(got.kind, 'conflict');
    assert.match(got.kind === 'conflict' ? got.edit.text : '', /<<<<<<< your file\nmine\n=======\ntheirs\n>>>>>>> best so far\n/);
  });
});
