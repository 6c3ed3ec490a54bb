import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { Lab } from '../cli/lab.ts';
import { openEditor, type Editor } from './editor.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Long enough for some training runs on a busy machine. */
const PATIENCE_MS = 60_000;

describe('a person improves a train.py', function () {
  this.timeout(200_000);
  // Each step begins where the last one ended.
  this.bail(true);
  let lab: Lab;
  let editor: Editor;
  let original: string;

  before(async () => {
    lab = await Lab.open({});
    await cp(path.join(ROOT, 'examples/train'), lab.folder, { recursive: true, filter: (from) => !from.includes('__pycache__') });
    original = await readFile(lab.path('train.py'), 'utf8');
    editor = await openEditor({
      version: 'newest', folder: lab.folder, extensionDevelopmentPath: ROOT,
      // In a browser it is on by default, and hides whether we save.
      settings: { 'files.autoSave': 'off' },
      env: { RATCHET_RUNTIME_DIR: lab.env['RATCHET_RUNTIME_DIR'] ?? '', XDG_CACHE_HOME: lab.env['XDG_CACHE_HOME'] ?? '' },
    });
    editor.page.setDefaultTimeout(60_000);
  });

  after(async () => {
    await editor?.close();
    await lab?.close();
  });

  /** A hover over the list would catch the click. */
  const pick = async (label: string): Promise<void> => {
    await editor.page.mouse.move(5, 5);
    await editor.quickPick(label);
  };
  const shot = (name: string): Promise<string> => editor.screenshot(`journey-${name}`);

  it('right-click, the page says what will happen, one try shows the number', async () => {
    // The menus of extensions come a moment after the explorer; the button in the editor's title comes with them.
    await editor.openFile('train.py');
    await editor.page.locator('.editor-actions .codicon-beaker').first().waitFor();
    await editor.contextMenu('train.py', 'Autoresearch This File');
    const page = editor.page.locator('.quick-input-widget');
    await page.getByText('Better is').waitFor();
    await shot('1-page');
    await pick('Try Once');
    await page.getByText(/2\.65/).first().waitFor({ timeout: PATIENCE_MS });
    await shot('2-tried');
    assert.equal(await readFile(lab.path('train.py'), 'utf8'), original);
  });

  it('starts with a proposer that the person chooses, and attempts come in', async () => {
    await pick('Who proposes');
    await shot('3-proposers');
    await pick('Numbers');
    const chosen = editor.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Who proposes' }).filter({ hasNotText: 'choose who' });
    await chosen.waitFor();
    // The page comes back with Start chosen.
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden' });
    // The view opens by itself; a click on its icon would close it again.
    const kept = editor.page.getByRole('treeitem').filter({ hasText: '★ best so far' });
    await kept.first().waitFor({ timeout: PATIENCE_MS });
    await shot('4-kept');
  });

  it('opens an attempt as one column with the removed line struck through', async () => {
    await editor.page.getByRole('treeitem').filter({ hasText: '★ best so far' }).first().click();
    await editor.page.locator('.tab.active', { hasText: 'inline' }).waitFor();
    await shot('5-inline');
  });

  it('is stopped by hand, and the file on disk is as it was', async () => {
    await editor.command('Ratchet: Stop');
    await editor.page.getByRole('treeitem').filter({ hasText: 'Ended: it was stopped' }).first().waitFor({ timeout: PATIENCE_MS });
    assert.equal(await readFile(lab.path('train.py'), 'utf8'), original);
  });

  it('accepts the best so far into the open file, unsaved', async () => {
    await editor.command('Ratchet: Accept');
    const dirty = editor.page.locator('.tab.dirty', { hasText: 'train.py' });
    // Where it asks first, the first answer is the one that goes on.
    const ask = editor.page.locator('.quick-input-widget, .monaco-dialog-box').filter({ hasText: /accept/i });
    await Promise.race([dirty.first().waitFor(), ask.first().waitFor().then(() => editor.page.keyboard.press('Enter'))]);
    await dirty.first().waitFor();
    await shot('6-accepted');
    assert.equal(await readFile(lab.path('train.py'), 'utf8'), original, 'nothing is saved by itself');
  });
});
