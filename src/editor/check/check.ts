import { l10n, ProgressLocation, window, workspace, type LogOutputChannel, type Memento, type Uri } from 'vscode';
import { duration } from '../../loop/stop.ts';
import type { CheckReport } from '../../loop/audit/report.ts';
import { ANY_PROPOSER, METHOD_NOT_FOUND, type CheckAsk, type StartPage } from '../../protocol.ts';
import type { Engines } from '../connection.ts';
import type { EngineLink } from '../connection/link.ts';
import type { Texts } from '../diff/texts.ts';
import type { Choice, Dialogs } from '../dialogs.ts';
import { documentUri } from '../documents.ts';
import { Refusal } from '../errors.ts';
import { askOf, askPage } from '../start/ask.ts';
import { recall } from '../start/memory.ts';
import { findTarget, type Target } from '../start/target.ts';
import { requireTrust } from '../trust.ts';
import { checkPage } from './page.ts';
import { plainMessage } from '../../loop/visible.ts';

/** What a check works with. */
export interface CheckDeps {
  readonly engines: Engines;
  readonly dialogs: Dialogs;
  readonly memory: Memento;
  readonly log: LogOutputChannel;
  readonly texts: Texts;
}

/** Check This File: says what would run, runs it for a while, and opens the report. With what was chosen on the file's start page. */
export async function checkFile(deps: CheckDeps, given: Uri | undefined): Promise<void> {
  requireTrust();
  const target = await findTarget(given);
  const link = await deps.engines.of(target.root).open();
  const ask = await askOf(target, recall(deps.memory, target.path));
  const { page, proposerChosen } = await askPage(link, ask);
  const repeated = page.plan === undefined ? undefined : await askRepeated(deps.dialogs, target, page);
  if (page.plan !== undefined && repeated === undefined) return;
  const report = await runCheck(link, target, {
    ...ask, ...(page.id === undefined ? {} : { seen: page.id }), ...(repeated === undefined ? {} : { repeated }),
    flags: proposerChosen ? ask.flags : { ...ask.flags, proposer: ANY_PROPOSER },
  });
  deps.log.info(`[check] ${report.target}: ${report.verdict}, ${report.runs} runs of ${report.command ?? 'nothing'}`);
  await show(deps.texts, target, report);
}

/** One question and the start in one: nothing runs before the person has seen the command. */
function askRepeated(dialogs: Dialogs, { name }: Target, { command, folder, root, opens = [] }: StartPage): Promise<CheckAsk['repeated']> {
  const rows: readonly Choice<'said' | 'once'>[] = [
    { label: `$(sync) ${l10n.t('Check: This Comes Back')}`, description: l10n.t('often enough to be worth a loop'), detail: l10n.t('Runs {0} in {1}, on the file and on broken copies of it, for up to two minutes or a twentieth of the run.', command ?? '', folder ?? root) + (opens.length === 0 ? '' : ` ${l10n.t('program.md opens its confinement: {0}.', opens.join('; '))}`), value: 'said' },
    { label: `$(circle-outline) ${l10n.t('Check: This Is Done Once')}`, value: 'once' },
  ];
  return dialogs.pick(rows, { title: l10n.t('Check {0}', name), placeholder: l10n.t('Is it loopable? Your file stays as it is.') });
}

async function runCheck(link: EngineLink, target: Target, ask: CheckAsk): Promise<CheckReport> {
  const options = { location: ProgressLocation.Notification, title: plainMessage(l10n.t('Checking {0}', target.name)), cancellable: true };
  return window.withProgress(options, async (progress, token) => {
    const listening = link.on('ratchet/check', ({ doing, what, done, total, spentMs }) => {
      const message = doing === 'queued' ? l10n.t('waiting for another run') : what === undefined ? l10n.t('opening a private view of your files') : `${what} (${l10n.t('{0} of {1}, {2}', done + 1, total, duration(spentMs))})`;
      progress.report({ message: plainMessage(message), ...(total === 0 ? {} : { increment: 100 / total }) });
    });
    try {
      return await link.request('ratchet/check', ask, token);
    } catch (error) {
      // A run of an older version keeps its engine until it ends.
      if ((error as { readonly code?: unknown }).code !== METHOD_NOT_FOUND) throw error;
      throw new Refusal(l10n.t('A run of an older Ratchet is going on here, and its engine knows no checks. Try again when the run has ended.'));
    } finally {
      listening.dispose();
    }
  });
}

async function show(texts: Texts, { name }: Target, report: CheckReport): Promise<void> {
  const blob = texts.snapshot(checkPage(report, l10n));
  const uri = documentUri({ run: 'check', attempt: 0, name: l10n.t('Check of {0}.md', name), content: { kind: 'report', blob } });
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: false });
}
