import { HumanError } from '../../errors.ts';
import { keyFor, keysFromEnvironment } from '../../engine/proposers/keys.ts';
import type { RunState } from '../../loop/ledger.ts';
import type { EngineClient } from '../../wire/client.ts';
import { askOf, type RunFlags } from '../ask.ts';
import { mayStart } from '../confirm.ts';
import { engineOf } from '../engine.ts';
import { EXIT, exitOfRun } from '../exit.ts';
import { hearInterrupts } from '../interrupt.ts';
import { championPatch } from '../patch.ts';
import { runLine } from '../render.ts';
import { placeOfTarget, type Place } from '../root.ts';
import { problemText, startPage } from '../start-page.ts';
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
    const page = await client.request('ratchet/page', ask);
    if (page.plan === undefined) throw new HumanError('bad-use', problemText(page));
    if (flags.json !== true) terminal.err(startPage(page));
    if (!(await mayStart(terminal, page, place, flags))) return EXIT.refused;

    const apiKey = page.plan.proposer.kind === 'openai' ? keyFor(page.plan.proposer.baseUrl, keysFromEnvironment(terminal.env)) : undefined;
    return await startAndFollow(terminal, client, place, flags, { ...ask, detached: flags.detach === true, ...(apiKey === undefined ? {} : { apiKey }) });
  } finally {
    client.close();
  }
}

async function startAndFollow(terminal: Terminal, client: EngineClient, { store }: Place, { json, detach }: StartFlags, start: Requests['ratchet/start']['params']): Promise<number> {
  // Heard before there is a run: a person who leaves while it is being started wants none.
  const { signal, ignore } = hearInterrupts();
  signal.addEventListener('abort', () => terminal.err('Stopping.\n'), { once: true });
  try {
    const { run } = await client.request('ratchet/start', start);
    if (detach === true && !signal.aborted) {
      terminal.out(json === true ? `${JSON.stringify({ run })}\n` : `${run}\nIt goes on without this terminal. Watch it with: ratchet show ${run}   Stop it with: ratchet stop ${run}\n`);
      return EXIT.done;
    }
    const state = await watch(terminal, { run, client, store, json: json === true, signal });
    if (signal.aborted || state === undefined) return EXIT.interrupted;
    if (json !== true) terminal.out(closing(run, state, await championPatch(store, state)));
    return exitOfRun(state);
  } finally {
    ignore();
  }
}

function closing(run: string, state: RunState, patch: string): string {
  const found = patch === '' ? '' : `\n${patch}\nYour file is unchanged. Take it with: ratchet accept ${run}\n`;
  return `\n${runLine(state)}\n${state.end?.sentence ?? ''}\n${found}`;
}
