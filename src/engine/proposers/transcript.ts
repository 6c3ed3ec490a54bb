import type { Message } from '../../loop/prompt.ts';

/** The messages word for word under the name of each role, as the ledger keeps them and a person reads them. */
export function transcript(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `=== ${role} ===\n${content.endsWith('\n') ? content : `${content}\n`}`).join('\n');
}
