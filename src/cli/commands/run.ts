import { HumanError } from '../../errors.ts';
import type { Store } from '../../engine/store.ts';
import { keyFor, keysFromEnvironment } from '../../engine/proposers/keys.ts';
import type { RunState } from '../../loop/ledger.ts';
import type { EngineClient } from '../../wire/client.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { startAsShown } from '../confirm.ts';
import { engineOf } from '../engine.ts';
import { EXIT, exitOfRun } from '../exit.ts';
import { hearInterrupts } from '../interrupt.ts';
import { championPatch } from '../patch.ts';
import { hasBegun, openLines, runLine } from '../render.ts';
import { placeOfTarget, whereToType, type Place } from '../root.ts';
import { startPage, wholePage } from '../start-page.ts';
import type { Terminal } from '../terminal.ts';
import { watch } from '../watch.ts';
import type { Requests } from '../../protocol.ts';

export interface StartFlags extends RunFlags {
  readonly detach?: boolean;
}

/** `ratchet run FILE`: starts a run and follows it to its end; with --detach leaves it to the engine. */
export async function runCommand(terminal: Terminal, file: string, flags: StartFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const ask = askOf(terminal, place.target, flags);
  const client = await engineOf(place);
  try {
    const code = await startAsShown(terminal, place, flags, {
      page: async () => wholePage(await client.request('ratchet/page', ask)),
      text: (page) => startPage(page, Date.now()),
      start: ({ plan }, seen) => {
        const apiKey = plan?.proposer.kind === 'openai' ? keyFor(plan.proposer.baseUrl, keysFromEnvironment(terminal.env)) : undefined;
        return startAndFollow(terminal, client, place, flags, { ...ask, ...seen, detached: flags.detach === true, ...(apiKey === undefined ? {} : { apiKey }) });
      },
    });
    return code ?? EXIT.refused;
  } finally {
    client.close();
  }
}

async function startAndFollow(terminal: Terminal, client: EngineClient, { store, root }: Place, { json, detach }: StartFlags, start: Requests['ratchet/start']['params']): Promise<number> {
  // Heard before there is a run: a person who leaves while it is being started wants none.
  const { signal, ignore } = hearInterrupts();
  signal.addEventListener('abort', () => terminal.err('Stopping.\n'), { once: true });
  try {
    const { run } = await client.request('ratchet/start', start);
    if (detach === true && !signal.aborted) {
      const where = await whereToType(terminal, root);
      terminal.out(json === true ? `${JSON.stringify({ run })}\n` : `${run}\nIt goes on without this terminal. Watch it with: ${terminal.self} show ${run}   Stop it with: ${terminal.self} stop ${run}${where}\n`);
      return EXIT.done;
    }
    const state = await watch(terminal, { run, client, store, json: json === true, signal });
    if (state !== undefined && json !== true) terminal.out(await endText(state, store, { self: terminal.self, where: await whereToType(terminal, root) }));
    return signal.aborted || state === undefined ? EXIT.interrupted : exitOfRun(state);
  } finally {
    ignore();
  }
}

/** How a person types on: this program's name, and what to add to a command of it. */
interface Typing {
  readonly self: string;
  readonly where: string;
}

/** How the run ended, what is left to decide, and what it brought. */
async function endText(state: RunState, store: Store, typing: Typing): Promise<string> {
  const sentence = `${state.end?.sentence ?? ''}\n`;
  if (!hasBegun(state)) return sentence;
  return `\n${runLine(state)}\n${sentence}${openLines(state, typing).map((line) => `${line}\n`).join('')}${await found(state, store, typing)}`;
}

/** What the run brought, and how to take it. Texts that went with their folder don't hide how the run ended. */
async function found(state: RunState, store: Store, { self, where }: Typing): Promise<string> {
  try {
    const patch = await championPatch(store, state);
    return patch === '' ? '' : `\n${patch}\nYour file is unchanged. Take it with: ${self} accept ${state.id}${where}\n`;
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
    return `\n${error.message}\n`;
  }
}
