import { join } from 'node:path';
import { l10n, Uri, type LogOutputChannel } from 'vscode';
import { clockFrom } from '../loop/clock.ts';
import { whyNotResumable } from '../loop/resumable.ts';
import { baseUrlOf } from '../model-server.ts';
import type { ResumeAsk, StartPage } from '../protocol.ts';
import { engineEnvironment } from '../wire/environment.ts';
import { cleanLine } from '../loop/one-line.ts';
import type { Dialogs } from './dialogs.ts';
import { Refusal } from './errors.ts';
import type { Keys } from './keys.ts';
import { chosenPython } from './python.ts';
import type { RunView } from './run-source.ts';
import type { Runs } from './runs.ts';
import { readSettings } from './settings.ts';
import { rowItem } from './start/row-item.ts';
import { pageRows, type PageFacts, type Row, type RowId } from './start/rows.ts';
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
export async function resumeEnded(deps: ResumeDeps, view: RunView): Promise<boolean> {
  requireTrust();
  const { runs, keys, log } = deps;
  const { state } = view;
  const whyNot = state === undefined ? view.problem : whyNotResumable(state);
  if (state === undefined || whyNot !== undefined) throw new Refusal(whyNot ?? l10n.t('No run is going on.'));
  const target = Uri.file(join(view.root, state.plan.target));
  const python = await chosenPython(target);
  const baseUrl = baseUrlOf(readSettings(target).baseUrl, process.env);
  const ask: ResumeAsk = { run: view.run, env: engineEnvironment(process.env), baseUrl, ...(python === undefined ? {} : { python }) };
  const link = await runs.engine(view.run).open();
  const page = await link.request('ratchet/resume-page', ask);
  const { plan, id } = page;
  if (plan === undefined || id === undefined) throw new Refusal(page.problems.map(({ message }) => message).join(' '));
  if (!(await mayGoOn(deps, page, target.fsPath, baseUrl))) return false;
  const apiKey = plan.proposer.kind === 'openai' ? (await keys.find(plan.proposer.baseUrl))?.key : undefined;
  await link.request('ratchet/resume-ended', { ...ask, seen: id, detached: true, ...(apiKey === undefined ? {} : { apiKey }) });
  log.info(`[resume] run ${view.run}: ${page.command ?? ''} in ${page.folder ?? page.root}`);
  return true;
}

/** Rows of a start that say nothing of a run that has begun. */
const OF_A_START: ReadonlySet<RowId> = new Set<RowId>(['start', 'try', 'forecast', 'loopable', 'save']);

/** Shows all that a start page shows, until the person resumes or leaves. */
async function mayGoOn({ dialogs, keys }: ResumeDeps, page: StartPage, target: string, baseUrl: string): Promise<boolean> {
  const facts: PageFacts = { page, problems: [], proposerChosen: true, chosen: [], target, unsaved: false, key: await keys.words(baseUrl), nowMs: Date.now(), clock: clockFrom(Date.now()) };
  const resume: Row = { id: 'start', icon: 'debug-continue', label: l10n.t('Resume'), description: cleanLine(page.command ?? '', MAX_COMMAND_CHARS) };
  const rows = [rowItem(resume, resume.id, true), ...pageRows(facts, l10n).filter(({ id }) => !OF_A_START.has(id)).map((row) => rowItem(row, row.id))];
  const title = l10n.t('Resume {0}', page.plan?.target ?? target);
  const placeholder = l10n.t('This is what will run. What the run used of its budgets stays used.');
  // The other rows are there to be read.
  for (let active: RowId | undefined = resume.id; active !== undefined;) {
    active = await dialogs.pick(rows, { title, placeholder, active });
    if (active === resume.id) return true;
  }
  return false;
}
