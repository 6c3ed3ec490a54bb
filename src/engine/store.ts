import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LEDGER_VERSION, type BlobId, type LedgerEvent, type NewEvent } from '../records.ts';
import { ledgerLine, parseLedger, type LedgerText } from '../loop/ledger-text.ts';
import { HumanError } from '../errors.ts';
import { isClaimed, ownClaim } from './claim.ts';
import { DISK, type Appending, type Disk } from './store/disk.ts';
import { DROPPED, droppedOn } from './store/dropped.ts';
import { readHead, readTail } from './store/part.ts';
import { refuseUnusual } from './store/plain.ts';

const RUN_ID = /^[0-9a-z][0-9a-z-]{5,63}$/;
const BLOB_ID = /^[0-9a-f]{64}$/;
/** Far more than a long run writes; what a workspace brings along is read whole or not at all. */
const MAX_LEDGER_BYTES = 256 * 2 ** 20;
const MAX_BLOB_BYTES = 64 * 2 ** 20;

/**
 * A root's data, in `.ratchet/`: runs and blobs. Created with the first run. Nothing in it is followed through a link, and
 * every id is checked before it becomes part of a path: a workspace may have come from anywhere.
 */
export class Store {
  readonly root: string;
  readonly folder: string;

  readonly disk: Disk;
  /** Whether a text may have a name that a loss of power takes away: also one that an engine wrote which was killed. */
  private areNamesUnsynced = true;
  private settling: Promise<void> = Promise.resolve();

  /** `folder`: absolute, `.ratchet` in the root or its stand-in where the root can't be written. */
  constructor(root: string, folder: string, disk: Disk = DISK) {
    this.root = root;
    this.folder = folder;
    this.disk = disk;
  }

