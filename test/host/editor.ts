/**
 * The editor as a person uses it, for journeys driven by Playwright: `openEditor` starts it, the helpers do what a person does.
 * Each waits for what it needs, and fails with Playwright's sentence when that does not come.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { installFromSource, installVsix, newDataDir } from './data-dir.ts';
import type { EditorLabel } from './pins.ts';
import { provision } from './provision.ts';
import type { ProcessSeen } from './processes.ts';
import { startWorkbench } from './workbench.ts';

const SHOTS = path.resolve(import.meta.dirname, '..', '..', '.test-out', 'shots');
const READY_LIMIT_MS = 90_000;
/** For one thing to appear after one action; generous, since a test machine may be busy. */
const ACTION_LIMIT_MS = 30_000;
/** For what an extension brings to an open palette or menu. */
const LATE_LIMIT_MS = 2_000;
const MENU_LIMIT_MS = 500;

export interface EditorOptions {
  readonly version: EditorLabel;
  /** The folder to open: absolute. */
  readonly folder: string;
  /** An extension from source, or several. It runs as an installed one does: `extensionMode` is Production. */
  readonly extensionDevelopmentPath?: string | readonly string[];
  /** A packed extension to install first. */
  readonly vsix?: string;
  /** On top of those that every test wants. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** On top of this process's environment, for the extension host and what it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** More flags for the server. */
  readonly extraArgs?: readonly string[];
}

export interface Editor {
  readonly page: Page;
  readonly server: { readonly version: string; readonly port: number; readonly url: string; readonly log: () => string };
  /** Holds `data/User/settings.json` and `extensions`; removed by `close`. */
  readonly dataDir: string;
  /** Saves a picture of the whole window as `.test-out/shots/NAME.png` and gives its path. */
  readonly screenshot: (name: string) => Promise<string>;
  /** Runs a command by its title, as the palette shows it ("Ratchet: Start"). */
  readonly command: (title: string) => Promise<void>;
  /** Opens the menu of an item of the explorer and chooses an entry; more labels walk into submenus. */
  readonly contextMenu: (item: string, ...labels: readonly [string, ...string[]]) => Promise<void>;
  /** Chooses an entry of the open quick pick: the first whose label has the text. */
  readonly quickPick: (label: string) => Promise<void>;
  /** Types into the open input box and confirms. */
  readonly answer: (text: string) => Promise<void>;
  /** Waits for a row in any tree whose text has `text`. */
  readonly waitForTreeItem: (text: string) => Promise<Locator>;
  /** Waits for a notice whose text has `text`; its buttons are inside. */
  readonly waitForNotice: (text: string) => Promise<Locator>;
  /** Opens a file of the explorer's top level by double click, and waits until its text has the focus. */
  readonly openFile: (name: string) => Promise<void>;
  /** The visible lines of the active text editor, or of the one whose address has `uriPart` (a diff has two). */
  readonly readEditorText: (uriPart?: string) => Promise<string>;
  /** Loads the page anew, as after "Reload Window". */
  readonly reload: () => Promise<void>;
  /** Every living process of this editor and of what the extensions have started, detached ones too. */
  readonly processes: () => ProcessSeen[];
  /** Ends everything and removes `dataDir`. Gives the processes that had to be killed because they outlived browser and server. */
  readonly close: () => Promise<readonly ProcessSeen[]>;
}

async function waitUntilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: READY_LIMIT_MS });
  await page.getByRole('tree', { name: 'Files Explorer' }).waitFor({ timeout: READY_LIMIT_MS });
}

/** Only one quick input exists; it is hidden while it is not in use. */
function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible');
}

async function runCommand(page: Page, title: string): Promise<void> {
  const row = quickInput(page).locator('.quick-input-list .monaco-list-row').filter({ has: page.getByText(title, { exact: true }) }).first();
  const until = performance.now() + ACTION_LIMIT_MS;
  for (;;) {
    await page.keyboard.press('F1');
    await quickInput(page).locator('input[type="text"]').fill(`>${title}`);
    // An open palette does not learn of commands that arrive late, so it is opened again.
    const found = await row.waitFor({ timeout: LATE_LIMIT_MS }).then(() => true, () => false);
    if (found) break;
    if (performance.now() > until) throw new Error(`The palette has no command with the title ${title}.`);
    await page.keyboard.press('Escape');
  }
  await row.click();
}

