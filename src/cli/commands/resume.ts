import { engineEnvironment } from '../../wire/environment.ts';
import type { EngineClient } from '../../wire/client.ts';
import { startAsShown } from '../confirm.ts';
import { engineOf, runningEngine } from '../engine.ts';
import { EXIT, exitOfRun } from '../exit.ts';
import { knownRuns, placeOfFolder, runId, type Place } from '../root.ts';
import { startPage, wholePage } from '../start-page.ts';
import type { Terminal } from '../terminal.ts';
import { control } from './control.ts';
import { keyOf, startAndFollow } from './run.ts';

export interface ResumeFlags {
  readonly detach?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `ratchet resume [RUN]`: ends a pause, or has a run that was broken off go on and follows it to its end. */
export async function resume(terminal: Terminal, given: string | undefined, flags: ResumeFlags): Promise<number> {
  const place = await placeOfFolder(terminal);
  const named = given === undefined || given === 'last' ? undefined : await runId(place.store, given, 'resume');
  if (await goesOn(place, named)) return control(terminal, 'resume', given);
  const run = named ?? (await knownRuns(place.store)).at(-1) ?? '';
  const client = await engineOf(place);
  try {
    return await goOn(terminal, client, place, run, flags);
  } finally {
    client.close();
  }
}

/** Whether the run, or any where none is named, is going on: then it can only be paused. */
async function goesOn(place: Place, named: string | undefined): Promise<boolean> {
  const client = await runningEngine(place);
  if (client === undefined) return false;
  try {
    return (await client.request('ratchet/runs', {})).some(({ run, active }) => active && (named === undefined || run === named));
  } finally {
    client.close();
  }
}

async function goOn(terminal: Terminal, client: EngineClient, place: Place, run: string, flags: ResumeFlags): Promise<number> {
  // Set to nothing is not set.
  const baseUrl = terminal.env['OPENAI_BASE_URL']?.trim() ?? '';
  const ask = { run, env: engineEnvironment(terminal.env), ...(baseUrl === '' ? {} : { baseUrl }) };
  const state = await startAsShown(terminal, place, flags, {
    page: async () => wholePage(await client.request('ratchet/resume-page', ask)),
    text: (page) => `${'Resume'.padEnd(11)}run ${run}\n${startPage(page, Date.now())}`,
    start: (page, seen) => startAndFollow(terminal, client, place, flags, () => client.request('ratchet/resume-ended', { ...ask, ...seen, detached: flags.detach === true, ...keyOf(page, terminal) })),
  });
  if (state === undefined) return EXIT.refused;
  return typeof state === 'number' ? state : exitOfRun(state);
}
