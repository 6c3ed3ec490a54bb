import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import { HumanError } from '../../errors.ts';
import type { CheckReport, CheckVerdict } from '../../loop/audit/report.ts';
import { ANY_PROPOSER, METHOD_NOT_FOUND, type Ask, type CheckAsk, type CheckProgress, type StartPage } from '../../protocol.ts';
import { duration } from '../../loop/stop.ts';
import type { EngineClient } from '../../wire/client.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { checkText } from '../check-report.ts';
import { startAsShown } from '../confirm.ts';
import { engineOf } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { hearInterrupts } from '../interrupt.ts';
import { placeOfTarget } from '../root.ts';
import { scorerAlone, scorerPage } from '../start-page.ts';
import { textWidth, type Terminal } from '../terminal.ts';
import { shellWord } from '../../loop/shell-word.ts';

export interface CheckFlags extends RunFlags {
  readonly again?: boolean;
}

const EXITS = { yes: EXIT.done, warning: EXIT.noImprovement, no: EXIT.refused, 'not tried': EXIT.noImprovement } as const satisfies Record<CheckVerdict, number>;

/** `ratchet check FILE`: is this loopable? Runs the scorer on broken copies for a while, and says what was found. */
export async function check(terminal: Terminal, file: string, flags: CheckFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const given = askOf(terminal, place.target, flags);
  const client = await engineOf(place);
  const { signal, ignore } = hearInterrupts();
  try {
    let asked = given;
    const report = await startAsShown(terminal, place, flags, {
      page: async () => {
        const found = await pageOf(client, given);
        asked = found.ask;
        return scorerAlone(found.page);
      },
      text: (page) => (page.command === undefined ? '' : scorerPage(page)),
      start: async (page, seen) => {
        const repeated = await askRepeated(terminal, flags, page);
        return runCheck(terminal, client, { ...asked, ...seen, ...(repeated === undefined ? {} : { repeated }), again: flags.again === true }, flags, signal);
      },
    });
    if (report === undefined) return EXIT.refused;
    const again = `${terminal.self} check ${shellWord(file)}${flags.score === undefined ? '' : ` --score ${shellWord(flags.score)}`}`;
    terminal.out(flags.json === true ? `${JSON.stringify(report)}\n` : checkText(report, { width: textWidth(terminal), again }));
    return signal.aborted || report.stopped ? EXIT.interrupted : EXITS[report.verdict];
  } finally {
    ignore();
    client.close();
  }
}

/** The page, complete but for who proposes where only that is missing. */
async function pageOf(client: EngineClient, ask: Ask): Promise<{ readonly ask: Ask; readonly page: StartPage }> {
  const page = await client.request('ratchet/page', ask);
  if (!page.problems.some(({ key }) => key === 'proposer' || key === 'model')) return { ask, page };
  const open = { ...ask, flags: { ...ask.flags, proposer: ANY_PROPOSER } };
  return { ask: open, page: await client.request('ratchet/page', open) };
}

async function askRepeated(terminal: Terminal, { yes, json }: CheckFlags, { plan }: StartPage): Promise<CheckAsk['repeated']> {
  if (yes === true) return 'assumed';
  if (plan === undefined || !terminal.interactive || json === true) return undefined;
  return (await terminal.confirm('Does this task come back often enough to be worth a loop?')) ? 'said' : 'once';
}

async function runCheck(terminal: Terminal, client: EngineClient, ask: CheckAsk, { json }: CheckFlags, signal: AbortSignal): Promise<CheckReport> {
  const cancel = new CancellationTokenSource();
  const stop = (): void => {
    terminal.err('Stopping.\n');
    cancel.cancel();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  if (json !== true) client.on('ratchet/check', (progress) => terminal.err(progressText(progress)));
  try {
    return await client.request('ratchet/check', ask, cancel.token);
  } catch (error) {
    // A run of an older version keeps its engine until it ends.
    if ((error as { readonly code?: unknown }).code !== METHOD_NOT_FOUND) throw error;
    throw new HumanError('busy', 'A run of an older Ratchet is going on here, and its engine knows no checks. Try again when the run has ended.');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function progressText({ doing, what, done, total, spentMs }: CheckProgress): string {
  switch (doing) {
    case 'queued':
      return 'Waiting for another run to end.\n';
    case 'opening':
      return 'Opening a private view of your files.\n';
    case 'running':
      return `${String(done + 1).padStart(4)} of ${total}  ${what ?? ''}  (${duration(spentMs)})\n`;
  }
}
