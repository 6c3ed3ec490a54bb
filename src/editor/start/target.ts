import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { l10n, window, workspace, type TextDocument, type Uri } from 'vscode';
import { DOCUMENT_SCHEME } from '../../contributions.ts';
import { rootOf } from '../../wire/root.ts';
import { Refusal } from '../errors.ts';

/** The file that a run would improve. */
export interface Target {
  readonly uri: Uri;
  /** Absolute, without links. */
  readonly path: string;
  readonly name: string;
  readonly root: string;
}

/** The file that a command was given, else the one in the active editor. Throws Refusal where it can't be a target. */
export async function findTarget(given: Uri | undefined): Promise<Target> {
  const uri = given ?? window.activeTextEditor?.document.uri;
  if (uri === undefined) throw new Refusal(l10n.t('Open the file that should improve, or choose it in the explorer, and start again.'));
  if (uri.scheme === 'untitled') throw new Refusal(l10n.t('This text has no file yet. Save it, and start again.'));
  if (uri.scheme === DOCUMENT_SCHEME) throw new Refusal(l10n.t('This page shows what a run made of a file. Open the file itself, and start again.'));
  if (uri.scheme !== 'file') throw new Refusal(l10n.t('Only a file on disk can be improved, and this is one of "{0}".', uri.scheme));
  const name = basename(uri.fsPath);
  const path = await realpath(uri.fsPath).catch(() => {
    throw new Refusal(l10n.t('{0} is not there any more. Choose another file, or bring it back.', name));
  });
  await access(path, constants.W_OK).catch(() => {
    throw new Refusal(l10n.t('{0} is read-only, so nothing could be accepted into it. Make it writable, and start again.', name));
  });
  const folder = workspace.getWorkspaceFolder(uri);
  const folderPath = folder === undefined ? undefined : await realpath(folder.uri.fsPath);
  return { uri, path, name, root: await rootOf(path, 'file', folderPath) };
}

/** The document that holds a file (absolute, without links), whatever name it was opened under. */
export async function openDocumentOf(path: string): Promise<TextDocument | undefined> {
  for (const document of workspace.textDocuments) {
    if (document.uri.scheme !== 'file' || document.isClosed) continue;
    if (document.uri.fsPath === path || (await realpath(document.uri.fsPath).catch(() => undefined)) === path) return document;
  }
  return undefined;
}

/** Unsaved text of the target, as it would be on disk; undefined where there is none. */
export async function unsavedText({ path, name }: Target): Promise<string | undefined> {
  const document = await openDocumentOf(path);
  if (document?.isDirty !== true) return undefined;
  if (!document.encoding.startsWith('utf8'))
    throw new Refusal(l10n.t('{0} is kept as {1}. Only text in UTF-8 can be improved: choose that encoding, and save it.', name, document.encoding));
  return `${markOf(document)}${document.getText()}`;
}

/** The byte-order mark that a document's file has; the document's text never holds it. */
export function markOf(document: TextDocument): string {
  return document.encoding === 'utf8bom' ? '\uFEFF' : '';
}
