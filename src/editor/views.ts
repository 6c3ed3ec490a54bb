import { Disposable, EventEmitter, l10n, window, type Event, type ExtensionContext, type LogOutputChannel, type TreeView } from 'vscode';
import { VIEWS } from '../contributions.ts';
import { registerDecorations } from './diff/decorations.ts';
import { registerLenses } from './diff/lenses.ts';
import { registerOpeners } from './diff/open.ts';
import { registerLanguages } from './diff/target.ts';
import { Texts } from './diff/texts.ts';
import { registerDocuments } from './documents.ts';
import type { RunSource } from './run-source.ts';
import type { TreeNode } from './tree/nodes.ts';
import { RunsTree } from './tree/provider.ts';

/** The tree of runs, the documents and the diffs. */
export interface Views extends Disposable {
  readonly tree: RunsTree;
  readonly view: TreeView<TreeNode>;
  readonly texts: Texts;
  /** A document of a run that isn't known yet is asked for, as after a reload: it is time to read the history. */
  readonly onDidMissRun: Event<void>;
}

/** Registers the view, the commands that show attempts, and what they show. */
export function registerViews(context: Pick<ExtensionContext, 'extensionUri'>, runs: RunSource, log: LogOutputChannel): Views {
  const missing = new EventEmitter<void>();
  const texts = new Texts(runs, l10n, () => missing.fire());
  const tree = new RunsTree(runs, texts, log, l10n);
  const view = window.createTreeView(VIEWS.runs, { treeDataProvider: tree, showCollapseAll: true });
  tree.setVisible(view.visible);
  const parts = Disposable.from(
    view.onDidChangeVisibility(({ visible }) => tree.setVisible(visible)),
    view,
    tree,
    missing,
    registerDocuments(texts),
    registerDecorations(context.extensionUri, texts, log),
    registerLenses(texts),
    registerLanguages(texts, log),
    registerOpeners(runs, texts, log),
  );
  return { tree, view, texts, onDidMissRun: missing.event, dispose: () => { parts.dispose(); } };
}
