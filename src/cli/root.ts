import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HumanError } from '../errors.ts';
import { Store } from '../engine/store.ts';
import { dataOf, rootOf } from '../wire/root.ts';
import { openRuntime, stateFolder, type Runtime } from '../wire/runtime.ts';
import type { Terminal } from './terminal.ts';

/** A root as the commands need it. */
export interface Place {
  readonly root: string;
  readonly store: Store;
  readonly runtime: Runtime;
}

/** The root of a target, which must exist. */
export async function placeOfTarget(terminal: Terminal, file: string): Promise<Place & { readonly target: string }> {
  const given = resolve(terminal.cwd, file);
  const target = await realpath(given).catch(() => {
    throw new HumanError('bad-target', `There is no file ${given}. Check the path.`);
  });
  return { ...(await place(terminal, await rootOf(target))), target };
}

/** The root of the folder in which a command was called. */
export async function placeOfFolder(terminal: Terminal): Promise<Place> {
  return place(terminal, await rootOf(await realpath(terminal.cwd), 'folder'));
}

async function place(terminal: Terminal, root: string): Promise<Place> {
  const store = new Store(root, await dataOf(root, stateFolder(terminal.env)));
  return { root, store, runtime: await openRuntime(root, terminal.env, process.platform) };
}

/** The command that was given a run. */
export type Verb = 'show' | 'diff' | 'accept' | 'stop' | 'pause' | 'resume';

/** Resolves `last`, an id, or a prefix of one. */
export async function runId(store: Store, given: string, verb: Verb): Promise<string> {
  const runs = await store.runs();
  if (runs.length === 0) throw new HumanError('no-such-run', `There is no run yet in ${store.root}. Start one with: ratchet run FILE`);
  // So short a number is an attempt's: as the beginning of an id it would fit every run of the century.
  if (/^#?\d{1,3}$/.test(given)) throw new HumanError('no-such-run', `${given} is not a run. ${whatToType(given.replace('#', ''), verb)}`);
  const found = given === 'last' ? runs.slice(-1) : runs.filter((run) => run === given || run.startsWith(given));
  const [only] = found;
  if (only === undefined) throw new HumanError('no-such-run', `There is no run ${given}. List them with: ratchet log`);
  if (found.length > 1) throw new HumanError('no-such-run', `${found.length} runs begin with ${given}: ${found.join(', ')}. Give more of the id.`);
  return only;
}

function whatToType(number: string, verb: Verb): string {
  return verb === 'show' || verb === 'diff' || verb === 'accept'
    ? `For attempt ${number} of the last run type: ratchet ${verb} last ${number}`
    : `Name the run by its id, or type: ratchet ${verb} last`;
}
