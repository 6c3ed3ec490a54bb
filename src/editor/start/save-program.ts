import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { l10n, Range, workspace, WorkspaceEdit } from 'vscode';
import type { Choices } from '../../loop/options.ts';
import { saveChoices } from '../../loop/program-save.ts';
import { Refusal } from '../errors.ts';
import { openDocumentOf } from './target.ts';

/**
 * Writes choices into a program (absolute path), which is made where there is none. One that is open is edited, which can
 * be undone, and saved. Throws Refusal where it has mistakes or text that the person hasn't saved.
 */
export async function saveProgram(path: string, choices: Choices): Promise<void> {
  const document = await openDocumentOf(path);
  if (document?.isDirty === true) throw new Refusal(l10n.t('{0} has text that is not saved. Save it first.', basename(path)));
  const before = document?.getText() ?? (await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Refusal(l10n.t('{0} can not be read ({1}).', path, error.code ?? String(error)));
  }));
  const after = saveChoices(before, choices);
  if (after === undefined) throw new Refusal(l10n.t('The front matter of {0} has a mistake. Mend it first.', basename(path)));
  if (document === undefined) {
    await writeFile(path, after).catch((error: NodeJS.ErrnoException) => {
      throw new Refusal(l10n.t('{0} can not be written ({1}).', path, error.code ?? String(error)));
    });
    return;
  }
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(document.positionAt(0), document.positionAt(before.length)), after);
  if (!(await workspace.applyEdit(edit)) || !(await document.save())) throw new Refusal(l10n.t('{0} could not be saved.', path));
}