async function chooseFromContextMenu(page: Page, item: string, labels: readonly string[]): Promise<void> {
  const menu = page.locator('.monaco-menu');
  const entries = labels.map((label) => page.locator('.monaco-menu:visible').getByRole('menuitem', { name: label, exact: true }));
  const last = entries.pop();
  if (last === undefined) throw new Error('Name an entry of the menu.');
  const until = performance.now() + ACTION_LIMIT_MS;
  const tryAgain = (): void => {
    if (performance.now() > until) throw new Error(`The menu's entry ${labels.join(' → ')} cannot be chosen.`);
  };
  const open = async (): Promise<void> => {
    await page.getByRole('tree', { name: 'Files Explorer' }).getByRole('treeitem', { name: item }).first().click({ button: 'right' });
    for (const entry of entries) await entry.hover({ timeout: LATE_LIMIT_MS });
    await last.click({ timeout: LATE_LIMIT_MS });
  };
  // A menu closes when something else takes the focus, and an open one does not learn of entries that arrive late: it is opened again.
  while (!await open().then(() => true, () => false)) {
    tryAgain();
    await page.keyboard.press('Escape');
  }
  // It takes no click in its first moments; one that stays open has taken none.
  while (!await menu.first().waitFor({ state: 'hidden', timeout: MENU_LIMIT_MS }).then(() => true, () => false)) {
    tryAgain();
    await last.click({ timeout: MENU_LIMIT_MS }).catch(() => undefined);
  }
}

/** What of a page's element is read there; this project has no types of the browser. */
interface LineElement {
  readonly style: { readonly top: string };
  readonly textContent: string;
}

async function readVisibleText(page: Page, uriPart: string | undefined): Promise<string> {
  const editor = uriPart === undefined
    ? page.locator('.editor-group-container.active .monaco-editor[data-uri]')
    : page.locator(`.monaco-editor[data-uri*=${JSON.stringify(uriPart)}]`);
  await editor.last().waitFor();
  // Lines stand in the page in any order, at their place by style.
  return await editor.last().locator('.view-line').evaluateAll((lines) => (lines as unknown as LineElement[])
    .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .map((line) => line.textContent.replaceAll('\u00a0', ' '))
    .join('\n'));
}

/** Opens the editor with the folder, and waits until a person could begin. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const provisioned = await provision(options.version);
  const dataDir = newDataDir(options.settings);
  const remove = (): void => fs.rmSync(dataDir, { recursive: true, force: true });
  try {
    if (options.vsix !== undefined) await installVsix(provisioned, path.resolve(options.vsix), dataDir);
    for (const source of [options.extensionDevelopmentPath ?? []].flat()) installFromSource(path.resolve(source), dataDir);
    const workbench = await startWorkbench({
      editor: provisioned,
      folder: path.resolve(options.folder),
      dataDir,
      env: options.env ?? {},
      serverArgs: options.extraArgs ?? [],
    });
    const { page } = workbench;
    page.setDefaultTimeout(ACTION_LIMIT_MS);
    const close = async (): Promise<readonly ProcessSeen[]> => {
      try {
        return await workbench.close();
      } finally {
        remove();
      }
    };
    try {
      await waitUntilReady(page);
    } catch (error) {
      await page.screenshot({ path: path.join(SHOTS, 'not-ready.png') });
      await close();
      throw error;
    }
    return {
      page,
      server: { version: provisioned.version, port: workbench.port, url: workbench.url, log: workbench.serverLog },
      dataDir,
      screenshot: async (name) => {
        const file = path.join(SHOTS, `${name}.png`);
        // What fades in or out is shown as it will be.
        await page.screenshot({ path: file, animations: 'disabled' });
        return file;
      },
      command: (title) => runCommand(page, title),
      contextMenu: (item, ...labels) => chooseFromContextMenu(page, item, labels),
      quickPick: (label) => quickInput(page).locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click(),
      answer: async (text) => {
        const input = quickInput(page).locator('input[type="text"]');
        await input.fill(text);
        await input.press('Enter');
      },
      waitForTreeItem: async (text) => {
        const row = page.getByRole('treeitem').filter({ hasText: text }).first();
        await row.waitFor();
        return row;
      },
      waitForNotice: async (text) => {
        const notice = page.locator('.notification-toast', { hasText: text }).first();
        await notice.waitFor();
        return notice;
      },
      openFile: async (name) => {
        await page.getByRole('tree', { name: 'Files Explorer' }).getByRole('treeitem', { name, exact: true }).dblclick();
        // It takes the focus last, and what was begun before would lose it.
        await page.locator(`.monaco-editor.focused[data-uri$=${JSON.stringify(`/${name}`)}]`).waitFor();
      },
      readEditorText: (uriPart) => readVisibleText(page, uriPart),
      reload: async () => {
        await page.reload({ waitUntil: 'domcontentloaded' });
        await waitUntilReady(page);
      },
      processes: workbench.processes,
      close,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
