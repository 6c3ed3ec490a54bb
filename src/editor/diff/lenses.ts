import { CodeLens, l10n, languages, Range, type CodeLensProvider, type Disposable, type TextDocument } from 'vscode';
import { COMMANDS, DOCUMENT_SCHEME } from '../../contributions.ts';
import { addressOf } from '../documents.ts';
import { attemptOf } from '../../loop/ledger.ts';
import { casesText, hunkText } from '../tree/rows.ts';
import { sidesOf } from './decorations.ts';
import { hunksOf } from './inline.ts';
import type { Texts } from './texts.ts';

/** A line above each change of an inline diff: where it stands in the file, and the way to the same place side by side. */
export function registerLenses(texts: Texts): Disposable {
  const provider: CodeLensProvider = {
    async provideCodeLenses({ uri }: TextDocument) {
      const address = addressOf(uri);
      const sides = sidesOf(address);
      if (address === undefined || sides === undefined) return [];
      const { run, attempt, content } = address;
      const cases = await casesLine(texts, run, attempt);
      const heads = cases === '' ? [] : [new CodeLens(new Range(0, 0, 0, 0), { title: cases, command: '' })];
      return [...heads, ...hunksOf(await texts.inline(run, sides.parent, sides.candidate)).map((hunk, index) => new CodeLens(new Range(hunk.line, 0, hunk.line, 0), {
        title: hunkText(hunk, l10n),
        tooltip: l10n.t('Open side by side'),
        command: content.kind === 'inline' ? COMMANDS.openSideBySide : COMMANDS.openBestSideBySide,
        arguments: [{ run, attempt, hunk: index }],
      }))];
    },
  };
  return languages.registerCodeLensProvider({ scheme: DOCUMENT_SCHEME }, provider);
}

/** What stands above the whole diff: the cases that the attempt made better and worse. */
async function casesLine(texts: Texts, run: string, attempt: number): Promise<string> {
  const state = await texts.known(run, (view) => view.state);
  const found = attemptOf(state, attempt);
  return found === undefined ? '' : casesText(state, found, l10n).replaceAll('\n', ' · ');
}
