import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent, RunPlan } from '../records.ts';
import { ANY_PROPOSER, type Ask, type CheckAsk, type CheckProgress, type RunActivity, type RunSummary, type StartPage, type TryResult } from '../protocol.ts';
import type { CheckReport } from '../loop/audit/report.ts';
import { foldAll } from '../loop/ledger.ts';
import { feedbackOf } from '../loop/score.ts';
import { HumanError } from '../errors.ts';
import { checkPrepared } from './check/prepared.ts';
import { startGuard, type Guard } from './execute/guard.ts';
import { PipePool } from './execute/pipes.ts';
import { pageId } from './page-id.ts';
import { createProposer } from './proposers/create.ts';
import type { Proposer } from './proposers/proposer.ts';
import { Pulse } from './pulse.ts';
import { Gate } from './run/gate.ts';
import { measure } from './run/measure.ts';
import { baselineTimeoutMs } from './run/timing.ts';
import { run } from './run.ts';
import { readRun } from './read-run.ts';
import { refuseUnkeepable, Reviews } from './reviews.ts';
import type { ScratchProbe } from './scratch/create.ts';
import { knownBefore } from './start/before.ts';
import { prepare, type Prepared, type World } from './start/prepare.ts';
import { newerLedger, Store, storeError, type RunLog } from './store.ts';
import { WorkFolders } from './work-folders.ts';

/** What a session needs from outside. */
export interface SessionDeps extends Omit<World, 'scratch'> {
  readonly build: string;
  /** Absolute folder of the root's data. */
  readonly data: string;
  readonly scratch: ScratchProbe;
  /** Makes a new folder for a slot, outside the workspace. */
  readonly slotFolder: () => Promise<string>;
  readonly onEvent: (event: LedgerEvent) => void;
  readonly onActivity: (activity: RunActivity) => void;
  readonly onRun: (summary: RunSummary) => void;
  /** A start or a try is over: the session may be idle now. */
  readonly onIdle: () => void;
  /** Of Ratchet's own: a run that could not even write how it ended. */
  readonly onFault: (error: unknown) => void;
}

interface ActiveRun {
  readonly log: RunLog;
  readonly abort: AbortController;
  readonly gate: Gate;
  /** Attempts that a person made the best so far, to be taken up between two attempts. */
  readonly chosen: number[];
  readonly ended: Promise<void>;
  activity: RunActivity;
}

/** The runs of one root: one executes at a time, others queue. */
export class Session {
  readonly store: Store;
  private readonly deps: SessionDeps;
  private readonly guard: Guard = startGuard();
  private readonly pipes = new PipePool();
  private readonly pulse = new Pulse();
  private readonly folders: WorkFolders;
  private readonly active = new Map<string, ActiveRun>();
  /** Targets of runs that go on or are being started, relative to the root. */
  private readonly taken = new Set<string>();
  /** Starts and tries in flight: an engine with one is not idle. */
  private busy = 0;
  private closing = false;
  /** Ends the checks that go on. */
  private readonly checks = new Map<AbortController, Promise<unknown>>();
  private readonly reviews: Reviews;
  private lastTurn: Promise<void> = Promise.resolve();
  /** Runs and checks that execute or wait for it. */
  private executing = 0;

  constructor(deps: SessionDeps) {
    this.deps = deps;
    this.store = new Store(deps.root, deps.data);
    this.reviews = new Reviews({ store: this.store, now: deps.now, onEvent: deps.onEvent, openLog: (run) => this.active.get(run)?.log });
    this.folders = new WorkFolders(deps.scratch, deps.slotFolder, this.pulse);
  }

  get isIdle(): boolean {
    return this.active.size === 0 && this.busy === 0;
  }

  async page(ask: Ask): Promise<StartPage> {
    const prepared = await this.prepare(ask);
    const { page } = prepared;
    if (page.plan === undefined) return page;
    const { store, deps: { parsers, now } } = this;
    return { ...page, ...await knownBefore(prepared, page.plan, { store, parsers, nowMs: now().getTime() }), id: pageId(page.plan, page) };
  }

