import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Samples } from '../../loop/audit/evidence.ts';
import { OUTCOMES } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { refuseUnusual } from '../store/plain.ts';
import { storeError, type Store } from '../store.ts';

/** What a check of one text and one scorer has measured so far. */
export interface CheckRecord {
  readonly samples: Samples;
  /** How the candidate was put in the target's place. */
  readonly scratch?: string;
}

const NOTHING: CheckRecord = { samples: {} };
/** Of each text that was checked one file stays; so many are enough. */
const MOST_RECORDS = 50;
const MOST_BYTES = 16 * 2 ** 20;

const sample = v.looseObject({
  order: v.number(), outcome: v.picklist(OUTCOMES), score: v.optional(v.number()), durationMs: v.number(), seed: v.number(), why: v.string(), values: v.number(),
  cases: v.optional(v.number()), claimed: v.optional(v.number()), signs: v.array(v.picklist(['canary', 'input', 'cache', 'watch'])), altered: v.array(v.string()),
});
const record = v.looseObject({ v: v.literal(1), samples: v.record(v.string(), sample), scratch: v.optional(v.string()) });

/** What checks found, in `.ratchet/checks/`: a file for each text and scorer, by its key. */
export class CheckRecords {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  /** Empty where nothing was kept, or nothing that can be read. */
  async read(key: string): Promise<CheckRecord> {
    const text = await this.store.unlinked('checks', `${key}.json`).then(async (path) => {
      await refuseUnusual(path, MOST_BYTES);
      return readFile(path, 'utf8');
    }).catch(() => undefined);
    if (text === undefined) return NOTHING;
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), record), text);
    // Optional fields of the schema are ones that are absent, never undefined: it was JSON.
    return parsed.success ? (parsed.output as CheckRecord) : NOTHING;
  }

  /** Written beside its place and renamed: a reader finds the one or the other. Rejects with HumanError where the folder can't be written. */
  async write(key: string, { samples, scratch }: CheckRecord): Promise<void> {
    const folder = await this.store.makeFolder('checks');
    const path = join(folder, `${key}.json`);
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(draft, JSON.stringify({ v: 1, samples, scratch }), { flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw forAPerson(error, folder);
    }
  }

  async forget(key: string): Promise<void> {
    await this.store.unlinked('checks', `${key}.json`).then((path) => rm(path, { force: true, recursive: true }));
  }

  /** Removes the oldest records beyond those that are enough, and drafts that a crash left. */
  async tidy(): Promise<void> {
    const folder = await this.store.unlinked('checks');
    const names = await readdir(folder).catch(() => []);
    const aged = await Promise.all(names.map(async (name) => ({ path: join(folder, name), changedMs: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })));
    const old = aged.sort((a, b) => b.changedMs - a.changedMs).slice(MOST_RECORDS);
    await Promise.all(old.map(({ path }) => rm(path, { force: true, recursive: true }).catch(() => undefined)));
  }
}

function forAPerson(error: unknown, folder: string): unknown {
  const told = storeError(error, folder);
  const { code } = error as NodeJS.ErrnoException;
  return told instanceof HumanError || code === undefined ? told : new HumanError('read-only', `What a check measured can't be kept in ${folder} (${code}). Move away what is in its place, and try again.`);
}
