import { commands, Disposable, l10n, languages, Range, window, workspace, type LogOutputChannel, type TextDocumentShowOptions, type Uri } from 'vscode';
import { COMMANDS, type CommandId } from '../../contributions.ts';
import { allRuns, attemptOf, textOf, type AttemptState, type RunState } from '../../loop/ledger.ts';
import type { BlobId } from '../../records.ts';
import { documentUri } from '../documents.ts';
import { Refusal, tell } from '../errors.ts';
import type { RunSource, RunView } from '../run-source.ts';
import { nameOf } from '../tree/rows.ts';
import type { Content } from './address.ts';
import { readSubject, type Subject } from './argument.ts';
import { hunksOf, type Hunk } from './inline.ts';
import { fileName, languageFor, targetUri } from './target.ts';
import type { Texts } from './texts.ts';

const BOM = '\ufeff';

/** An attempt that a command is about. */
interface Place {
  readonly view: RunView;
  readonly state: RunState;
  readonly attempt: AttemptState;
  readonly subject: Subject;
}

/** The commands that show attempts. Each takes a row, a document of ours, or nothing: then the active document counts. */
export function registerOpeners(runs: RunSource, texts: Texts, log: LogOutputChannel): Disposable {
  const openers = new Openers(runs, texts);
  const register = (command: CommandId, act: (subject: Subject | undefined) => Promise<void>): Disposable =>
    commands.registerCommand(command, async (argument: unknown) => {
      try {
        await act(readSubject(argument) ?? readSubject(window.activeTextEditor?.document.uri));
      } catch (error) {
        void tell(error, log);
      }
    });
  return Disposable.from(
    register(COMMANDS.openInlineDiff, (subject) => openers.inline(openers.place(subject))),
    register(COMMANDS.openSideBySide, (subject) => openers.sideBySide(openers.place(subject))),
    register(COMMANDS.openBest, (subject) => openers.bestInline(openers.best(subject))),
    register(COMMANDS.openBestSideBySide, (subject) => openers.bestSideBySide(openers.best(subject))),
    register(COMMANDS.showOutput, (subject) => openers.output(openers.place(subject))),
    register(COMMANDS.showReply, (subject) => openers.reply(openers.place(subject))),
  );
}

class Openers {
  private readonly runs: RunSource;
  private readonly texts: Texts;

  constructor(runs: RunSource, texts: Texts) {
    this.runs = runs;
    this.texts = texts;
  }

  /** The attempt that is meant; the best so far where only its run is named. */
  place(subject: Subject | undefined): Place {
    const view = subject === undefined ? this.likelyRun() : this.runs.view(subject.run);
    const state = view?.state;
    if (view === undefined || state === undefined) throw new Refusal(view?.problem ?? l10n.t('There is no such run in this window. Open the folder that it belongs to.'));
    const number = subject?.attempt ?? state.champion;
    const attempt = attemptOf(state, number);
    if (attempt === undefined) throw new Refusal(l10n.t('This run has no attempt {0} yet.', number));
    return { view, state, attempt, subject: subject ?? { run: state.id } };
  }

  /** The best attempt of the run that is meant, whichever of its documents is looked at; something must be better than the start file. */
  best(subject: Subject | undefined): Place {
    const place = this.place(subject?.content === undefined ? subject : { run: subject.run });
    if (place.attempt.number === 0) throw new Refusal(l10n.t('Nothing is better than the start file yet, so there is nothing to compare.'));
    return place;
  }

  async inline(place: Place): Promise<void> {
    const { state, attempt, subject } = place;
    if (subject.content?.kind === 'file-text') return this.bestInline(place);
    const { candidate, reply } = attempt;
    if (attempt.number === 0) return this.show(place, fileName(state), { kind: 'text', blob: state.baseline });
    // What could not be applied has no text of its own: why, and what came, are all there is.
    if (candidate === undefined && reply !== undefined) return this.reply(place);
    if (candidate === undefined) return say(l10n.t('Attempt {0} has no change to show.', attempt.number));
    const parent = textOf(state, attempt.parent ?? 0);
    await this.showInline(place, l10n.t('{0} #{1} (inline)', fileName(state), attempt.number), { kind: 'inline', parent, candidate });
  }

  async sideBySide(place: Place): Promise<void> {
    const { state, attempt, subject } = place;
    if (subject.content?.kind === 'file-inline') return this.bestSideBySide(place);
    const { candidate, number } = attempt;
    const parent = attempt.parent ?? 0;
    if (candidate === undefined || number === 0) return this.inline(place);
    const before = textOf(state, parent);
    const name = fileName(state);
    const left = documentUri({ run: state.id, attempt: parent, name, content: { kind: 'text', blob: before } });
    const right = documentUri({ run: state.id, attempt: number, name, content: { kind: 'text', blob: candidate } });
    const title = l10n.t('{0}: {1} ↔ #{2}', name, nameOf(parent, l10n), number);
    await this.compare(left, right, title, subject, await this.hunk(subject, before, candidate));
  }

