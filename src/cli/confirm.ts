import type { StartPage } from '../protocol.ts';
import { HumanError } from '../errors.ts';
import { opens } from '../loop/allow.ts';
import { isConfirmed, rememberConfirmed } from './confirmed.ts';
import { humanError } from './human-error.ts';
import type { Place } from './root.ts';
import type { Terminal } from './terminal.ts';

export interface Confirming {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** One way to run something that a page tells of before. */
export interface Shown<T> {
  readonly page: () => Promise<StartPage>;
  readonly text: (page: StartPage) => string;
  /** Runs what the page says: `seen` goes with the request, which is refused where the page would differ by now. */
  readonly start: (page: StartPage, seen: { readonly seen?: string }) => Promise<T>;
}

/**
 * Shows a page, has it confirmed where it must be, and starts. What changed in between (program.md was saved) is shown
 * and asked again. Undefined where the person said no.
 */
export async function startAsShown<T>(terminal: Terminal, place: Pick<Place, 'runtime'>, flags: Confirming, { page, text, start }: Shown<T>): Promise<T | undefined> {
  for (;;) {
    const shown = await page();
    if (flags.json !== true) terminal.err(text(shown));
    if (!(await mayStart(terminal, shown, place, flags))) return undefined;
    try {
      return await start(shown, shown.id === undefined ? {} : { seen: shown.id });
    } catch (error) {
      const human = humanError(error);
      if (human?.reason !== 'changed') throw error;
      terminal.err(`${human.message}\n`);
    }
  }
}

/**
 * Whether the commands of a page that was shown may run. Those that nobody at this terminal wrote (program.md names them) are
 * confirmed once per text. Rejects with HumanError where nobody can be asked.
 */
async function mayStart(terminal: Terminal, page: StartPage, { runtime }: Pick<Place, 'runtime'>, flags: Confirming): Promise<boolean> {
  const commands = unwritten(page);
  if (flags.yes === true || !asksForYes(page)) return true;
  const text = confirmedText(page);
  if (await isConfirmed(runtime, text)) return true;
  if (!terminal.interactive || flags.json === true)
    throw new HumanError('bad-use', unconfirmed(page, commands.map(({ command }) => command)));
  if (!(await terminal.confirm('Start?'))) return false;
  await rememberConfirmed(runtime, text);
  return true;
}

/** Commands of a page that nobody at this terminal wrote. */
function unwritten({ source, folder = '', command = '', also = [] }: StartPage): readonly { readonly folder: string; readonly command: string }[] {
  return [...(source === 'program' || source === 'ledger' ? [{ folder, command }] : []), ...also];
}

function asksForYes(page: StartPage): boolean {
  return unwritten(page).length > 0 || (page.opens ?? []).length > 0;
}

function confirmedText(page: StartPage): string {
  const { folder = '', command = '', also, opens = [] } = page;
  if (also === undefined && opens.length === 0) return `${folder}\n${command}`;
  return JSON.stringify([...unwritten(page).map((each) => [each.folder, each.command]), ...opens]);
}

/** What a person wrote or confirmed for a run is confirmed for that run when it is resumed, too. Where --yes stood for looking it isn't. */
export async function rememberStarted(page: StartPage, { runtime }: Pick<Place, 'runtime'>, flags: Confirming): Promise<void> {
  const { opens: _opens, ...rest } = page;
  if (flags.yes !== true || !asksForYes(page)) await rememberConfirmed(runtime, confirmedText({ ...rest, source: 'ledger', ...opens(page.plan ?? {}) }));
}

function unconfirmed({ source, why = '', also = [], opens = [] }: StartPage, commands: readonly string[]): string {
  if (source === 'ledger') return `This run's ledger names what it runs: ${[...commands, ...opens].join('; ')}. Nobody has confirmed that yet: look at it, then add --yes.`;
  if (opens.length > 0) return `program.md opens the confinement of the scorer (${opens.join('; ')}), and nobody has confirmed that yet. Look at it, then add --yes, or name what is to hold with --sandbox and --allow.`;
  if (also.length === 0) return `${why}: ${commands.join('; ')}. Nobody has confirmed that command yet: look at it, then add --yes, or name it with --score.`;
  return `program.md names these commands, and nobody has confirmed them yet: ${commands.join('; ')}. Look at them, then add --yes.`;
}
