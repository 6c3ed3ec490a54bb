import type { LedgerEvent, NewEvent } from '../records.ts';
import { whyNotKeepable } from '../loop/choice.ts';
import { attemptOf, textOf, type RunState } from '../loop/ledger.ts';
import { HumanError } from '../errors.ts';
import { readRun } from './read-run.ts';
import type { RunLog, Store } from './store.ts';

/** What reviews need from the session. */
export interface ReviewDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly onEvent: (event: LedgerEvent) => void;
  /** The log of a run that goes on. */
  readonly openLog: (run: string) => RunLog | undefined;
}

/** What people decide about attempts, written into the ledgers. One after the other: two logs open on one ledger would count the same numbers. */
export class Reviews {
  private readonly deps: ReviewDeps;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(deps: ReviewDeps) {
    this.deps = deps;
  }

  /** Resolves when all is written that was asked for so far. */
  get settled(): Promise<unknown> {
    return this.writing;
  }

  /** A person took an attempt's text into the file. */
  async accepted(run: string, attempt: number, text: string): Promise<void> {
    const state = await readRun(this.deps.store, run);
    if (attemptOf(state, attempt) === undefined) throw new HumanError('no-such-attempt', `Run ${run} has no attempt ${attempt}.`);
    await this.write(run, { type: 'reviewed', attempt, action: 'accepted', text: await this.deps.store.keep(text) });
  }

  /** A person makes an attempt of a run that has ended the best so far. */
  async kept(run: string, attempt: number): Promise<void> {
    const state = await readRun(this.deps.store, run);
    refuseUnkeepable(state, attempt);
    await this.write(run, { type: 'reviewed', attempt, action: 'kept', text: textOf(state, attempt) });
  }

  /** Does something with an ended run's ledger while nothing else is written into it. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => undefined);
    return done;
  }

  private async write(run: string, event: NewEvent): Promise<void> {
    const written = this.alone(async () => {
      const open = this.deps.openLog(run);
      const log = open ?? (await this.deps.store.append(run));
      try {
        return await log.write(event, this.deps.now());
      } finally {
        if (open === undefined) await log.close();
      }
    });
    this.deps.onEvent(await written);
  }
}

/** Throws where a person can't make this attempt the best so far. */
export function refuseUnkeepable(state: RunState, attempt: number): void {
  const why = whyNotKeepable(state, attempt);
  if (why !== undefined) throw new HumanError('no-such-attempt', why);
}
