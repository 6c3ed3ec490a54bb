import assert from 'node:assert/strict';
import { applyReply, type RefusalCode } from '../../src/loop/edit.ts';
import { readPage, samplesIn } from './pages.ts';

const PATH = 'slug.py';
const FENCE = '```';
const block = (search: string, replace: string): string => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
const fenced = (text: string, info = 'python'): string => `${FENCE}${info}\n${text}\n${FENCE}\n`;
const LOWER = '    text = text.lower()\n';

/** A reply to the page's file for each refusal that the page names; those in the text of the page first. */
const REFUSED = {
  'placeholder': [fenced('def slug(title):\n    # ... rest of the function\n    return text'), fenced('def slug(title):\n    // existing code\n    return text')],
  'no-edit': [fenced(LOWER.trimEnd()), 'It should be quicker.'],
  'other-file': [fenced('print("all good")', 'python other.py')],
  'several-edits': [fenced('one = 1') + fenced('two = 2'), fenced('one = 1', 'python slug.py') + fenced('two = 2', 'python slug.py')],
  'not-found': [block('    text = text.upper()\n', LOWER)],
  'ambiguous': [block('\n', 'pass\n')],
  'empty-search': [block('', LOWER)],
  'unterminated': ['<<<<<<< SEARCH\n', `${FENCE}python\ntext`, '<think>Perhaps'],
  'no-change': [block(LOWER, LOWER)],
  'overlap': [block(LOWER, 'a\n') + block(LOWER, 'b\n')],
  'malformed': [fenced('<<<< SEARCH\ntext'), '>>>>>>> REPLACE\n', fenced('@@ -1 +1 @@\n-def slug(title):\nxyz', 'diff')],
} satisfies Record<RefusalCode, readonly string[]>;

describe('docs/replies.md', () => {
  let page = '';
  let samples: ReadonlyMap<string, string>;
  let target = '';
  before(async () => {
    page = await readPage('replies.md');
    samples = samplesIn(page);
    target = samples.get(PATH) ?? '';
  });

  it('shows what each reply makes of the file, in each of the forms', () => {
    const replies = [...samples.keys()].filter((name) => name.endsWith('.md'));
    const forms = replies.map((name) => {
      const edit = applyReply(target, samples.get(name) ?? '', { path: PATH });
      assert.ok(edit.ok, name);
      assert.equal(edit.text, samples.get(name.replace('.md', '.py')), name);
      assert.ok(page.includes(edit.hypothesis));
      return edit.form;
    });
    assert.deepEqual(forms, ['search-replace', 'unified-diff', 'whole-file']);
  });

  it('names the hypothesis', () => {
    const said = /Of `001\.md` it is "([^"]+)"/.exec(page)?.[1];
    assert.equal(applyReply(target, samples.get('001.md') ?? '', { path: PATH }).hypothesis, said);
  });

  it('names every refusal', () => {
    const named = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code);
    assert.deepEqual(named.sort(), Object.keys(REFUSED).sort());
  });

  for (const [code, replies] of Object.entries(REFUSED))
    it(`tells the truth about ${code}`, () => {
      for (const reply of replies) {
        const edit = applyReply(code === 'ambiguous' ? `\n${target}\n` : target, reply, { path: PATH });
        assert.equal(edit.ok ? edit.form : edit.code, code, reply);
      }
    });

  it('warns of a single fenced line', () => {
    const edit = applyReply(target, `This makes it quicker:\n\n${fenced('text = title.casefold()')}`, { path: PATH });
    assert.equal(edit.ok && edit.text, 'text = title.casefold()\n');
  });

  it('keeps line ends, the byte-order mark and a missing last line end', () => {
    const windows = `\uFEFF${target.trimEnd().replaceAll('\n', '\r\n')}`;
    const edit = applyReply(windows, samples.get('001.md') ?? '', { path: PATH });
    assert.equal(edit.ok && edit.text, windows.replace('text.lower', 'text.casefold'));
  });
});
