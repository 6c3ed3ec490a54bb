import { HumanError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

/** What a person may not have meant. */
export interface Doubtful {
  /** A sentence each; none where nothing speaks against it. */
  readonly doubts: readonly string[];
  readonly question: string;
  /** What to do where nobody can be asked, as the end of a sentence. */
  readonly yes: string;
}

/** Whether a person means what is doubtful: said with --yes, or asked. Rejects with HumanError where nobody can be asked. */
export async function isMeant(terminal: Terminal, flags: { readonly yes?: boolean }, { doubts, question, yes }: Doubtful): Promise<boolean> {
  if (doubts.length === 0 || flags.yes === true) return true;
  if (!terminal.interactive) throw new HumanError('bad-use', `${doubts.join(' ')} If you mean it, ${yes}.`);
  terminal.err(`${doubts.join('\n')}\n`);
  return terminal.confirm(question, 'no');
}
