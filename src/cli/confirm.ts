import type { StartPage } from '../protocol.ts';
import { HumanError } from '../errors.ts';
import { isConfirmed, rememberConfirmed } from './confirmed.ts';
import type { Place } from './root.ts';
import type { Terminal } from './terminal.ts';

/**
 * Whether the command of a page that was shown may run. One that nobody at this terminal wrote (program.md names it) is
 * confirmed once per text. Rejects with HumanError where nobody can be asked.
 */
export async function mayStart(terminal: Terminal, page: StartPage, { runtime }: Pick<Place, 'runtime'>, flags: { readonly yes?: boolean; readonly json?: boolean }): Promise<boolean> {
  if (flags.yes === true || page.source !== 'program') return true;
  const text = `${page.folder ?? ''}\n${page.command ?? ''}`;
  if (await isConfirmed(runtime, text)) return true;
  if (!terminal.interactive || flags.json === true)
    throw new HumanError('bad-use', `${page.why ?? ''}: ${page.command ?? ''}. Nobody has confirmed that command yet: look at it, then add --yes, or name it with --score.`);
  if (!(await terminal.confirm('Start?'))) return false;
  await rememberConfirmed(runtime, text);
  return true;
}
