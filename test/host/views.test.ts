import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Lab, reply } from '../cli/lab.ts';
import type { Editor } from './editor.ts';
import { openLab } from './lab.ts';

const TARGET = `import math

LEVEL = 3


def area(r):
    return 3.14 * r * r
`;
const SCORER = `import sys, re
print('score:', re.search(r'^LEVEL = (\\d+)', open(__import__('os').environ['RATCHET_TARGET']).read(), re.M).group(1))
`;

interface Marks {
  /** The text that is struck through. */
  readonly struck: string;
  /** Signs in the gutter. */
  readonly signs: number;
}

/** The marks of the active editor. */
async function marksOf(editor: Editor): Promise<Marks> {
  const pane = editor.page.locator('.editor-group-container.active .monaco-editor').last();
  const pieces = await pane.locator('.view-line span').evaluateAll((spans) => spans
    .filter((span) => (globalThis as unknown as { getComputedStyle(element: unknown): { readonly textDecorationLine: string } }).getComputedStyle(span).textDecorationLine === 'line-through')
    .map((span) => (span as { readonly textContent: string | null }).textContent ?? ''));
  return { struck: pieces.join('').replaceAll('\u00a0', ' '), signs: await pane.locator('.glyph-margin-widgets .cgmr').count() };
}

/** Waits until the editor draws these marks; a page has no event for that. */
async function waitForMarks(editor: Editor, wanted: Marks): Promise<void> {
  let marks: Marks | undefined;
  for (let tries = 0; tries < 300; tries++) {
    marks = await marksOf(editor);
    if (isDeepStrictEqual(marks, wanted)) return;
    await delay(100);
  }
  assert.deepEqual(marks, wanted);
}

describe('attempts, as a person looks at them', function () {
  this.timeout(240_000);
  let lab: Lab;
  let editor: Editor;

  before(async () => {
    lab = await Lab.open({
      'f.py': TARGET,
      'score.py': SCORER,
      'replies/001.md': reply('LEVEL = 3', 'LEVEL = 5', 'A higher level.'),
      'replies/002.md': reply('LEVEL = 9', 'LEVEL = 8', 'There is no such line.'),
    });
    const { code, stderr } = await lab.ratchet('run', 'f.py', '--score', 'python3 score.py', '--proposer', `replay:${lab.path('replies')}`, '--attempts', '2', '--yes');
    assert.equal(code, 0, stderr);
    editor = await openLab(lab);
  });

  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  it('has the runs of earlier days in its tree, with what came of each attempt', async () => {
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'Ratchet' }).click();
    const run = await editor.waitForTreeItem('★ #1 3 → 5, 1.7×');
    assert.match(await run.innerText(), /1 of 2 kept/);
    const kept = await editor.waitForTreeItem('#1 kept');
    assert.match(await kept.innerText(), /3 → 5, 1\.7× · ★ best so far · A higher level\./);
    await editor.waitForTreeItem('#2 edit refused');
    await editor.waitForTreeItem('#0 start file');
  });

  it('opens an attempt as one column, with the removed line struck through and a sign beside each', async () => {
    await (await editor.waitForTreeItem('#1 kept')).click();
    assert.equal(await editor.readEditorText('inline'), TARGET.replace('LEVEL = 3', 'LEVEL = 3\nLEVEL = 5'));
    await waitForMarks(editor, { struck: 'LEVEL = 3', signs: 2 });
    await editor.page.locator('.statusbar-item', { hasText: 'Python' }).waitFor();
  });

  it('marks it again when another tab was looked at meanwhile', async () => {
    const tab = editor.page.locator('.tab', { hasText: 'f.py #1 (inline)' });
    // So that it stays beside the next one.
    await tab.dblclick();
    await (await editor.waitForTreeItem('#2 edit refused')).click();
    await editor.page.locator('.tab.active', { hasText: 'f.py #2 reply.txt' }).waitFor();
    await tab.click();
    await waitForMarks(editor, { struck: 'LEVEL = 3', signs: 2 });
  });

  it('brings it back with its marks and its language after a reload', async () => {
    const reloaded = editor.page.waitForEvent('domcontentloaded');
    // The editor's own reload keeps its tabs; the browser's would lose what it hasn't written yet.
    await editor.command('Developer: Reload Window');
    await reloaded;
    await editor.page.locator('.statusbar-item', { hasText: 'Python' }).waitFor();
    await waitForMarks(editor, { struck: 'LEVEL = 3', signs: 2 });
  });

  it('leads from a change to the same place side by side', async () => {
    // It is drawn anew when the language is known, and a click may meet the old one.
    const opened = editor.page.locator('.tab.active', { hasText: 'f.py: start file ↔ #1' });
    for (let tries = 0; tries < 10 && !await opened.isVisible(); tries++) {
      await editor.page.locator('.editor-group-container.active .codelens-decoration a', { hasText: 'line 3: +1 −1' }).click();
      await opened.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await opened.waitFor();
  });
});
