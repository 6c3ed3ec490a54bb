import {
  DecorationRangeBehavior, Disposable, l10n, OverviewRulerLane, Range, ThemeColor, Uri, window,
  type DecorationOptions, type DecorationRenderOptions, type LogOutputChannel, type TextEditor,
} from 'vscode';
import { addressOf } from '../documents.ts';
import type { Address } from './address.ts';
import type { Block, Inline } from './inline.ts';
import type { Texts } from './texts.ts';

/** The two texts of an inline diff; undefined where the address shows something else. */
export function sidesOf(address: Address | undefined): { readonly parent: string; readonly candidate: string } | undefined {
  const content = address?.content;
  return content?.kind === 'inline' || content?.kind === 'file-inline' ? content : undefined;
}

/** Marks the added and the removed lines of every inline diff, whenever an editor shows one. */
export function registerDecorations(extension: Uri, texts: Texts, log: LogOutputChannel): Disposable {
  const added = window.createTextEditorDecorationType(look(extension, 'added', { line: 'diffEditor.insertedLineBackground', ruler: 'editorOverviewRuler.addedForeground' }));
  const removed = window.createTextEditorDecorationType({ ...look(extension, 'removed', { line: 'diffEditor.removedLineBackground', ruler: 'editorOverviewRuler.deletedForeground' }), textDecoration: 'line-through' });

  const mark = async (editor: TextEditor): Promise<void> => {
    const address = addressOf(editor.document.uri);
    const sides = sidesOf(address);
    if (address === undefined || sides === undefined) return;
    const inline = await texts.inline(address.run, sides.parent, sides.candidate);
    editor.setDecorations(added, options(editor, inline, 'added'));
    editor.setDecorations(removed, options(editor, inline, 'removed'));
  };
  const markAll = (editors: readonly TextEditor[]): void => {
    for (const editor of editors) mark(editor).catch((error: unknown) => log.warn(`[diff] marks of ${editor.document.uri.path}: ${String(error)}`));
  };
  markAll(window.visibleTextEditors);
  return Disposable.from(added, removed, window.onDidChangeVisibleTextEditors(markAll));
}

/** The colours are those of the editor's own diff; a sign in the gutter says the same without colour. */
function look(extension: Uri, icon: string, colours: { readonly line: string; readonly ruler: string }): DecorationRenderOptions {
  const gutter = (theme: string): DecorationRenderOptions => ({ gutterIconPath: Uri.joinPath(extension, 'media', 'diff', `${icon}-${theme}.svg`) });
  return {
    isWholeLine: true,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    backgroundColor: new ThemeColor(colours.line),
    overviewRulerColor: new ThemeColor(colours.ruler),
    overviewRulerLane: OverviewRulerLane.Full,
    light: gutter('light'),
    dark: gutter('dark'),
  };
}

function options({ document }: TextEditor, { blocks }: Inline, kind: 'added' | 'removed'): DecorationOptions[] {
  return blocks.filter((block) => block.kind === kind).map((block) => ({
    range: document.validateRange(new Range(block.line, 0, block.line + block.count - 1, Infinity)),
    hoverMessage: hover(block),
  }));
}

/** The numbers beside the lines count both texts together; this says where the lines really stand. */
function hover({ kind, count, parentLine, candidateLine }: Block): string {
  const first = kind === 'removed' ? parentLine : candidateLine;
  const last = first + count - 1;
  if (kind === 'removed') return first === last ? l10n.t('Removed: line {0} of the text before', first) : l10n.t('Removed: lines {0}–{1} of the text before', first, last);
  return first === last ? l10n.t('Added: line {0} of the text after', first) : l10n.t('Added: lines {0}–{1} of the text after', first, last);
}
