import { commands, l10n, QuickPickItemKind, Uri, window, workspace, type Disposable } from 'vscode';
import { COMMANDS, SETTINGS, VIEWS, type CommandId } from '../contributions.ts';
import { accept } from './accept.ts';
import { checkFile, type CheckDeps } from './check/check.ts';
import { readSubject } from './diff/argument.ts';
import type { Choice } from './dialogs.ts';
import { Refusal, tell } from './errors.ts';
import { whyNotResumable } from '../loop/resumable.ts';
import { baseUrlOf } from '../model-server.ts';
import { keepAnyway } from './keep.ts';
import { resumeEnded } from './resume.ts';
import { isPaused, type RunView } from './run-source.ts';
import { isActive, mainRun, type Runs } from './runs.ts';
import { newScoringScript } from './start/new-scorer.ts';
import { autoresearch, type StartDeps } from './start/page.ts';
import { activityText, statusText } from './status-text.ts';
import { requireTrust } from './trust.ts';

export interface CommandDeps extends StartDeps, CheckDeps {
  readonly runs: Runs;
  /** Looks for runs anew. */
  readonly refresh: () => void;
}

/** Registers the commands that start, steer and end runs. What fails is told to the person. */
export function registerCommands(deps: CommandDeps): readonly Disposable[] {
  const { dialogs, keys, log } = deps;
  const on = (id: CommandId, run: (argument: unknown) => unknown): Disposable =>
    commands.registerCommand(id, async (argument: unknown) => {
      try {
        return await run(argument);
      } catch (error) {
        // A notice stays until it is read; the command is over.
        void tell(error, log);
        return undefined;
      }
    });
  return [
    on(COMMANDS.autoresearch, (argument) => autoresearch(deps, argument instanceof Uri ? argument : undefined)),
    on(COMMANDS.check, (argument) => checkFile(deps, argument instanceof Uri ? argument : undefined)),
    on(COMMANDS.newScorer, (argument) => newScoringScript(deps, argument instanceof Uri ? argument : undefined)),
    on(COMMANDS.accept, (argument) => accept(deps, readSubject(argument))),
    on(COMMANDS.keep, (argument) => keepAnyway(deps, readSubject(argument))),
    on(COMMANDS.pause, async (argument) => {
      if (await steer(deps, argument, 'ratchet/pause')) window.setStatusBarMessage(l10n.t('Ratchet pauses when the attempt in flight is over.'), 5000);
    }),
    on(COMMANDS.resume, (argument) => {
      requireTrust();
      return resume(deps, argument);
    }),
    on(COMMANDS.stop, (argument) => steer(deps, argument, 'ratchet/stop')),
    on(COMMANDS.refresh, deps.refresh),
    on(COMMANDS.menu, () => showMenu(deps)),
    on(COMMANDS.showLog, () => log.show()),
    on(COMMANDS.setApiKey, () => keys.ask(baseUrlOf(workspace.getConfiguration().get<string>(SETTINGS.baseUrl), process.env), dialogs)),
  ];
}

/** Ends a pause, or has a run that was broken off go on: the one that is meant, or the last where none goes on. */
async function resume(deps: CommandDeps, argument: unknown): Promise<boolean> {
  const { runs } = deps;
  const named = readSubject(argument);
  const view = named === undefined ? mainRun(runs.runs) : runs.view(named.run);
  return view === undefined || isActive(view) ? steer(deps, argument, 'ratchet/resume') : resumeEnded(deps, view);
}

/** Tells a run's engine to pause, resume or stop it. False where the person chose none. */
async function steer(deps: CommandDeps, argument: unknown, method: 'ratchet/pause' | 'ratchet/resume' | 'ratchet/stop'): Promise<boolean> {
  const view = await activeRun(deps, argument);
  if (view === undefined) return false;
  const link = await deps.runs.engine(view.run).open();
  await link.request(method, { run: view.run });
  return true;
}

/** The run that a command means: the one it was given, the only one that goes on, or the one that is picked. Throws Refusal where none does. */
async function activeRun({ runs, dialogs }: CommandDeps, argument: unknown): Promise<RunView | undefined> {
  const named = readSubject(argument);
  const active = runs.runs.filter((view) => isActive(view) && (named === undefined || view.run === named.run));
  const [only] = active;
  if (only === undefined) throw new Refusal(l10n.t('No run is going on.'));
  if (active.length === 1) return only;
  const rows = active.map((view) => ({ label: view.state?.plan.target ?? view.run, description: activityText(view, l10n), value: view }));
  return dialogs.pick(rows, { title: l10n.t('Ratchet'), placeholder: l10n.t('Which run?') });
}

/** The status bar item's menu. */
async function showMenu({ runs, dialogs }: CommandDeps): Promise<void> {
  const view = mainRun(runs.runs);
  const row = (icon: string, label: string, value: CommandId | 'focus', description = ''): Choice<CommandId | 'focus'> => ({ label: `$(${icon}) ${label}`, description, value });
  const rows: Choice<CommandId | 'focus'>[] = [];
  if (view !== undefined && isActive(view)) {
    if (isPaused(view)) rows.push(row('debug-continue', l10n.t('Resume'), COMMANDS.resume));
    else rows.push(row('debug-pause', l10n.t('Pause'), COMMANDS.pause, l10n.t('when the attempt in flight is over')));
    rows.push(row('debug-stop', l10n.t('Stop'), COMMANDS.stop, l10n.t('what was kept so far can be accepted')));
  }
  if (view?.state !== undefined && !isActive(view) && whyNotResumable(view.state) === undefined) rows.push(row('debug-continue', l10n.t('Resume'), COMMANDS.resume, l10n.t('it was broken off')));
  if ((view?.state?.champion ?? 0) > 0)
    rows.push(row('check', l10n.t('Accept the Best So Far…'), COMMANDS.accept, l10n.t('as one edit that can be undone')), row('diff', l10n.t('Show the Best So Far'), COMMANDS.openBest));
  rows.push({ label: '', kind: QuickPickItemKind.Separator, value: 'focus' }, row('list-tree', l10n.t('Show Runs'), 'focus'), row('output', l10n.t('Show Log'), COMMANDS.showLog));
  const placeholder = view === undefined ? l10n.t('No run yet') : statusText(view, l10n).tooltip.split('\n')[1] ?? '';
  const picked = await dialogs.pick(rows, { title: view?.state?.plan.target ?? l10n.t('Ratchet'), placeholder });
  if (picked === 'focus') await commands.executeCommand(`${VIEWS.runs}.focus`);
  else if (picked !== undefined) await commands.executeCommand(picked, view === undefined ? undefined : { run: view.run });
}
