import { setTimeout as delay } from 'node:timers/promises';
import { commands, l10n, type Disposable, type LogOutputChannel } from 'vscode';
import { COMMANDS } from '../contributions.ts';
import type { Engines, RootEngine } from './connection.ts';
import { tell } from './errors.ts';
import { messages } from './messages.ts';

/** A newer client replaces an idle engine within this time. */
const REPLACED_MS = 2000;

/** Says when an engine is gone, and offers a new one with one click. It comes back idle; nothing goes on by itself. */
export function offerRecovery(engines: Engines, log: LogOutputChannel): Disposable {
  return engines.onDidLose((engine) => void recover(engine, log).catch((error: unknown) => tell(error, log)));
}

async function recover(engine: RootEngine, log: LogOutputChannel): Promise<void> {
  await delay(REPLACED_MS);
  if ((await engine.find()) !== undefined) return;
  log.error(`[engine] the engine of ${engine.root} ended unexpectedly`);
  const [again, showLog] = [l10n.t('Start It Again'), l10n.t('Show Log')];
  const picked = await messages.warn(
    l10n.t('Ratchet\'s engine ended unexpectedly, and its run with it. What was measured is kept. A new engine starts nothing by itself.'), again, showLog,
  );
  if (picked === again) await engine.open();
  else if (picked === showLog) await commands.executeCommand(COMMANDS.showLog);
}
