import { l10n, Position, Range, Selection, TextEditorRevealType, Uri, window, workspace, WorkspaceEdit, type LogOutputChannel, type TextDocument } from 'vscode';
import { VERDICT_WORDS } from '../loop/format.ts';
import { acceptedTexts, attemptOf, textOf, type AttemptState, type RunState } from '../loop/ledger.ts';
import { cleanLine } from '../loop/one-line.ts';
import type { Requests } from '../protocol.ts';
import { landingOf } from '../wire/landing.ts';
import type { Subject } from './diff/argument.ts';
import type { Dialogs } from './dialogs.ts';
import { Refusal } from './errors.ts';
import { acceptInto, type Accepted, type LineEdit } from './merge-edit.ts';
import type { RunView } from './run-source.ts';
import { isActive, type Runs } from './runs.ts';
import { markOf, openDocumentOf } from './start/target.ts';
import { messages } from './messages.ts';

const REASON_CHARS = 200;

export interface AcceptDeps {
  readonly runs: Runs;
  readonly dialogs: Dialogs;
  readonly log: LogOutputChannel;
}

/**
 * Puts the best so far, or the attempt that is named, into the person's file as one edit that can be undone. Never
 * saves. What the person changed meanwhile is merged; where both changed the same place, the person is asked.
 */
export async function accept({ runs, dialogs, log }: AcceptDeps, subject: Subject | undefined): Promise<void> {
  const { view, state } = chooseRun(runs, subject);
  // The start file's own document stands for its run.
  const number = subject?.attempt === undefined || subject.attempt === 0 ? state.champion : subject.attempt;
  const attempt = attemptOf(state, number);
  if (number === 0) throw new Refusal(l10n.t('Nothing was kept in this run so far, so there is nothing to accept.'));
  if (attempt?.candidate === undefined) throw new Refusal(l10n.t('Attempt {0} changed nothing, so there is nothing to accept.', number));
  if (attempt.verdict === 'flagged' && attempt.keptByPerson !== true) throw new Refusal(l10n.t('Attempt {0} is suspicious: {1} Keep it first, by your word, if it is not.', number, attempt.evidence?.reason ?? ''));
  if (attempt.verdict !== 'kept' && attempt.keptByPerson !== true && !(await mayTakeUnkept(dialogs, attempt))) return;
  const [baseline, champion] = await Promise.all([runs.text(view.run, state.baseline), runs.text(view.run, textOf(state, number))]);
  const accepted = await Promise.all(acceptedTexts(state).map((blob) => runs.text(view.run, blob)));

  const document = await documentOf(view, state);
  const merge = (): Accepted => acceptInto(document.getText(), baseline, champion, accepted);
  const first = merge();
  if (first.kind === 'same') {
    void messages.info(l10n.t('{0} holds attempt {1} already.', state.plan.target, number));
    return;
  }
  if (first.kind === 'conflict' && !(await mayPutMarkers(dialogs, state, first.conflicts))) return;
  const editor = await window.showTextDocument(document, { preview: false });
  // The person may have typed while the question was open.
  const last = merge();
  if (last.kind === 'same') return;
  if (last.kind === 'conflict' && first.kind === 'clean') throw changedMeanwhile(state);
  if (!(await workspace.applyEdit(editOf(document, last.edit)))) throw changedMeanwhile(state);
  const place = new Position(last.edit.startLine, 0);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenterIfOutsideViewport);
  log.info(`[accept] attempt ${number} of run ${view.run} is in ${document.uri.fsPath}${last.kind === 'conflict' ? ', with conflict markers' : ''}`);
  // Written down with its markers too: the run's lines are in the file, and how they are solved is the person's own edit.
  await record(runs, { run: view.run, attempt: number, text: markOf(document) + document.getText() }).catch((error: unknown) => {
    throw new Refusal(l10n.t('Attempt {0} is in your file, but that could not be written down: {1}', number, error instanceof Error ? error.message : String(error)));
  });
}

async function record(runs: Runs, accepted: Requests['ratchet/accepted']['params']): Promise<void> {
  const link = await runs.engine(accepted.run).open();
  await link.request('ratchet/accepted', accepted);
}

function chooseRun(runs: Runs, subject: Subject | undefined): { readonly view: RunView; readonly state: RunState } {
  const named = subject === undefined ? undefined : runs.view(subject.run);
  const improved = runs.runs.filter((view) => (view.state?.champion ?? 0) > 0);
  const view = subject === undefined ? (improved.find(isActive) ?? improved[0]) : named;
  if (view?.state === undefined) throw new Refusal(l10n.t('Nothing was kept in any run so far, so there is nothing to accept.'));
  return { view, state: view.state };
}

async function documentOf(view: RunView, state: RunState): Promise<TextDocument> {
  const landing = await landingOf(view.root, state.plan.target);
  if (!landing.ok) throw new Refusal(landing.why);
  return (await openDocumentOf(landing.path)) ?? workspace.openTextDocument(Uri.file(landing.path));
}

/** What wasn't kept is worse, or not known to be better: it is taken only by a person who says so. */
async function mayTakeUnkept(dialogs: Dialogs, { number, verdict, evidence }: AttemptState): Promise<boolean> {
  const why = verdict === undefined ? l10n.t('it is not decided yet') : `${l10n.t(VERDICT_WORDS[verdict])}: ${evidence?.reason ?? ''}`;
  const answer = await dialogs.pick([
    { label: `$(circle-slash) ${l10n.t('Leave the File as It Is')}`, value: false },
    { label: `$(warning) ${l10n.t('Take Attempt {0} All the Same', number)}`, value: true },
  ], { title: l10n.t('Attempt {0} was not kept', number), placeholder: cleanLine(why, REASON_CHARS) });
  return answer === true;
}

async function mayPutMarkers(dialogs: Dialogs, state: RunState, conflicts: number): Promise<boolean> {
  const answer = await dialogs.pick([
    { label: `$(merge) ${l10n.t('Put Both In, with Conflict Markers')}`, detail: l10n.t('Both versions of these places stand in the file, and you choose. One undo takes it back.'), value: true },
    { label: `$(circle-slash) ${l10n.t('Leave the File as It Is')}`, value: false },
  ], {
    title: l10n.t('{0} changed since the run began', state.plan.target),
    placeholder: conflicts === 1 ? l10n.t('In 1 place both you and the run changed the same lines.') : l10n.t('In {0} places both you and the run changed the same lines.', conflicts),
  });
  return answer === true;
}

function editOf(document: TextDocument, { startLine, endLine, endCharacter, text }: LineEdit): WorkspaceEdit {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(startLine, 0, endLine, endCharacter), text);
  return edit;
}

function changedMeanwhile(state: RunState): Refusal {
  return new Refusal(l10n.t('{0} changed at this very moment, so nothing was written. Accept again.', state.plan.target));
}
