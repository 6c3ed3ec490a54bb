import { join } from 'node:path';
import { l10n, Uri, type LogOutputChannel } from 'vscode';
import { whyNotResumable } from '../loop/resumable.ts';
import { baseUrlOf } from '../model-server.ts';
import type { ResumeAsk, StartPage } from '../protocol.ts';
import { engineEnvironment } from '../wire/environment.ts';
import { cleanLine } from '../loop/one-line.ts';
import type { Choice, Dialogs } from './dialogs.ts';
import { Refusal } from './errors.ts';
import type { Keys } from './keys.ts';
import { chosenPython } from './python.ts';
import type { RunView } from './run-source.ts';
import type { Runs } from './runs.ts';
import { readSettings } from './settings.ts';
import { requireTrust } from './trust.ts';

/** What resuming works with. */
export interface ResumeDeps {
  readonly runs: Runs;
  readonly dialogs: Dialogs;
  readonly keys: Keys;
  readonly log: LogOutputChannel;
}

const MAX_COMMAND_CHARS = 300;

/** Has a run that was broken off go on, after a person saw what it runs. False where they left it. */
export async function resumeEnded({ runs, dialogs, keys, log }: ResumeDeps, view: RunView): Promise<boolean> {
  requireTrust();
  const { state } = view;
  const whyNot = state === undefined ? view.problem : whyNotResumable(state);
  if (state === undefined || whyNot !== undefined) throw new Refusal(whyNot ?? l10n.t('No run is going on.'));
  const target = Uri.file(join(view.root, state.plan.target));
  const python = await chosenPython(target);
  const ask: ResumeAsk = { run: view.run, env: engineEnvironment(process.env), baseUrl: baseUrlOf(readSettings(target).baseUrl, process.env), ...(python === undefined ? {} : { python }) };
  const link = await runs.engine(view.run).open();
  const page = await link.request('ratchet/resume-page', ask);
  const { plan, id } = page;
  if (plan === undefined || id === undefined) throw new Refusal(page.problems.map(({ message }) => message).join(' '));
  if ((await dialogs.pick(rows(page), { title: l10n.t('Resume {0}', plan.target), placeholder: l10n.t('This is what will run. What the run used of its budgets stays used.'), active: 'resume' })) !== 'resume') return false;
  const apiKey = plan.proposer.kind === 'openai' ? (await keys.find(plan.proposer.baseUrl))?.key : undefined;
  await link.request('ratchet/resume-ended', { ...ask, seen: id, detached: true, ...(apiKey === undefined ? {} : { apiKey }) });
  log.info(`[resume] run ${view.run}: ${page.command ?? ''} in ${page.folder ?? page.root}`);
  return true;
}

/** Every command, and what is open to them: a ledger may have come with the folder. */
function rows({ command = '', folder = '', also = [], opens = [], confinement }: StartPage): readonly Choice<'resume' | 'leave'>[] {
  const shown = (text: string): string => cleanLine(text, MAX_COMMAND_CHARS);
  return [
    { label: `$(debug-continue) ${l10n.t('Resume')}`, description: shown(command), detail: shown(folder), value: 'resume', alwaysShow: true },
    ...also.map((each): Choice<'leave'> => ({ label: `$(terminal) ${each.role}`, description: shown(each.command), detail: shown(each.folder), value: 'leave' })),
    { label: `$(shield) ${l10n.t('Confinement')}`, description: shown([confinement, ...opens].join(' · ')), value: 'leave' },
    { label: `$(close) ${l10n.t('Leave It')}`, value: 'leave' },
  ];
}
