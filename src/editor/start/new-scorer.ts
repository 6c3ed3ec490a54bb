import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { l10n, Position, Selection, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { languagesFor, scriptLanguageOf, type ScorerKind, type ScriptLanguage } from '../../loop/new-scorer/names.ts';
import { METHOD_NOT_FOUND, type ScorerDraft } from '../../protocol.ts';
import { engineEnvironment } from '../../wire/environment.ts';
import type { Engines } from '../connection.ts';
import type { Choice, Dialogs } from '../dialogs.ts';
import { Refusal } from '../errors.ts';
import { requireTrust } from '../trust.ts';
import { findTarget, unsavedText, type Target } from './target.ts';
import { messages } from '../messages.ts';

/** What making a script works with. */
interface Deps {
  readonly engines: Engines;
  readonly dialogs: Dialogs;
}

/** New Scoring Script: for the file that was given, else the one in the active editor. */
export async function newScoringScript(deps: Deps, given: Uri | undefined): Promise<void> {
  requireTrust();
  await scriptFor(deps, await findTarget(given));
}

/** Asks what to measure and in which language, and opens the script as text that isn't saved yet. */
export async function scriptFor({ engines, dialogs }: Deps, target: Target): Promise<void> {
  const title = l10n.t('New Scoring Script for {0}', target.name);
  const kind = await dialogs.pick(kindRows(), { title, placeholder: l10n.t('What do you want to measure?') });
  if (kind === undefined) return;
  const language = await askLanguage(dialogs, title, languagesFor(kind, target.path), scriptLanguageOf(target.path));
  if (language === 'left') return;
  const compare = kind === 'function' ? await askComparison(dialogs, title, target) : false;
  if (compare === undefined) return;
  const text = await unsavedText(target);
  const link = await engines.of(target.root).open();
  const draft = await link.request('ratchet/new-scorer', {
    target: target.path, kind, compare, env: engineEnvironment(process.env), ...(language === undefined ? {} : { language }), ...(text === undefined ? {} : { text }),
  }).catch((error: unknown) => {
    // A run of an older version keeps its engine until it ends.
    if ((error as { readonly code?: unknown }).code !== METHOD_NOT_FOUND) throw error;
    throw new Refusal(l10n.t('A run of an older Ratchet is going on here, and its engine knows no scoring scripts. Try again when the run has ended.'));
  });
  await open(draft);
}

function kindRows(): readonly Choice<ScorerKind>[] {
  const row = (icon: string, label: string, description: string, value: ScorerKind): Choice<ScorerKind> => ({ label: `$(${icon}) ${label}`, description, value });
  return [
    row('checklist', l10n.t('Cases That You Write Down'), l10n.t('how many a function gets right, 0 to 100'), 'checks'),
    row('beaker', l10n.t('Tests Passed'), l10n.t('of the tests that the project has, 0 to 100'), 'tests'),
    row('zap', l10n.t('Speed of a Function'), l10n.t('against the file as it is now, in turns'), 'function'),
    row('watch', l10n.t('Speed of a Command'), l10n.t('milliseconds, the median of several runs'), 'command'),
    row('pulse', l10n.t('Peak Memory'), l10n.t('the most megabytes that a program holds'), 'memory'),
    row('package', l10n.t('Size'), l10n.t('bytes of a bundle, a binary or the file'), 'size'),
    row('warning', l10n.t('Lint Findings'), l10n.t('how many a linter has'), 'lint'),
    row('law', l10n.t('A Weighted Mix'), l10n.t('several of these in one number, 0 to 100'), 'mix'),
  ];
}

/** Undefined where there is nothing to choose: the engine knows the file's own, or says why none will do. */
async function askLanguage(dialogs: Dialogs, title: string, languages: readonly ScriptLanguage[], own: ScriptLanguage | undefined): Promise<ScriptLanguage | 'left' | undefined> {
  if (languages.length < 2) return undefined;
  const names: Readonly<Record<ScriptLanguage, string>> = { javascript: 'JavaScript', python: 'Python', shell: l10n.t('Shell') };
  const rows = languages.map((language) => ({ label: names[language], description: language === own ? l10n.t('as the file') : '', value: language }));
  return (await dialogs.pick(rows, { title, placeholder: l10n.t('In which language should the script be?') })) ?? 'left';
}

function askComparison(dialogs: Dialogs, title: string, { name }: Target): Promise<boolean | undefined> {
  const rows: readonly Choice<boolean>[] = [
    { label: l10n.t('Against a Copy of {0} as It Is Now', name), description: l10n.t('writes the copy beside it'), detail: l10n.t('Called in turns in one process, so that a busy machine slows both.'), value: true },
    { label: l10n.t('By Itself'), description: l10n.t('milliseconds for a call, no copy'), value: false },
  ];
  return dialogs.pick(rows, { title, placeholder: l10n.t('What is the speed compared with?'), active: true });
}

/** Opens the script at the place where a person edits. Only the copy is written, which the person asked for. */
async function open({ path, text, cursor, metric, copy }: ScorerDraft): Promise<void> {
  const document = await workspace.openTextDocument(Uri.file(path).with({ scheme: 'untitled' }));
  if (document.getText() !== '') throw new Refusal(l10n.t('{0} is open already and not saved yet. Save it or close it, and start again.', basename(path)));
  if (copy !== undefined) await writeNew(copy.path, copy.text);
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(0), text);
  await workspace.applyEdit(edit);
  const at = new Position(cursor.line, cursor.column);
  await window.showTextDocument(document, { selection: new Selection(at, at) });
  const better = metric.direction === 'lower' ? l10n.t('lower is better') : l10n.t('higher is better');
  void messages.info(l10n.t('It prints {0}; {1}. Look it over, save it, and choose Autoresearch This File.', metric.name, better));
}

/** Writes a file that isn't there; one that is stays as it is. */
async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' }).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EEXIST') throw new Refusal(l10n.t('{0} can\'t be written ({1}). Choose to time the function by itself.', path, code ?? l10n.t('unknown reason')));
  });
}
