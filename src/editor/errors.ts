import { commands, l10n, type LogOutputChannel } from 'vscode';
import { COMMANDS } from '../contributions.ts';
import { HumanError } from '../errors.ts';
import { HUMAN_ERROR_CODE } from '../protocol.ts';
import { messages } from './messages.ts';

/** The one click that leads on from a refusal. */
export interface WayOn {
  readonly title: string;
  readonly command: string;
}

/** Why a person's request can't be done: one sentence that says what to do. */
export class Refusal extends Error {
  readonly wayOn: WayOn | undefined;

  constructor(sentence: string, wayOn?: WayOn) {
    super(sentence);
    this.name = 'Refusal';
    this.wayOn = wayOn;
  }
}

/** Tells a person about a request that failed. What isn't a refusal is a fault of ours, and the log has its trace. */
export async function tell(error: unknown, log: LogOutputChannel): Promise<void> {
  const sentence = sentenceOf(error);
  if (sentence !== undefined) {
    log.info(`[editor] refused: ${sentence}`);
    const wayOn = error instanceof Refusal ? error.wayOn : undefined;
    const picked = await messages.error(sentence, ...(wayOn === undefined ? [] : [wayOn.title]));
    if (picked !== undefined && wayOn !== undefined) await commands.executeCommand(wayOn.command);
    return;
  }
  log.error(`[editor] ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const showLog = l10n.t('Show Log');
  const message = error instanceof Error ? error.message : String(error);
  if ((await messages.error(l10n.t('Something in Ratchet failed: {0}', message), showLog)) === showLog)
    await commands.executeCommand(COMMANDS.showLog);
}

/** The sentence of a refusal, of this side or of the engine's. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof Refusal || error instanceof HumanError) return error.message;
  return error instanceof Error && (error as { readonly code?: unknown }).code === HUMAN_ERROR_CODE ? error.message : undefined;
}

/** Why the engine refused a request; undefined where it is no refusal of the engine. */
export function reasonOf(error: unknown): unknown {
  if (!(error instanceof Error) || (error as { readonly code?: unknown }).code !== HUMAN_ERROR_CODE) return undefined;
  const { data } = error as { readonly data?: unknown };
  return typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined;
}
