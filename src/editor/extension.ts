import { RelativePattern, window, workspace, type Disposable, type ExtensionContext } from 'vscode';
import { registerCommands } from './commands.ts';
import { Engines } from './connection.ts';
import { keepContextKeys } from './context-keys.ts';
import { Dialogs } from './dialogs.ts';
import { engineEnvironment } from '../wire/environment.ts';
import { reachHistory, type Reach } from './history.ts';
import { Keys } from './keys.ts';
import { tellEnds, tellProgramProblems } from './notices.ts';
import { offerRecovery } from './recovery.ts';
import { Runs } from './runs.ts';
import { Status } from './status.ts';
import { provideTerminalCommand, terminalFolder } from './terminal.ts';
import { provideTestApi } from './test-api.ts';
import { registerViews } from './views.ts';

/** Builds the parts and registers them. Starts no engine and reads no file. */
export function activate(context: ExtensionContext): void {
  const activated = stopwatch();
  const log = window.createOutputChannel('Ratchet', { log: true });
  const dialogs = new Dialogs();
  const engines = new Engines({ node: process.execPath, script: context.asAbsolutePath('dist/cli.js'), env: engineEnvironment(process.env) }, log);
  const runs = new Runs(engines, log);
  const keys = new Keys(context.secrets, process.env);
  const status = new Status(runs);
  const background = (what: string, work: Promise<unknown>): void => void work.catch((error: unknown) => log.warn(`[${what}] ${String(error)}`));
  const reach = (how: Reach): void => background('history', reachHistory(engines, how));

  const views = registerViews(context, runs, log);
  const readWhileVisible = (visible: boolean): void => {
    if (visible) reach('start');
  };

  context.subscriptions.push(
    log, dialogs, engines, runs, status,
    keepContextKeys(runs),
    tellEnds(runs),
    tellProgramProblems(runs),
    offerRecovery(engines, log),
    ...registerCommands({ engines, runs, dialogs, keys, memory: context.workspaceState, log, texts: views.texts, refresh: () => reach('start') }),
    views,
    views.view.onDidChangeVisibility(({ visible }) => readWhileVisible(visible)),
    // A tab of an earlier session was restored, and its run is not known yet.
    views.onDidMissRun(() => reach('start')),
    ...watchForRuns(() => reach('running')),
  );
  setImmediate(() => {
    reach('running');
    readWhileVisible(views.view.visible);
    background('terminal', provideTerminalCommand(context));
  });
  context.subscriptions.push(...provideTestApi(context, { runs, engines, dialogs, status, views, terminalFolder: terminalFolder(context), activate: activated() }));
}

/** Starts now; the result gives what was taken since. Processor time is there because a busy machine must not look like a slow start. */
function stopwatch(): () => { readonly wallMs: number; readonly cpuMs: number } {
  const beganMs = performance.now();
  const began = process.cpuUsage();
  return () => {
    const wallMs = performance.now() - beganMs;
    const { user, system } = process.cpuUsage(began);
    return { wallMs, cpuMs: (user + system) / 1000 };
  };
}

/** A run that a terminal starts is this window's too. */
function watchForRuns(found: () => void): readonly Disposable[] {
  return (workspace.workspaceFolders ?? []).flatMap((folder) => {
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, '.ratchet/runs/*'), false, true, true);
    return [watcher, watcher.onDidCreate(found)];
  });
}
