import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { COMMANDS, DOCUMENT_SCHEME } from '../../../src/contributions.ts';
import type { RunSource } from '../../../src/editor/run-source.ts';
import type { TreeNode } from '../../../src/editor/tree/nodes.ts';
import { registerViews, type Views } from '../../../src/editor/views.ts';
import { blobOf, FakeRuns } from '../../editor/fake-runs.ts';
import { measured } from '../../loop/events.ts';
import { testApi } from './support.ts';

const BASE = ['import math', '', 'def area(r):', '    pi = 3.14', '    return pi * r * r', '', 'print(area(2))', ''].join('\n');
const BETTER = BASE.replace('    pi = 3.14\n    return pi * r * r', '    return math.pi * r * r');
const LATER = BETTER.replace('print(area(2))', 'result = area(2)\nprint(result)');

/** Resolves with the next value of an event that `accept` takes. */
function next<T>(event: vscode.Event<T>, accept: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const listening = event((value) => {
      if (!accept(value)) return;
      listening.dispose();
      resolve(value);
    });
  });
}

const isOf = (kind: 'text' | 'inline', uri: vscode.Uri | undefined): boolean => uri?.scheme === DOCUMENT_SCHEME && uri.query.includes('..') === (kind === 'inline');

/** The active editor, as soon as it shows what is asked for. */
async function editorOf(accept: (uri: vscode.Uri) => boolean): Promise<vscode.TextEditor> {
  const now = vscode.window.activeTextEditor;
  if (now !== undefined && accept(now.document.uri)) return now;
  const found = await next(vscode.window.onDidChangeActiveTextEditor, (editor) => editor !== undefined && accept(editor.document.uri));
  assert.ok(found);
  return found;
}

async function showView({ view }: Views): Promise<void> {
  const shown = view.visible ? Promise.resolve() : next(view.onDidChangeVisibility, ({ visible }) => visible);
  await vscode.commands.executeCommand('ratchet.runs.focus');
  await shown;
}

const textAt = async (uri: vscode.Uri): Promise<string> => (await vscode.workspace.openTextDocument(uri)).getText();

