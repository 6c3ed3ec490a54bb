import { basename, join } from 'node:path';
import { languages, Uri, workspace, type Disposable, type LogOutputChannel, type TextDocument } from 'vscode';
import type { RunState } from '../../loop/ledger.ts';
import { addressOf, documentUri } from '../documents.ts';
import type { RunView } from '../run-source.ts';
import type { Address } from './address.ts';
import { sidesOf } from './decorations.ts';
import type { Texts } from './texts.ts';

/** The person's own file. */
export function targetUri({ root }: Pick<RunView, 'root'>, state: RunState): Uri {
  return Uri.file(join(root, state.plan.target));
}

export function fileName(state: RunState): string {
  return basename(state.plan.target);
}

/** The language that the person's own file is shown in, else the one that its name and first line call for. `text`: the file's name and a text of it. */
export async function languageFor(target: Uri, text: Address): Promise<string> {
  const open = workspace.textDocuments.find(({ uri }) => uri.toString() === target.toString());
  return (open ?? (await workspace.openTextDocument(documentUri(text)))).languageId;
}

/** Gives inline diffs their file's language where the editor brings them back by itself, after a reload. */
export function registerLanguages(texts: Texts, log: LogOutputChannel): Disposable {
  // Once: after that, a person's own choice of a language stands.
  const seen = new Set<string>();
  const restore = async (document: TextDocument): Promise<void> => {
    const address = addressOf(document.uri);
    const sides = sidesOf(address);
    if (address === undefined || sides === undefined || seen.has(document.uri.toString())) return;
    seen.add(document.uri.toString());
    const { run, attempt } = address;
    const { view, state } = await texts.known(run, (known) => (known.state === undefined ? undefined : { view: known, state: known.state }));
    const language = await languageFor(targetUri(view, state), { run, attempt, name: fileName(state), content: { kind: 'text', blob: sides.candidate } });
    if (!document.isClosed && document.languageId !== language) await languages.setTextDocumentLanguage(document, language);
  };
  const begin = (document: TextDocument): void => {
    restore(document).catch((error: unknown) => log.warn(`[diff] the language of ${document.uri.path}: ${String(error)}`));
  };
  workspace.textDocuments.forEach(begin);
  return workspace.onDidOpenTextDocument(begin);
}
