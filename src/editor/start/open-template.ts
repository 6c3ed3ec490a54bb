import { access } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { l10n, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { scorerTemplate } from './templates.ts';

/** Opens a scoring script for a target (absolute path) as text that isn't saved yet, under a name that is free beside it. */
export async function openTemplate(target: string): Promise<void> {
  const { name, text } = scorerTemplate(target);
  const ending = extname(name);
  let path = join(dirname(target), name);
  for (let n = 2; await exists(path); n++) path = join(dirname(target), `score-${n}${ending}`);
  const document = await workspace.openTextDocument(Uri.file(path).with({ scheme: 'untitled' }));
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(0), text);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document);
  void window.showInformationMessage(l10n.t('Fill in the scoring script and save it, then choose Autoresearch This File again.'));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}