describe('the views', () => {
  const runs = new FakeRuns();
  let views: Views;
  let putBack: () => Promise<void>;
  let root: string;
  /** Each test has a run of its own, since an address never shows another text. */
  let run = '';
  let count = 0;

  before(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    root = folder.uri.fsPath;
    const api = await testApi();
    const extension = vscode.extensions.getExtension('ratchet.ratchet');
    assert.ok(extension);
    const log = vscode.window.createOutputChannel('Tests of the views', { log: true });
    const show = (source: RunSource): Views => registerViews(extension, source, log);
    const swap = async (old: Views, source: RunSource): Promise<Views> => {
      // A view is disposed when it is there, and VS Code 1.104 forgets it a moment later: it would forget the new one in its place.
      await showView(old);
      old.dispose();
      await delay(0);
      return show(source);
    };
    views = await swap(api.views, runs);
    putBack = async () => void await swap(views, api.runs);
  });

  beforeEach(async () => {
    runs.clear();
    run = `20261130-120000-${String(++count).padStart(6, '0')}`;
    await showView(views);
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => putBack());

  /** A run of f.py with a kept and a refused attempt. */
  function tellRun(): void {
    runs.begin(run, root, BASE, 18.2, { target: 'f.py', metric: { name: 'time', direction: 'lower', unit: 'ms' } });
    runs.attempt(run, { number: 1, verdict: 'kept', score: 6.1, text: BETTER, hypothesis: 'Use the real pi.' });
    runs.attempt(run, { number: 2, parent: 1, verdict: 'refused', reason: 'The text to replace stands nowhere in the file.' });
  }

  /** Waits until the editor has drawn all that is known: then a hint about the run leads to no redraw. */
  async function settle(): Promise<void> {
    for (;;) {
      let fired = false;
      const listening = views.tree.onDidChangeTreeData(() => { fired = true; });
      runs.fire({ run });
      await delay(600);
      listening.dispose();
      if (!fired) return;
    }
  }

  const children = async (node?: TreeNode): Promise<TreeNode[]> => await views.tree.getChildren(node) ?? [];

  describe('the tree', () => {
    it('has runs, their attempts with the best one on top, and the hunks of an attempt', async () => {
      tellRun();
      runs.attempt(run, { number: 3, parent: 1, verdict: 'discarded', score: 7, text: LATER });
      const [first, ...others] = await children();
      assert.deepEqual([first, others], [{ kind: 'run', run }, []]);
      const attempts = await children(first);
      assert.deepEqual(attempts.map((node) => (node.kind === 'attempt' ? node.attempt : undefined)), [1, 3, 2, 0]);
      const hunks = await children(attempts[1]);
      assert.deepEqual(hunks.map((node) => views.tree.getTreeItem(node).label), ['@@ lines 6–7: +2 −1']);
      assert.equal(views.tree.getParent(hunks[0] as TreeNode), attempts[1]);
      const [kept, , refused, start] = attempts.map((node) => views.tree.getTreeItem(node));
      assert.equal(kept?.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
      assert.equal(kept.description, '18.2 → 6.1 ms, 3.0× · ★ best so far · Use the real pi.');
      assert.equal(typeof kept.tooltip, 'string', 'what a model wrote is never rendered');
      assert.equal(refused?.collapsibleState, vscode.TreeItemCollapsibleState.None);
      assert.equal(start?.label, '#0 start file');
    });

    it('shows a new attempt under its run, with the run as what changed', async () => {
      tellRun();
      await settle();
      await views.view.reveal(views.tree.node(run, 2));
      await settle();
      const node = views.tree.node(run);
      const fired = next(views.tree.onDidChangeTreeData);
      runs.attempt(run, { number: 3, parent: 1 });
      assert.equal(await fired, node);
      assert.deepEqual((await children(node)).slice(0, 2), [{ kind: 'attempt', run, attempt: 1 }, { kind: 'attempt', run, attempt: 3 }]);
    });

    describe('with 200 attempts and 40 changes a second (U02)', () => {
      const inFlight = [191, 192, 193, 194, 195, 196, 197, 198, 199, 200];

      beforeEach(async () => {
        runs.begin(run, root, BASE, 1, { target: 'f.py' });
        for (let number = 1; number <= 190; number++) runs.attempt(run, { number, verdict: 'discarded', score: 1, text: BETTER });
        for (const number of inFlight) runs.attempt(run, { number, text: LATER });
        await settle();
        await views.view.reveal(views.tree.node(run, 200), { expand: true });
        await settle();
      });

      /** Changes attempts in flight 40 times a second, for five seconds; on a busy machine for longer, until it is `enough`. */
      async function storm(enough: () => boolean = () => true): Promise<void> {
        const startedMs = performance.now();
        for (let event = 0; event < 200 || !enough(); event++) {
          const attempt = inFlight[event % inFlight.length] ?? 0;
          runs.activity({ run, doing: 'running', attempt, note: `step ${event}` });
          await delay(Math.max(0, startedMs + (event + 1) * 25 - performance.now()));
        }
      }

      it('redraws the changed attempts alone, at most five times a second, and keeps what is expanded and selected', async () => {
        const selected = views.tree.node(run, 195);
        await views.view.reveal(selected, { select: true });
        await settle();
        const collapsed: unknown[] = [];
        const fires: { readonly ms: number; readonly what: unknown }[] = [];
        const listening = [
          views.view.onDidCollapseElement(({ element }) => collapsed.push(element)),
          views.tree.onDidChangeTreeData((what) => fires.push({ ms: performance.now(), what })),
        ];
        try {
          // A row follows what its attempt does.
          await storm(() => fires.length >= 15);
        } finally {
          for (const listener of listening) listener.dispose();
        }
        for (const [i, { ms }] of fires.entries()) assert.ok((fires[i + 5]?.ms ?? Infinity) - ms >= 1000, 'no more than five in any second');
        for (const { what } of fires)
          for (const node of Array.isArray(what) ? what as TreeNode[] : [what as TreeNode]) assert.ok(node?.kind === 'attempt' && inFlight.includes(node.attempt), JSON.stringify(node));
        assert.deepEqual(views.view.selection, [selected]);
        assert.deepEqual(collapsed, []);
      });

      it('does nothing while it is hidden, and catches up once when it shows again', async () => {
        const hidden = next(views.view.onDidChangeVisibility, ({ visible }) => !visible);
        await vscode.commands.executeCommand('workbench.view.explorer');
        await hidden;
        const fires: unknown[] = [];
        const listening = views.tree.onDidChangeTreeData((what) => fires.push(what));
        try {
          await storm();
          assert.deepEqual(fires, []);
          const caughtUp = next(views.tree.onDidChangeTreeData);
          await vscode.commands.executeCommand('ratchet.runs.focus');
          await caughtUp;
          // A new row makes the next redraw, so that nothing can have come between.
          const nextOne = next(views.tree.onDidChangeTreeData);
          runs.attempt(run, { number: 201 });
          await nextOne;
          assert.deepEqual(fires, [views.tree.node(run, 200), views.tree.node(run)], 'the one row that says something new, and the list of the new one');
        } finally {
          listening.dispose();
        }
      });
    });
  });

  describe('the inline diff', () => {
    it("is one read-only column in the file's language, with the first change in sight", async () => {
      const filler = Array.from({ length: 200 }, (_, i) => `x${i} = ${i}`).join('\n');
      runs.begin(run, root, `${filler}\n${BASE}`, 18.2, { target: 'f.py' });
      runs.attempt(run, { number: 1, verdict: 'kept', score: 20, text: `${filler}\n${BETTER}` });
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, views.tree.node(run, 1));
      const editor = await editorOf((uri) => isOf('inline', uri));
      assert.equal(editor.document.getText(), `${filler}\nimport math\n\ndef area(r):\n    pi = 3.14\n    return pi * r * r\n    return math.pi * r * r\n\nprint(area(2))\n`);
      assert.equal(editor.document.languageId, 'python');
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'f.py #1 (inline)');
      assert.equal(editor.selection.active.line, 203);
      assert.ok(editor.visibleRanges.some((range) => range.contains(new vscode.Position(203, 0))));
      assert.equal(vscode.workspace.fs.isWritableFileSystem(DOCUMENT_SCHEME), false);
      const before = editor.document.getText();
      await vscode.commands.executeCommand('type', { text: 'x' });
      assert.equal(editor.document.getText(), before);
      assert.equal(editor.document.isDirty, false);
    });

    it('opens at the place of a hunk', async () => {
      const far = Array.from({ length: 50 }, (_, i) => `x${i} = ${i}\n`).join('');
      runs.begin(run, root, BASE + far + BASE, 1, { target: 'f.py' });
      runs.attempt(run, { number: 1, verdict: 'kept', score: 2, text: BETTER + far + BETTER });
      const hunks = await children(views.tree.node(run, 1));
      assert.equal(hunks.length, 2);
      const item = views.tree.getTreeItem(hunks[1] as TreeNode);
      await vscode.commands.executeCommand(item.command?.command ?? '', ...item.command?.arguments as unknown[] ?? []);
      // The row keeps the focus.
      const editor = vscode.window.visibleTextEditors.find(({ document }) => isOf('inline', document.uri));
      assert.equal(editor?.selection.active.line, 7 + 1 + 50 + 3);
    });

    it('of an attempt that was refused is its reply, with the reason on top', async () => {
      tellRun();
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, views.tree.node(run, 2));
      const { document } = await editorOf(({ query }) => query.startsWith('reply'));
      assert.match(document.getText(), /^Attempt 2: edit refused\nThe text to replace stands nowhere in the file\.\n[^]*reply 2\n[^]*request 2\n$/);
      assert.equal(document.languageId, 'plaintext');
    });

    it('of a megabyte opens', async () => {
      const lines = Array.from({ length: 30_000 }, (_, i) => `    value_${i} = compute(${i}, "x")`);
      runs.begin(run, root, lines.join('\n'), 1, { target: 'f.py' });
      runs.attempt(run, { number: 1, verdict: 'kept', score: 2, text: lines.map((line, i) => (i % 100 === 50 ? `${line}  # changed` : line)).join('\n') });
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, views.tree.node(run, 1));
      const { document } = await editorOf((uri) => isOf('inline', uri));
      assert.equal(document.lineCount, 30_300);
    });
  });

  describe('side by side', () => {
    const diffTab = (): vscode.TabInputTextDiff => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff);
      return input;
    };

    it('shows each attempt against its own parent, whatever happens meanwhile (U04)', async () => {
      runs.begin(run, root, BASE, 1, { target: 'f.py' });
      for (let number = 1; number <= 11; number++) runs.attempt(run, { number, parent: number - 1, verdict: 'kept', score: 1 + number, text: `${BASE}# ${number}\n` });
      runs.attempt(run, { number: 12, parent: 11, text: `${BASE}# 12\n` });
      const opened = vscode.commands.executeCommand(COMMANDS.openSideBySide, views.tree.node(run, 12));
      runs.tell(run, measured(12, 20, { output: runs.keep('score: 20\n') }));
      runs.tell(run, { type: 'judged', attempt: 12, verdict: 'kept', evidence: { reason: 'Better.', score: 20, parentScore: 12 } });
      runs.activity({ run, doing: 'running', attempt: 12, note: 'a note' });
      runs.attempt(run, { number: 13, parent: 12, verdict: 'discarded', score: 3, text: `${BASE}# 13\n` });
      await opened;
      const twelve = diffTab();
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'f.py: #11 ↔ #12');
      assert.deepEqual([await textAt(twelve.original), await textAt(twelve.modified)], [`${BASE}# 11\n`, `${BASE}# 12\n`]);
      await vscode.commands.executeCommand(COMMANDS.openSideBySide, views.tree.node(run, 13));
      const thirteen = diffTab();
      assert.deepEqual([await textAt(thirteen.original), await textAt(thirteen.modified)], [`${BASE}# 12\n`, `${BASE}# 13\n`]);
      assert.notEqual(thirteen.modified.toString(), twelve.modified.toString());
      assert.equal(thirteen.original.query, blobOf(`${BASE}# 12\n`), 'an address names its text');
    });

    it('is one click away from the inline diff, and back', async () => {
      tellRun();
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, { run, attempt: 1 });
      const { document } = await editorOf((uri) => isOf('inline', uri));
      await vscode.commands.executeCommand(COMMANDS.openSideBySide, document.uri);
      assert.equal(await textAt(diffTab().modified), BETTER);
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, diffTab().modified);
      await editorOf((uri) => isOf('inline', uri));
    });

    it('has a line above each change of an inline diff that leads to it', async () => {
      tellRun();
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, { run, attempt: 1 });
      const { document } = await editorOf((uri) => isOf('inline', uri));
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
      assert.deepEqual(lenses.map(({ command, range }) => [command?.title, range.start.line]), [['line 4: +1 −2', 3]]);
      const command = lenses[0]?.command;
      await vscode.commands.executeCommand(command?.command ?? '', ...command?.arguments as unknown[] ?? []);
      assert.equal(await textAt(diffTab().original), BASE);
    });
  });

  describe('the best so far', () => {
    let file: vscode.Uri;

    beforeEach(async () => {
      file = vscode.Uri.joinPath(vscode.Uri.file(root), 'f.py');
      await vscode.workspace.fs.writeFile(file, Buffer.from(BASE));
      tellRun();
    });

    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(file);
    });

    it('opens inline against the file as it is now, with what is not saved', async () => {
      const mine = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
      await mine.edit((builder) => builder.insert(new vscode.Position(0, 0), '# mine\n'));
      await vscode.commands.executeCommand(COMMANDS.openBest, views.tree.node(run));
      const first = await editorOf((uri) => isOf('inline', uri));
      assert.match(first.document.getText(), /^# mine\nimport math\n/);
      assert.equal(first.document.languageId, 'python');
      await vscode.window.showTextDocument(mine.document);
      await vscode.commands.executeCommand('undo');
      await vscode.commands.executeCommand(COMMANDS.openBest);
      const second = await editorOf((uri) => isOf('inline', uri) && uri.toString() !== first.document.uri.toString());
      assert.match(second.document.getText(), /^import math\n/);
    });

    it('is the best one, whichever attempt is looked at', async () => {
      await vscode.commands.executeCommand(COMMANDS.showReply, views.tree.node(run, 2));
      await editorOf(({ query }) => query.startsWith('reply'));
      await vscode.commands.executeCommand(COMMANDS.openBest);
      const { document } = await editorOf((uri) => isOf('inline', uri));
      assert.match(document.uri.path, /\/1\/f\.py best so far #1 \(inline\)$/);
    });

    it('opens side by side with the file itself, and from there inline', async () => {
      await vscode.commands.executeCommand(COMMANDS.openBestSideBySide, views.tree.node(run));
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      assert.ok(input instanceof vscode.TabInputTextDiff);
      assert.equal(input.original.toString(), file.toString());
      assert.equal(await textAt(input.modified), BETTER);
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, input.modified);
      const { document } = await editorOf((uri) => isOf('inline', uri));
      assert.match(document.uri.query, /^file:/);
    });
  });

  it("read their texts right, whatever encoding a person's own files have", async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      runs.begin(run, root, '# naïve — ü\n', 1, { target: 'f.py' });
      await vscode.commands.executeCommand(COMMANDS.openInlineDiff, views.tree.node(run, 0));
      assert.equal((await editorOf((uri) => isOf('text', uri))).document.getText(), '# naïve — ü\n');
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('show what the scorer printed, and never another text at the same address', async () => {
    tellRun();
    runs.attempt(run, { number: 3, parent: 1, text: LATER, score: 5, output: 'first\n' });
    await vscode.commands.executeCommand(COMMANDS.showOutput, views.tree.node(run, 3));
    const first = (await editorOf(({ query }) => query === 'output:1')).document;
    const before = first.getText();
    assert.match(before, /\nfirst\n$/);
    runs.tell(run, measured(3, 5, { output: runs.keep('second\n') }));
    await vscode.commands.executeCommand(COMMANDS.showOutput, views.tree.node(run, 3));
    assert.match((await editorOf(({ query }) => query === 'output:2')).document.getText(), /\nfirst\n[^]*\nsecond\n$/);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(first.uri)).toString().replace('\ufeff', ''), before);
  });
});
