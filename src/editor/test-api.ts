import { commands, ExtensionMode, type Disposable, type ExtensionContext } from 'vscode';
import type { Engines } from './connection.ts';
import type { Dialogs } from './dialogs.ts';
import type { Runs } from './runs.ts';
import type { Status } from './status.ts';
import type { Views } from './views.ts';

/** Live objects for the tests in the extension host. */
export interface TestApi {
  readonly runs: Runs;
  readonly engines: Engines;
  readonly dialogs: Dialogs;
  readonly status: Status;
  readonly views: Views;
  /** Folder on the terminals' PATH. */
  readonly terminalFolder: string;
  /** What `activate` took. Processor time is that of all threads. */
  readonly activate: { readonly wallMs: number; readonly cpuMs: number };
}

export const TEST_API = 'ratchet.test.api';

/** Hands the live objects to tests; in a person's editor there is no such command. */
export function provideTestApi(context: ExtensionContext, api: TestApi): readonly Disposable[] {
  const isTest = context.extensionMode === ExtensionMode.Test || process.env['RATCHET_TEST'] === '1';
  return isTest ? [commands.registerCommand(TEST_API, () => api)] : [];
}