  /** The person's file, with what isn't saved, against the best so far, in one column. */
  async bestInline(place: Place): Promise<void> {
    const { state, attempt } = place;
    const candidate = textOf(state, attempt.number);
    const parent = await this.snapshot(place, candidate);
    await this.showInline(place, l10n.t('{0} best so far #{1} (inline)', fileName(state), attempt.number), { kind: 'file-inline', parent, candidate });
  }

  async bestSideBySide(place: Place): Promise<void> {
    const { state, attempt, subject } = place;
    const candidate = textOf(state, attempt.number);
    const parent = await this.snapshot(place, candidate);
    const right = documentUri({ run: state.id, attempt: attempt.number, name: fileName(state), content: { kind: 'file-text', blob: candidate } });
    const title = l10n.t('{0}: your file ↔ #{1}, best so far', fileName(state), attempt.number);
    await this.compare(targetUri(place.view, state), right, title, subject, await this.hunk(subject, parent, candidate));
  }

  async output(place: Place): Promise<void> {
    const { attempt, state } = place;
    const count = allRuns(attempt).length;
    if (count === 0) return say(l10n.t('The scorer has printed nothing for attempt {0}.', attempt.number));
    await this.show(place, l10n.t('{0} #{1} output.txt', fileName(state), attempt.number), { kind: 'output', count });
  }

  async reply(place: Place): Promise<void> {
    const { attempt, state } = place;
    if (attempt.reply === undefined) return say(l10n.t('There is no reply for attempt {0}.', attempt.number));
    await this.show(place, l10n.t('{0} #{1} reply.txt', fileName(state), attempt.number), { kind: 'reply', judged: attempt.verdict !== undefined });
  }

  /** The newest run on the file that is looked at, else the newest. */
  private likelyRun(): RunView | undefined {
    const path = window.activeTextEditor?.document.uri.fsPath;
    return this.runs.runs.find((view) => view.state !== undefined && targetUri(view, view.state).fsPath === path) ?? this.runs.runs[0];
  }

  private async snapshot({ view, state }: Place, candidate: BlobId): Promise<BlobId> {
    const document = await Promise.resolve(workspace.openTextDocument(targetUri(view, state))).catch(() => {
      throw new Refusal(l10n.t('{0} is gone or can\'t be read. Bring it back to compare it with the best so far.', state.plan.target));
    });
    // An editor leaves the byte-order mark out of its texts.
    const mark = (await this.texts.text(state.id, candidate)).startsWith(BOM) ? BOM : '';
    return this.texts.snapshot(mark + document.getText());
  }

  private async showInline(place: Place, name: string, content: Extract<Content, { readonly parent: BlobId }>): Promise<void> {
    const { view, state, attempt, subject } = place;
    const hunks = hunksOf(await this.texts.inline(state.id, content.parent, content.candidate));
    const language = await languageFor(targetUri(view, state), { run: state.id, attempt: attempt.number, name: fileName(state), content: { kind: 'text', blob: content.candidate } });
    await this.show(place, name, content, language, hunks[subject.hunk ?? 0]?.line ?? 0);
  }

  private async show({ state, attempt, subject }: Place, name: string, content: Content, language?: string, line = 0): Promise<void> {
    const document = await workspace.openTextDocument(documentUri({ run: state.id, attempt: attempt.number, name, content }));
    if (language !== undefined && document.languageId !== language) await languages.setTextDocumentLanguage(document, language);
    await window.showTextDocument(document, { ...showOptions(subject), selection: lineRange(line) });
  }

  private async hunk(subject: Subject, parent: BlobId, candidate: BlobId): Promise<Hunk | undefined> {
    return hunksOf(await this.texts.inline(subject.run, parent, candidate))[subject.hunk ?? 0];
  }

  private async compare(left: Uri, right: Uri, title: string, subject: Subject, hunk: Hunk | undefined): Promise<void> {
    await commands.executeCommand('vscode.diff', left, right, title, { ...showOptions(subject), selection: lineRange((hunk?.candidateLine ?? 1) - 1) });
  }
}

function showOptions({ preserveFocus }: Subject): TextDocumentShowOptions {
  return { preview: true, ...(preserveFocus === true ? { preserveFocus } : {}) };
}

function lineRange(line: number): Range {
  return new Range(line, 0, line, 0);
}

/** An answer to a click that has nothing to open: not worth a notice. */
function say(sentence: string): void {
  window.setStatusBarMessage(sentence, 5_000);
}