  /** Ids of the runs, oldest first; empty where there is no folder. Rejects with HumanError where it can't be read. */
  async runs(): Promise<readonly string[]> {
    const path = join(this.folder, 'runs');
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new HumanError('read-only', `The runs in ${path} can't be read (${error.code ?? 'unknown reason'}). It must be a folder that you may open.`);
    });
    // Ids begin with their time, so that the order of names is the order of starts.
    return names.filter((name) => RUN_ID.test(name)).sort();
  }

  /** Everything that a run's ledger holds, whatever a crash left of it. Lines of another run count as damaged. */
  async read(run: string): Promise<LedgerText> {
    return this.readBy(run, (path) => readFile(path, 'utf8'));
  }

  /** The beginning of a run's ledger, however long that is. */
  async head(run: string): Promise<LedgerText> {
    return this.readBy(run, readHead);
  }

  /** The last events of a run's ledger, however long that is. */
  async tail(run: string): Promise<LedgerText> {
    return this.readBy(run, readTail);
  }

  private async readBy(run: string, textAt: (path: string) => Promise<string>): Promise<LedgerText> {
    const path = join(this.runFolder(run), 'ledger.jsonl');
    await refuseLinks(this.folder, join(this.folder, 'runs'), this.runFolder(run), path);
    await refuseUnusual(path, MAX_LEDGER_BYTES);
    const text = await textAt(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new HumanError('no-such-run', `There is no ledger of a run ${run}.`);
      throw new HumanError('read-only', `${path} can't be read (${error.code ?? 'unknown reason'}).`);
    });
    const ledger = parseLedger(text);
    const events = ledger.events.filter((event) => event.run === run);
    return { ...ledger, events, damagedLines: ledger.damagedLines + ledger.events.length - events.length };
  }

  /** The text of a blob. Rejects with HumanError where it is missing, or isn't what was kept under that id. */
  async blob(id: BlobId): Promise<string> {
    const path = this.blobPath(id);
    await refuseLinks(this.folder, join(this.folder, 'blobs'), path);
    await refuseUnusual(path, MAX_BLOB_BYTES);
    const bytes = await readFile(path).catch(async () => {
      const day = await droppedOn(await this.unlinked(DROPPED), id);
      if (day !== undefined) throw new HumanError('missing-text', `The text ${id.slice(0, 7)} was dropped on ${day} to save space. What is known of its attempt stays.`);
      throw new HumanError('missing-text', `The text ${id.slice(0, 7)} is no longer in ${this.folder}.`);
    });
    if (blobId(bytes) !== id) throw new HumanError('missing-text', `The text ${id.slice(0, 7)} in ${this.folder} is not the one that was kept there, so it isn't used.`);
    return bytes.toString('utf8');
  }

  /** Writes a text once, beside its place and then renamed, and says under which id it stands. An event that names it makes it last. */
  async keep(text: string): Promise<BlobId> {
    const id = blobId(text);
    const path = this.blobPath(id);
    const found = await lstat(path).catch(() => undefined);
    // One of another size was torn by a crash of the system, or altered: it is written anew.
    if (found?.isFile() === true && found.size === Buffer.byteLength(text)) return id;
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      await this.disk.writeNew(draft, text);
      await this.disk.rename(draft, path);
      this.areNamesUnsynced = true;
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    return id;
  }

  /** Resolves when all texts that were kept so far outlast a loss of power. */
  async settle(): Promise<void> {
    if (this.areNamesUnsynced) {
      // One that is kept meanwhile is for the next time.
      this.areNamesUnsynced = false;
      this.settling = this.disk.syncFolder(join(this.folder, 'blobs')).catch((error: unknown) => {
        this.areNamesUnsynced = true;
        throw error;
      });
    }
    await this.settling;
  }

  /** Makes the folder of a new run, and the whole of `.ratchet` where this is the first. */
  async create(now: Date): Promise<RunLog> {
    const run = newRunId(now);
    try {
      await this.makeFolder('blobs');
      await this.makeFolder('runs');
      await this.disk.makeFolder(this.runFolder(run));
      await writeFile(this.claimOf(run), ownClaim(), { flag: 'wx' });
      return await RunLog.open(this, run);
    } catch (error) {
      await this.forget(run);
      throw storeError(error, this.folder);
    }
  }

  /** Makes a folder of the root's data where it isn't there, and the whole of `.ratchet` where this is the first. */
  async makeFolder(name: 'runs' | 'blobs' | 'checks'): Promise<string> {
    try {
      const folder = await this.unlinked(name);
      await this.disk.makeFolder(folder);
      await writeFile(join(this.folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignoreExisting);
      return folder;
    } catch (error) {
      throw storeError(error, this.folder);
    }
  }

  /** A path in the root's data, no part of which is a link. Rejects with HumanError where one is. */
  async unlinked(...names: readonly string[]): Promise<string> {
    const paths = [this.folder, ...names.map((_, index) => join(this.folder, ...names.slice(0, index + 1)))];
    await refuseLinks(...paths);
    return paths.at(-1) ?? this.folder;
  }

  /** Takes back a run whose beginning could not be written. */
  async forget(run: string): Promise<void> {
    await rm(this.runFolder(run), { recursive: true, force: true }).catch(() => undefined);
  }

  /** The file that says which process works on a run; to be renewed while it does. */
  claimOf(run: string): string {
    return join(this.runFolder(run), 'owner');
  }

  /** Whether some living process, here or elsewhere, works on the run. */
  async isClaimed(run: string): Promise<boolean> {
    return isClaimed(this.claimOf(run));
  }

  /** Claims a run that nobody works on. Rejects with HumanError where somebody does. */
  async claim(run: string): Promise<void> {
    if (await this.isClaimed(run)) throw new HumanError('busy', `Run ${run} is worked on by another process, here or on another machine.`);
    await this.disclaim(run);
    await writeFile(this.claimOf(run), ownClaim(), { flag: 'wx' }).catch((error: unknown) => {
      throw storeError(error, this.folder);
    });
  }

  /** When whoever works on the run, or did, last renewed the claim, in milliseconds since 1970. */
  async renewed(run: string): Promise<number | undefined> {
    return lstat(this.claimOf(run)).then(({ mtimeMs }) => mtimeMs, () => undefined);
  }

  /** Says that nobody works on the run any more. */
  async disclaim(run: string): Promise<void> {
    await rm(this.claimOf(run), { force: true }).catch(() => undefined);
  }

  /** Opens an existing run to append to it. */
  async append(run: string): Promise<RunLog> {
    return RunLog.open(this, run);
  }

  runFolder(run: string): string {
    if (!RUN_ID.test(run)) throw new HumanError('no-such-run', `There is no run ${JSON.stringify(run)}.`);
    return join(this.folder, 'runs', run);
  }

  private blobPath(id: BlobId): string {
    if (!BLOB_ID.test(id)) throw new HumanError('missing-text', `${JSON.stringify(id)} names no text.`);
    return join(this.folder, 'blobs', id);
  }
}

