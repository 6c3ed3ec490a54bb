import { HumanError } from '../../errors.ts';
import type { Store } from '../../engine/store.ts';
import { keyFor, keysFromEnvironment } from '../../engine/proposers/keys.ts';
import type { RunState } from '../../loop/ledger.ts';
import type { EngineClient } from '../../wire/client.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { rememberStarted, startAsShown } from '../confirm.ts';
import { engineOf } from '../engine.ts';
import { EXIT, exitOfRun } from '../exit.ts';
import { hearInterrupts } from '../interrupt.ts';
import { answerNeeds } from '../needs.ts';
import { championPatch } from '../patch.ts';
import { hasBegun, openLines, runLine } from '../render.ts';
import { placeOfTarget, whereToType, type Place } from '../root.ts';
import { startPage, wholePage } from '../start-page.ts';
import type { Terminal } from '../terminal.ts';
import { watch } from '../watch.ts';
import type { Ask, StartPage } from '../../protocol.ts';

export interface StartFlags extends RunFlags {
  readonly detach?: boolean;
}

/** `ratchet run FILE`: starts a run and follows it to its end; with --detach leaves it to the engine. */
export async function runCommand(terminal: Terminal, file: string, flags: StartFlags): Promise<number> {
  const place = await placeOfTarget(terminal, file);
  const client = await engineOf(place);
  try {
    for (let ask = askOf(terminal, place.target, flags); ;) {
      const state = await runOnce(terminal, client, place, flags, ask);
      if (typeof state === 'number') return state;
      const needs = state.end?.needs;
      if (needs === undefined) return exitOfRun(state);
      // The run's last sentence names the flags that answer it.
      if (!terminal.interactive || flags.json === true) return EXIT.badUse;
      const next = await answerNeeds(terminal, place, state.plan.target, ask, needs);
      if (next === undefined) return exitOfRun(state);
      ask = next;
    }
  } finally {
    client.close();
  }
}

/** Shows, starts and follows one run. Its last state, or an exit code where there is none to speak of. */
async function runOnce(terminal: Terminal, client: EngineClient, place: Place & { readonly target: string }, flags: StartFlags, ask: Ask): Promise<RunState | number> {
  const ended = await startAsShown(terminal, place, flags, {
    page: async () => wholePage(await client.request('ratchet/page', ask)),
    text: (page) => startPage(page, Date.now()),
    start: (page, seen) => startAndFollow(terminal, client, place, flags, async () => {
      const started = await client.request('ratchet/start', { ...ask, ...seen, detached: flags.detach === true, ...keyOf(page, terminal) });
      await rememberStarted(page, place, flags);
      return started;
    }),
  });
  return ended ?? EXIT.refused;
}

/** The key of the server that proposes, where one does and there is one. */
export function keyOf({ plan }: StartPage, terminal: Terminal): { readonly apiKey?: string } {
  const apiKey = plan?.proposer.kind === 'openai' ? keyFor(plan.proposer.baseUrl, keysFromEnvironment(terminal.env)) : undefined;
  return apiKey === undefined ? {} : { apiKey };
}

/** Starts a run, or has one go on from the event `seq`, and follows it to its end. Its last state, or an exit code where it was left to itself. */
export async function startAndFollow(
  terminal: Terminal, client: EngineClient, { store, root }: Place, { json, detach }: Pick<StartFlags, 'json' | 'detach'>, start: () => Promise<{ readonly run: string; readonly seq?: number }>,
): Promise<RunState | number> {
  // Heard before there is a run: a person who leaves while it is being started wants none.
  const { signal, ignore } = hearInterrupts();
  signal.addEventListener('abort', () => terminal.err('Stopping.\n'), { once: true });
  try {
    const { run, seq } = await start();
    if (detach === true && !signal.aborted) {
      const where = await whereToType(terminal, root);
      terminal.out(json === true ? `${JSON.stringify({ run })}\n` : `${run}\nIt goes on without this terminal. Watch it with: ${terminal.self} show ${run}   Stop it with: ${terminal.self} stop ${run}${where}\n`);
      return EXIT.done;
    }
    const state = await watch(terminal, { run, client, store, json: json === true, signal, ...(seq === undefined ? {} : { from: seq }) });
    if (state !== undefined && json !== true) terminal.out(await endText(state, store, { self: terminal.self, where: await whereToType(terminal, root) }));
    return signal.aborted || state === undefined ? EXIT.interrupted : state;
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
