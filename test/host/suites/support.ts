import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { BUILD } from '../../../src/build-id.ts';
import type { Choice } from '../../../src/editor/dialogs.ts';
import type { RunView } from '../../../src/editor/run-source.ts';
import { TEST_API, type TestApi } from '../../../src/editor/test-api.ts';
import type { Requests } from '../../../src/protocol.ts';
import { findEngine } from '../../../src/wire/engine.ts';
import { openRuntime } from '../../../src/wire/runtime.ts';

export type Widget = vscode.QuickPick<Choice<unknown>> | vscode.InputBox;

/** Wakes the extension and gives its live objects. */
export async function testApi(): Promise<TestApi> {
  await vscode.extensions.getExtension('ratchet.ratchet')?.activate();
  return vscode.commands.executeCommand<TestApi>(TEST_API);
}

/** Makes a folder of its own in the window's folder, with a `.ratchet` so that it is a root, and gives its path. */
export function newRoot(name: string, files: Readonly<Record<string, string>>): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const root = path.join(folder.uri.fsPath, name);
  fs.mkdirSync(path.join(root, '.ratchet'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return root;
}

/** A person at the editor's pickers: what is shown next waits until it is answered. */
export class Person implements vscode.Disposable {
  private readonly waiting: Widget[] = [];
  private readonly subscription: vscode.Disposable;
  private wake: (() => void) | undefined;
  private last = 'nothing';

  constructor(api: TestApi) {
    this.subscription = api.dialogs.onDidShow((widget) => {
      this.waiting.push(widget);
      this.wake?.();
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** The next picker or input box that is shown. */
  async next(): Promise<Widget> {
    for (;;) {
      const widget = this.waiting.shift();
      if (widget !== undefined) {
        this.last = widget.title ?? '';
        return widget;
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`Nothing is shown. The last that was: ${this.last}`)), 20_000);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Chooses a row of the next picker by a part of its label, as Enter does, and gives all rows. */
  async choose(label: string): Promise<readonly Choice<unknown>[]> {
    const picker = await this.picker();
    const { items } = picker;
    const row = items.find((item) => item.label.includes(label));
    assert.ok(row, `${picker.title ?? ''} has a row ${label}: ${items.map((item) => item.label).join(', ')}`);
    picker.activeItems = [row];
    await this.accept(picker);
    return items;
  }

  /** The rows of the next picker, which is left with Escape. */
  async leave(): Promise<readonly Choice<unknown>[]> {
    const picker = await this.picker();
    const { items } = picker;
    picker.hide();
    return items;
  }

  /** Types into the next input box and confirms. */
  async type(text: string): Promise<void> {
    const box = await this.next();
    assert.ok('prompt' in box, 'an input box is shown');
    box.value = text;
    await this.accept(box);
  }

  private async picker(): Promise<vscode.QuickPick<Choice<unknown>>> {
    const picker = await this.next();
    assert.ok('items' in picker, 'a picker is shown');
    return picker;
  }

  /** Presses Enter until the widget takes it (one that the window doesn't show yet takes none), and waits until it is gone. */
  private async accept(widget: Widget): Promise<void> {
    const hidden = new Promise<void>((resolve) => widget.onDidHide(resolve));
    let taken = false;
    widget.onDidAccept(() => { taken = true; });
    for (let tries = 0; !taken; tries++) {
      assert.ok(tries < 100, `${widget.title ?? ''} can be answered`);
      // What an extension sets on a widget crosses to the window a turn later.
      await delay(200);
      // The window tells of the acceptance before it answers this, so no second Enter can meet the next widget.
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    await hidden;
  }
}

/** Waits until the run looks as wanted. */
export async function until(api: TestApi, run: string, what: string, holds: (view: RunView) => boolean): Promise<RunView> {
  const { promise, resolve, reject } = Promise.withResolvers<RunView>();
  const look = (): void => {
    const view = api.runs.view(run);
    if (view !== undefined && holds(view)) resolve(view);
  };
  const subscription = api.runs.onDidChange(look);
  const timer = setTimeout(() => reject(new Error(`${what} did not come: ${JSON.stringify(api.runs.view(run))}`)), 50_000);
  look();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    subscription.dispose();
  }
}

export function ended(api: TestApi, run: string): Promise<RunView> {
  return until(api, run, 'the end of the run', (view) => view.state?.end !== undefined);
}

/** Waits until a condition holds, looking at each change of the runs and every now and then. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`It did not come to this: ${what}`);
    await delay(50);
  }
}

/** Ends a root's engine, which must be idle, and proves that its process is gone. */
export async function retire(root: string): Promise<void> {
  const runtime = await openRuntime(root, process.env, process.platform);
  const client = await findEngine(runtime, BUILD, 'terminal');
  if (client === undefined) return;
  const { pid } = client.engine;
  // The connection may close before the answer is here.
  client.request('ratchet/retire', {}).catch(() => undefined);
  await client.closed;
  await eventually('the engine\'s process is gone', () => !isAlive(pid));
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a run on a file of the root without the start page, and gives its id. */
export async function startRun(api: TestApi, root: string, target: string, flags: Requests['ratchet/start']['params']['flags']): Promise<string> {
  const link = await api.engines.of(root).open();
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const { run } = await link.request('ratchet/start', { target: path.join(root, target), flags, settings: {}, env, detached: true });
  return run;
}

/** A reply that replaces one line by another. */
export function replyOf(before: string, after: string): string {
  return `Change one line.\n\n\`\`\`\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n\`\`\`\n`;
}

/** A scorer that reads `LEVEL = N` out of the candidate; a file without it crashes. `waitMs`: how long it takes. */
export function levelScorer(waitMs = 0): string {
  return `import { readFileSync } from 'node:fs';
export default async (path) => {
  await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  const level = /^LEVEL = (\\d+)/m.exec(readFileSync(path, 'utf8'))?.[1];
  if (level === undefined) throw new Error('There is no level.');
  return Number(level);
};
`;
}