  /** Runs the scorer once on the unchanged target. */
  async tryOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    return this.whileBusy(() => this.measureOnce(ask, signal));
  }

  /** Starts a run, or queues it behind others. Resolves with its id when its first event is on disk. */
  async start(ask: Ask, apiKey: string | undefined): Promise<string> {
    return this.whileBusy(() => this.begin(ask, apiKey));
  }

  /** Is this loopable? Waits for its turn among the runs; one that is stopped resolves with what is known so far. */
  async check(ask: CheckAsk, signal: AbortSignal, onProgress: (progress: CheckProgress) => void): Promise<CheckReport> {
    const own = new AbortController();
    const checked = this.whileBusy(() => this.checkInTurn(ask, AbortSignal.any([signal, own.signal]), onProgress));
    this.checks.set(own, checked.catch(() => undefined));
    return checked.finally(() => this.checks.delete(own));
  }

  private async checkInTurn(ask: CheckAsk, signal: AbortSignal, onProgress: (progress: CheckProgress) => void): Promise<CheckReport> {
    const prepared = await this.prepareToMeasure(ask);
    const { before, end } = this.takeTurn();
    try {
      const waiting = { target: prepared.page.plan?.target ?? '', doing: 'queued', done: 0, total: 0, spentMs: 0, budgetMs: 0 } as const;
      if (this.executing > 1) onProgress(waiting);
      await untilAborted(before, signal);
      onProgress({ ...waiting, doing: 'opening' });
      return await checkPrepared(prepared, ask, () => this.asSeen(prepared, ask.seen).plan, {
        ...this.measuring(prepared, `check-${randomBytes(6).toString('hex')}`, ask.env), folders: this.folders, store: this.store, parsers: this.deps.parsers, now: this.deps.now, signal, onProgress,
      });
    } finally {
      end();
    }
  }

  /** Who proposes doesn't matter for the scorer: where only that is missing, one is put in. */
  private async prepareToMeasure(ask: Ask): Promise<Prepared> {
    const asked = await this.prepare(ask);
    return asked.page.plan === undefined ? this.prepare({ ...ask, flags: { ...ask.flags, proposer: ANY_PROPOSER } }) : asked;
  }

  /** A place in the queue of those that execute: `before` resolves when it is its turn, `end` lets the next one begin. */
  private takeTurn(): { readonly before: Promise<void>; readonly end: () => void } {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const before = this.lastTurn;
    this.lastTurn = before.then(() => over);
    this.executing++;
    const end = (): void => {
      this.executing--;
      resolve();
    };
    return { before, end };
  }

  private async measureOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    const { prepared, plan } = this.asSeen(await this.prepareToMeasure(ask), ask.seen);
    const mark = `try-${randomBytes(6).toString('hex')}`;
    return this.folders.with(prepared.workspace, signal, async (slot, ioFolder) => {
      const measuring = { ...this.measuring(prepared, mark, ask.env), plan, slot, ioFolder };
      const { reading, output, durationMs } = await measure(measuring, prepared.text, 'candidate', baselineTimeoutMs(plan), signal, () => undefined);
      const { outcome, score, metrics, cases, why, candidates } = reading;
      return { outcome, metric: plan.metric, ...(score === undefined ? {} : { score }), metrics, cases, why, durationMs, candidates, output: feedbackOf(output) };
    });
  }

  private async begin(ask: Ask, apiKey: string | undefined): Promise<string> {
    const { prepared, plan } = this.asSeen(await this.prepare(ask), ask.seen);
    const proposer = await createProposer(plan, this.deps.parsers, apiKey, (dir) => resolve(this.deps.root, dir));
    if (this.taken.has(plan.target))
      throw new HumanError('busy', `A run on ${plan.target} is going on already. Stop it first (ratchet stop), or watch it.`);
    this.taken.add(plan.target);
    let ioFolder: string | undefined;
    try {
      ioFolder = await this.folders.openIo();
      return await this.launch(ask, prepared, plan, proposer, ioFolder, await this.store.create(this.deps.now()));
    } catch (error) {
      this.taken.delete(plan.target);
      if (ioFolder !== undefined) await this.folders.closeIo(ioFolder);
      throw error;
    }
  }

  private async launch(ask: Ask, prepared: Prepared, plan: RunPlan, proposer: Proposer, ioFolder: string, log: RunLog): Promise<string> {
    const claim = this.store.claimOf(log.run);
    this.pulse.hold(claim);
    const abort = new AbortController();
    const gate = new Gate();
    const chosen: number[] = [];
    const { before, end: endTurn } = this.takeTurn();
    const { promise: written, resolve: onWritten } = Promise.withResolvers<void>();
    const ended = run({
      ...this.measuring(prepared, log.run, ask.env),
      plan,
      ioFolder,
      turn: () => untilAborted(before, abort.signal),
      openSlot: () => this.folders.openSlot(prepared.workspace, abort.signal),
      baselineText: prepared.text,
      store: this.store,
      log,
      proposer,
      parsers: this.deps.parsers,
      projectModules: prepared.projectModules,
      build: this.deps.build,
      now: this.deps.now,
      sleep: (ms) => sleep(ms, undefined, { signal: abort.signal }).catch(() => undefined),
      signal: abort.signal,
      paused: () => gate.isClosed,
      passage: () => gate.passage(abort.signal),
      chosen: () => chosen.splice(0),
      readProgram: prepared.readProgram,
      onEvent: (event) => {
        onWritten();
        this.deps.onEvent(event);
      },
      onActivity: (activity) => this.tellActivity({ run: log.run, ...activity }),
    })
      .then(() => undefined)
      .finally(async () => {
        endTurn();
        this.active.delete(log.run);
        this.taken.delete(plan.target);
        this.deps.onRun({ run: log.run, active: false, target: plan.target });
        this.pulse.release(claim);
        await Promise.all([this.reviews.settled.then(() => log.close()), this.store.disclaim(log.run), this.folders.closeIo(ioFolder)]);
      });
    this.active.set(log.run, { log, abort, gate, chosen, ended, activity: { run: log.run, doing: 'queued' } });
    this.deps.onRun({ run: log.run, active: true, target: plan.target });
    // A run that can't write its first event has not started: its error is the caller's.
    await Promise.race([written, ended]).catch(async (error: unknown) => {
      await this.store.forget(log.run);
      throw storeError(error, this.store.folder);
    });
    ended.catch((error: unknown) => this.deps.onFault(error));
    return log.run;
  }

  /** Resolves when the run has ended and no process of it is left. */
  async stop(id: string): Promise<void> {
    const entry = this.activeRun(id);
    entry.abort.abort();
    entry.gate.open();
    await entry.ended.catch(() => undefined);
  }

  pause(id: string): void {
    const { gate, activity } = this.activeRun(id);
    gate.close();
    this.tellActivity(activity);
  }

  resume(id: string): void {
    const { gate, activity } = this.activeRun(id);
    gate.open();
    this.tellActivity(activity);
  }

  async runs(): Promise<readonly RunSummary[]> {
    return Promise.all((await this.store.runs()).map((id) => this.summary(id)));
  }

  /** All events so far. Rejects with HumanError for a ledger that can't be read. */
  async events(id: string): Promise<readonly LedgerEvent[]> {
    const ledger = await this.store.read(id);
    if (ledger.newerVersion !== undefined) throw newerLedger(id, ledger.newerVersion);
    return ledger.events;
  }

  activity(id: string): RunActivity {
    return this.active.get(id)?.activity ?? { run: id, doing: 'ended' };
  }

  /** Writes down that a person took an attempt's text into the file. */
  async accepted(id: string, attempt: number, text: string): Promise<void> {
    await this.reviews.accepted(id, attempt, text);
  }

  /** A person makes an attempt the best so far. `later`: of a run that goes on, when the attempt in flight is over. */
  async keep(id: string, attempt: number): Promise<'now' | 'later'> {
    refuseUnkeepable(await readRun(this.store, id), attempt);
    const entry = this.active.get(id);
    if (entry === undefined) {
      await this.reviews.kept(id, attempt);
      return 'now';
    }
    entry.chosen.push(attempt);
    return 'later';
  }

  /** Stops every run. Safe to call twice. */
  async dispose(): Promise<void> {
    this.closing = true;
    for (const own of this.checks.keys()) own.abort();
    await Promise.all([...this.checks.values(), ...[...this.active.keys()].map((id) => this.stop(id))]);
    this.pipes.dispose();
    this.pulse.dispose();
    await this.guard.dispose();
  }

  private async whileBusy<T>(work: () => Promise<T>): Promise<T> {
    if (this.closing) throw new HumanError('busy', 'The engine is ending. Try again: a new one starts by itself.');
    this.busy++;
    try {
      return await work();
    } finally {
      this.busy--;
      this.deps.onIdle();
    }
  }

  private async prepare(ask: Ask): Promise<Prepared> {
    return prepare(ask, { ...this.deps, scratch: this.deps.scratch.how });
  }

  /** What will run. Throws where something is missing, or where it isn't what the person saw. */
  private asSeen(prepared: Prepared, seen: string | undefined): { readonly prepared: Prepared; readonly plan: RunPlan } {
    const { plan } = prepared.page;
    if (plan === undefined) throw unready(prepared.page);
    if (seen !== undefined && seen !== pageId(plan, prepared.page))
      throw new HumanError('changed', 'What would run changed since it was shown, so nothing was started. Look at it again.');
    return { prepared, plan };
  }

  private measuring(prepared: Prepared, mark: string, env: Ask['env']): Pick<Parameters<typeof measure>[0], 'workspace' | 'tools' | 'env' | 'guard' | 'pipes' | 'mark'> {
    return { workspace: prepared.workspace, tools: prepared.tools, env, guard: this.guard, pipes: this.pipes, mark };
  }

  private tellActivity({ pausing, ...activity }: RunActivity): void {
    const entry = this.active.get(activity.run);
    const asked = entry?.gate.isClosed ?? pausing;
    const told: RunActivity = asked === true && activity.doing !== 'paused' && activity.doing !== 'ended' ? { ...activity, pausing: true } : activity;
    if (entry !== undefined) entry.activity = told;
    this.deps.onActivity(told);
  }

  private async summary(id: string): Promise<RunSummary> {
    const active = this.active.has(id);
    try {
      const state = foldAll((await this.store.head(id)).events) ?? foldAll(await this.events(id));
      if (state === undefined) return { run: id, active, problem: 'Its ledger has no beginning.' };
      return { run: id, active, target: state.plan.target, startedAt: state.startedAt };
    } catch (error) {
      return { run: id, active, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  private activeRun(id: string): ActiveRun {
    const entry = this.active.get(id);
    if (entry === undefined) throw new HumanError('no-such-run', `Run ${id} is not going on.`);
    return entry;
  }
}

function unready(page: StartPage): HumanError {
  return new HumanError('bad-use', page.problems.map((problem) => problem.message).join(' '));
}

async function untilAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => abort(), { once: true });
  await Promise.race([wait, aborted]);
}
