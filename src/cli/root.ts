import { readlink, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HumanError } from '../errors.ts';
import { Store } from '../engine/store.ts';
import { dataOf, isWithin, rootOf } from '../wire/root.ts';
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
  const target = await realpath(given).catch(async (error: NodeJS.ErrnoException) => {
    throw new HumanError('bad-target', await whyNoTarget(given, error));
  });
  return { ...(await place(terminal, await rootOf(target))), target };
}

async function whyNoTarget(path: string, { code }: NodeJS.ErrnoException): Promise<string> {
  if (code === 'EACCES') return `${path} can't be opened (EACCES). Change the permissions of the folders above it.`;
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return `There is no file ${path}. Check the path.`;
  return code === 'ELOOP' ? `${path} is a link that leads to itself. Name the file itself.` : `${path} is a link to ${link}, which is not there. Name a file that exists.`;
}

/** The root of the folder in which a command was called. */
export async function placeOfFolder(terminal: Terminal): Promise<Place> {
  return place(terminal, await rootOf(await realpath(terminal.cwd), 'folder'));
}

/** What to add to a command that is told to a person: nothing where it works in their folder, else where it does. */
export async function whereToType(terminal: Terminal, root: string): Promise<string> {
  const here = await realpath(terminal.cwd).then((folder) => rootOf(folder, 'folder'), () => undefined);
  return here === root ? '' : `   (in ${root})`;
}

async function place(terminal: Terminal, root: string): Promise<Place> {
  const store = new Store(root, await dataOf(root, stateFolder(terminal.env)));
  return { root, store, runtime: await openRuntime(root, terminal.env, process.platform) };
}

/** The command that was given a run. */
export type Verb = 'show' | 'diff' | 'accept' | 'keep' | 'stop' | 'pause' | 'resume';

/** One sentence for a root without runs. Data that lies elsewhere is a reason to wonder. */
export function noRuns({ root, folder }: Store): string {
  const elsewhere = isWithin(root, folder) ? '' : `: as its .ratchet can't be written, they are kept in ${folder}`;
  return `There is no run yet in ${root}${elsewhere}.`;
}

/** Ids of the root's runs, oldest first. Rejects with HumanError where there is none. */
export async function knownRuns(store: Store): Promise<readonly string[]> {
  const runs = await store.runs();
  if (runs.length === 0) throw new HumanError('no-such-run', `${noRuns(store)} Start one with: ratchet run FILE`);
  return runs;
}

/** Resolves an id, or the beginning of one. */
export async function runId(store: Store, given: string, verb: Verb): Promise<string> {
  const runs = await knownRuns(store);
  // So short a number is an attempt's: as the beginning of an id it would fit every run of the century.
  if (/^#?\d{1,3}$/.test(given)) throw new HumanError('no-such-run', `${given} is not a run. ${whatToType(given.replace('#', ''), verb)}`);
  const found = runs.filter((run) => given !== '' && run.startsWith(given));
  const [only] = found;
  if (only === undefined) throw new HumanError('no-such-run', `There is no run ${given === '' ? '""' : given}. List them with: ratchet log`);
  if (found.length > 1) throw new HumanError('no-such-run', `${found.length} runs begin with ${given}: ${found.join(', ')}. Give more of the id.`);
  return only;
}

function whatToType(number: string, verb: Verb): string {
  return verb === 'show' || verb === 'diff' || verb === 'accept'
    ? `For attempt ${number} of the last run type: ratchet ${verb} last ${number}`
    : `Name the run by its id, or type: ratchet ${verb} last`;
}