/** The open ledger of one run: append-only, in order, one event a line. */
export class RunLog {
  readonly run: string;
  private readonly store: Store;
  private readonly file: Appending;
  private seq: number;
  /** The last write failed, maybe in the middle of a line: the next event begins on a new one. */
  private torn = false;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(store: Store, run: string, file: Appending, seq: number) {
    this.store = store;
    this.run = run;
    this.file = file;
    this.seq = seq;
  }

  static async open(store: Store, run: string): Promise<RunLog> {
    const path = join(store.runFolder(run), 'ledger.jsonl');
    const file = await store.disk.append(path);
    try {
      // Its name, and those of the folders that it lies in.
      for (const folder of [store.runFolder(run), join(store.folder, 'runs'), store.folder, dirname(store.folder)]) await store.disk.syncFolder(folder);
      const known = parseLedger(await file.read());
      if (known.newerVersion !== undefined) throw newerLedger(run, known.newerVersion);
      // A line that a crash tore stays, and the next event begins on a new one.
      if (known.torn) await file.append('\n');
      return new RunLog(store, run, file, (known.events.at(-1)?.seq ?? -1) + 1);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Appends an event, after the texts that it names are on disk. What a verdict, a person or an end says is on disk before this resolves. */
  async write(event: NewEvent, now: Date): Promise<LedgerEvent> {
    const written = this.queue.then(async () => {
      const full = { v: LEDGER_VERSION, run: this.run, seq: this.seq, at: now.toISOString(), ...event } as LedgerEvent;
      const start = this.torn ? '\n' : '';
      await this.store.settle();
      this.torn = true;
      await this.file.append(start + ledgerLine(full));
      this.torn = false;
      this.seq++;
      if (LASTING.has(full.type)) await this.file.sync();
      return full;
    });
    // A write that failed (a full disk) must not take the next one with it.
    this.queue = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.queue;
    await this.file.close();
  }
}

/** Events that outlast a loss of power once they are shown. Others are lost with their attempt. */
const LASTING: ReadonlySet<LedgerEvent['type']> = new Set<LedgerEvent['type']>(['run-started', 'judged', 'waiting', 'reviewed', 'run-ended', 'run-resumed']);

/** A name that sorts by its moment, to the millisecond: "20261130-160653-577c4b" began at 16:06:53.577 UTC. */
function newRunId(now: Date): string {
  const [date = '', time = ''] = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `${date}-${time}-${String(now.getUTCMilliseconds()).padStart(3, '0')}${randomBytes(2).toString('hex').slice(1)}`;
}

export function blobId(text: string | Uint8Array): BlobId {
  return createHash('sha256').update(text).digest('hex');
}

export function newerLedger(run: string, version: number): HumanError {
  return new HumanError('newer-ledger', `Run ${run} was written by a newer Ratchet (ledger version ${version}). Update Ratchet to read it.`);
}

async function refuseLinks(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true)
      throw new HumanError('linked-store', `${path} is a link, and Ratchet doesn't follow links there. Remove it, and start again.`);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** What a failed write means to a person; our own faults stay as they are. */
export function storeError(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return new HumanError('read-only', `${folder} can't be written. Make the folder writable, or copy the project to a place that is.`);
  if (code === 'ENOTDIR' || code === 'EEXIST') return new HumanError('read-only', `${folder} can't hold a run: a file is where a folder must be. Move it away and start again.`);
  if (code === 'ENOENT') return new HumanError('read-only', `${folder} is gone. Put the folder back, or start a new run.`);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new HumanError('disk-full', `The disk is full: ${folder} can't be written. Free some space and start again.`);
  return error;
}

