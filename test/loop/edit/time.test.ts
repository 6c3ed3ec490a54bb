import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { applyReply } from '../../../src/loop/edit.ts';
import { block, fenced } from './helpers.ts';

const LINES = 40_000;
/** Far above what any of these takes, far below what a quadratic step would. */
const MAX_MS = 2_500;

const many = (line: string, count = LINES) => `${line}\n`.repeat(count);
const numbered = (count: number, text = 'line') => Array.from({ length: count }, (_, index) => `${text} ${index}\n`).join('');
const FILES = {
  numbered: numbered(20_000),
  blank: many('', 100_000),
  alike: many('    x = 1', 20_000),
  mixed: Array.from({ length: 20_000 }, (_, index) => `line ${index}${index % 3 === 0 ? '\r\n' : '\n'}`).join(''),
};
const REPLIES: Readonly<Record<string, string>> = {
  'one long SEARCH': block(numbered(20_000), numbered(LINES, 'new')),
  'a SEARCH of lines that repeat': block(`${many('    x = 1', 10_000)}y\n`, 'z\n'),
  'a SEARCH of blank lines': block(`${many('')}y\n`, 'z\n'),
  'a SEARCH that almost fits everywhere': block(`${many('    x = 1', 10_000)}line 7\n`, 'z\n'),
  'dividers': block(many('======='), many('=======')),
  'blank lines and dividers': block(many('\n======='), 'x\n'),
  'many blocks': Array.from({ length: 10_000 }, (_, index) => block(`line ${index}\n`, `new ${index}\n`)).join(''),
  'openings of blocks': many('<<<<<<< SEARCH'),
  'ends of blocks': many('>>>>>>> REPLACE'),
  'a whole file': fenced(numbered(LINES, 'new')),
  'a whole file that is the other way round': fenced(numbered(20_000).split('\n').reverse().join('\n').trimStart() + '\n'),
  'openings of fences': many('```py'),
  'bare fences': many('```\n\n~~~'),
  'backticks': '`'.repeat(200_000),
  'backticks with a tail': `${'`'.repeat(200_000)}x${'`'.repeat(200_000)}`,
  'quotes in quotes': many('> '.repeat(500), 1_000),
  'a deep list': '- '.repeat(200_000),
  'tabs': `${'\t'.repeat(200_000)}x`,
  'ends of thoughts': many('</think>'),
  'ends of thoughts in a fence': `\`\`\`\n${many('x</think>')}`,
  'ends of thoughts on a line': '</think>'.repeat(20_000),
  'thoughts without end': `<think>\n${many('hm')}`,
  'a long diff': fenced(`@@ @@\n${numbered(20_000, '-line')}${numbered(20_000, '+new')}`, 'diff'),
  'many hunks': fenced(Array.from({ length: 10_000 }, (_, index) => `@@ @@\n-line ${index}\n+new ${index}\n`).join(''), 'diff'),
  'hunks with gaps': fenced(`@@ @@\n-line 1\n+x\n${many('')}@@ @@\n-line 3\n+y\n${many('')}`, 'diff'),
  'headers without hunks': many('Index: x'),
  'bare diffs': many('@@ @@\nword'),
  'fences in a diff': `\`\`\`diff\n${many(' ```')}`,
  'a diff of blank lines': fenced(`@@ @@\n${many(' ')}+x\n`, 'diff'),
  'omission comments': fenced(many('# ... rest of the code ...')),
  'words': many('rest of the '.repeat(12)),
  'spaces': ' '.repeat(500_000),
};

describe('the time that an edit takes', () => {
  for (const [name, reply] of Object.entries(REPLIES)) {
    it(`is short for ${name}`, () => {
      for (const [file, text] of Object.entries(FILES)) {
        const start = performance.now();
        applyReply(text, reply, { path: 'a.py' });
        const ms = performance.now() - start;
        assert.ok(ms < MAX_MS, `${ms.toFixed(0)} ms on the ${file} file`);
      }
    });
  }
});
