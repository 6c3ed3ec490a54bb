import { appendFile, lstat, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobId } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { DROPPED } from './dropped.ts';
import { idsIn, textsOfRun } from '../../loop/droppable.ts';
import { foldAll } from '../../loop/ledger.ts';
import { storeError, type Store } from '../store.ts';

/** Texts that may be dropped, and what that frees. */
export interface Droppable {
  readonly ids: readonly BlobId[];
  readonly bytes: number;
  /** They ended before this moment, in milliseconds since 1970. */
  readonly beforeMs: number;
}

/** Beside the runs, the folders that hold other files than texts. */
const OTHERS = ['checks', 'mechanisms'];

/**
 * Finds the texts of attempts that came to nothing and ended before `beforeMs`, and that nothing else in the root's data names.
 * A ledger that can't be read to its last line keeps all that it names, and so does a run that goes on.
 */
export async function droppable(store: Store, beforeMs: number): Promise<Droppable> {
  const mayGo = new Set<BlobId>();
  const stays = new Set<BlobId>(await idsBesideRuns(store));
  for (const run of await store.runs()) {
    const texts = await readTexts(store, run, beforeMs);
    for (const id of texts.mayGo) mayGo.add(id);
    for (const id of texts.stays) stays.add(id);
  }
  const ids: BlobId[] = [];
  let bytes = 0;
  for (const id of mayGo) {
    const found = stays.has(id) ? undefined : await lstat(await store.unlinked('blobs', id)).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    ids.push(id);
    bytes += found.size;
  }
  return { ids, bytes, beforeMs };
}

/**
 * Drops texts. What was dropped is written down first, so that a missing text is never a riddle. Rejects with HumanError while a
 * run goes on, which may name any text anew.
 */
export async function drop(store: Store, { ids: meant, beforeMs }: Droppable, now: Date): Promise<void> {
  for (const run of await store.runs())
    if (await store.isClaimed(run)) throw new HumanError('busy', `Run ${run} is going on, and may need a text again. Wait for its end, or stop it: ratchet stop ${run}`);
  // A run may have come and gone while a person was asked, and stand on the same texts.
  const free = new Set((await droppable(store, beforeMs)).ids);
  const ids = meant.filter((id) => free.has(id));
  if (ids.length === 0) return;
  try {
    await appendFile(await store.unlinked(DROPPED), ids.map((id) => `${id}\t${now.toISOString().slice(0, 10)}\n`).join(''));
    for (const id of ids) await unlink(await store.unlinked('blobs', id)).catch(ignoreMissing);
  } catch (error) {
    throw storeError(error, store.folder);
  }
}

async function readTexts(store: Store, run: string, beforeMs: number): Promise<{ readonly mayGo: Iterable<BlobId>; readonly stays: Iterable<BlobId> }> {
  const ledger = await store.read(run).catch((error: unknown) => {
    if (error instanceof HumanError && error.reason === 'no-such-run') return undefined;
    throw error;
  });
  if (ledger === undefined) return { mayGo: [], stays: [] };
  const isWhole = ledger.newerVersion === undefined && ledger.damagedLines === 0 && !ledger.torn;
  const state = isWhole && !(await store.isClaimed(run)) ? foldAll(ledger.events) : undefined;
  if (state !== undefined) return textsOfRun(state, ledger.events, beforeMs);
  return { mayGo: [], stays: idsIn(await readFile(join(store.runFolder(run), 'ledger.jsonl'), 'utf8')) };
}

async function idsBesideRuns(store: Store): Promise<readonly BlobId[]> {
  const found: BlobId[] = [];
  for (const folder of ['', ...OTHERS]) {
    const at = folder === '' ? store.folder : await store.unlinked(folder);
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => []))
      if (entry.isFile() && entry.name !== DROPPED) found.push(...idsIn(await readFile(join(at, entry.name), 'utf8')));
  }
  return found;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
