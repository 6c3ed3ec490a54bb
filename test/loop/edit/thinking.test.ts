import assert from 'node:assert/strict';
import { applied, block, fenced, hypothesis, refused } from './helpers.ts';

const FILE = 'a = 1\nb = 2\n';
const DRAFT = fenced(block('a = 1\n', 'a = 0\n'), 'python');
const ANSWER = `A is better.\n\n${fenced(block('a = 1\n', 'a = 3\n'), 'python')}`;
const RESULT = 'a = 3\nb = 2\n';

describe('thinking parts', () => {
  it('are dropped, with the drafts in them', () => {
    const thoughts = [
      `<think>\nMaybe?\n${DRAFT}No.\n</think>\n`,
      `\n<thinking>${DRAFT}</thinking>\n`,
      `<think>short</think>`,
      // Some servers give the opening tag away with the prompt.
      `Maybe?\n${DRAFT}No.\n</think>\n\n`,
      `<think>\none\n</think>\n<think>\n${DRAFT}\n</think>\n`,
      `Let me see.\n<think>\n${DRAFT}\n</think>\n`,
      `<think>\nIt says "</think>" there.\n${DRAFT}</think>\n`,
    ];
    for (const thought of thoughts) {
      assert.equal(applied(FILE, thought + ANSWER), RESULT, thought);
      assert.equal(hypothesis(FILE, thought + ANSWER), 'A is better.');
    }
  });

  it('are dropped where a draft in them was never finished', () => {
    for (const draft of ['```python\na = 0\n', '<<<<<<< SEARCH\na = 1\n', '```python\n<<<<<<< SEARCH\na = 1\n=======\na = 0\n', '```\na = 0\n']) {
      assert.equal(applied(FILE, `<think>\n${draft}</think>\n${ANSWER}`), RESULT, draft);
      assert.equal(applied(FILE, `${draft}</think>\n${ANSWER}`), RESULT, draft);
    }
    assert.equal(applied(FILE, `<think>\n\`\`\`\na = 0\n</think>\nSo:\n${fenced(RESULT)}`), RESULT);
  });

  it('leave nothing where the reply ends in them', () => {
    for (const reply of [`<think>\nMaybe?\n${DRAFT}`, `Well.\n<think>\n${DRAFT}`, '<think>\n```python\nx', `<thinking>${DRAFT}No`]) {
      assert.match(refused('unterminated', FILE, reply), /unterminated.*thinking/);
      assert.equal(hypothesis(FILE, reply), '');
    }
    refused('no-edit', FILE, `${ANSWER}</think>\n`);
  });

  it('do not end within an edit that has such text', () => {
    const file = 'end = "<end>"\nopen = 1\n';
    const search = 'end = "<end>"\n';
    for (const replace of ['end = "</think>"\n', '<think>\nx\n</think>\n', 'cut = text.split(</think>)[-1]\n']) {
      assert.equal(applied(file, `Drop it.\n\n${fenced(block(search, replace))}`), `${replace}open = 1\n`);
      assert.equal(applied(file, `<think>\nhm\n</think>\nDrop it.\n\n${fenced(block(search, replace))}`), `${replace}open = 1\n`);
      assert.equal(applied(file, `Drop the \`</think>\` tag.\n\n${block(search, replace)}`), `${replace}open = 1\n`);
      assert.equal(applied(file, `Drop it.\n\n${fenced(`${replace}open = 1\n`)}`), `${replace}open = 1\n`);
    }
    assert.equal(applied(file, fenced('@@ @@\n-end = "<end>"\n+</think>\n', 'diff')), '</think>\nopen = 1\n');
  });
});
