/** What a person does with Ratchet in an editor, step by step. Each step waits until the editor shows what came of it. */
import type { Locator } from 'playwright-core';
import type { Editor } from './editor.ts';

/** Long enough for some training runs on a busy machine. */
const PATIENCE_MS = 90_000;

export class Person {
  private readonly editor: Editor;

  constructor(editor: Editor) {
    this.editor = editor;
  }

  /** Right-click → Autoresearch This File: the start page is there. */
  async autoresearch(file: string): Promise<void> {
    await this.editor.openFile(file);
    await this.editor.contextMenu(file, 'Autoresearch This File');
    await this.page('Better is');
  }

  /** Chooses a row of the page or of a question of it. */
  async choose(label: string): Promise<void> {
    await this.aside();
    await this.editor.quickPick(label);
  }

  /** Waits until the page or a question of it says this. */
  async page(text: string | RegExp): Promise<void> {
    await this.editor.page.locator('.quick-input-widget:visible').getByText(text).first().waitFor({ timeout: PATIENCE_MS });
  }

  /** Who proposes: the search over the numbers in the file. The page comes back with Start chosen. */
  async numbersOnly(): Promise<void> {
    await this.choose('Numbers and Choices');
    await this.page(/no model: varies/);
  }

  /** Enter on the page, which has nothing left to ask. The view opens by itself. */
  async start(): Promise<void> {
    await this.editor.page.keyboard.press('Enter');
    await this.editor.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden' });
  }

  /** The row of the best attempt, once one was kept. */
  async kept(): Promise<Locator> {
    const row = this.editor.page.getByRole('treeitem').filter({ hasText: '★ best so far' }).first();
    await row.waitFor({ timeout: PATIENCE_MS });
    return row;
  }

  /** Waits for `count` attempts of this verdict. */
  async attempts(verdict: string, count: number): Promise<void> {
    await this.editor.page.getByRole('treeitem').filter({ hasText: new RegExp(`#\\d+ ${verdict}`) }).nth(count - 1).waitFor({ timeout: PATIENCE_MS });
  }

  /** A click on the best attempt opens it as one column. */
  async openKept(): Promise<void> {
    await (await this.kept()).click();
    await this.tab('(inline)').waitFor();
    await this.editor.page.locator('.editor-group-container.active .glyph-margin-widgets .cgmr').first().waitFor();
    await this.aside();
  }

  /** The button in the title of the inline diff. */
  async sideBySide(): Promise<void> {
    await this.editor.page.locator('.editor-actions').getByRole('button', { name: 'Side by Side' }).first().click();
    await this.tab('↔').waitFor();
    await this.editor.page.locator('.editor-group-container.active .monaco-diff-editor .line-delete').first().waitFor();
    await this.aside();
  }

  async stop(): Promise<void> {
    await this.editor.command('Ratchet: Stop');
    await this.aside();
    await this.ended('it was stopped');
  }

  /** Waits until a run's row says why it ended. */
  async ended(why = ''): Promise<void> {
    await this.editor.page.getByRole('treeitem').filter({ hasText: `Ended: ${why}` }).first().waitFor({ timeout: PATIENCE_MS });
  }

  /** The best so far is in the file, which is shown and not saved. */
  async accept(file: string): Promise<void> {
    await this.editor.command('Ratchet: Accept');
    await this.editor.page.locator('.tab.active.dirty', { hasText: file }).waitFor();
    await this.aside();
  }

  /** Ctrl+Z in the file's text takes back what Accept did: the tab is as clean as when it was opened. */
  async undo(file: string): Promise<void> {
    await this.focusText(file);
    await this.editor.page.keyboard.press('Control+z');
    await this.editor.page.locator('.tab.active:not(.dirty)', { hasText: file }).waitFor();
  }

  /** Ctrl+S in the file's text. */
  async save(file: string): Promise<void> {
    await this.focusText(file);
    await this.editor.page.keyboard.press('Control+s');
    await this.editor.page.locator('.tab.active:not(.dirty)', { hasText: file }).waitFor();
  }

  /** Moves the mouse to where it marks nothing and shows no hint. */
  async aside(): Promise<void> {
    await this.editor.page.mouse.move(640, 799);
  }

  private tab(text: string): Locator {
    return this.editor.page.locator('.tab.active', { hasText: text });
  }

  /** A click on the file's tab and one into its text: keys go to what has the focus, which may be the tree. */
  private async focusText(file: string): Promise<void> {
    await this.editor.page.locator('.tab').filter({ hasText: file }).filter({ hasNotText: /[#↔]/ }).click();
    const text = this.editor.page.locator(`.editor-group-container.active .monaco-editor[data-uri$=${JSON.stringify(`/${file}`)}]`);
    await text.locator('.view-line').first().click();
    await this.editor.page.locator(`.monaco-editor.focused[data-uri$=${JSON.stringify(`/${file}`)}]`).waitFor();
    await this.aside();
  }
}
