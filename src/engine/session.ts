import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent, RunPlan } from '../records.ts';
import { ANY_PROPOSER, type Ask, type RunActivity, type RunSummary, type StartPage, type TryResult } from '../protocol.ts';
import { attemptOf, foldAll } from '../loop/ledger.ts';
import { feedbackOf } from '../loop/score.ts';
import { HumanError } from '../errors.ts';
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
import type { ScratchProbe } from './scratch/create.ts';
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
  private reviewing: Promise<unknown> = Promise.resolve();
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(deps: SessionDeps) {
    this.deps = deps;
    this.store = new Store(deps.root, deps.data);
    this.folders = new WorkFolders(deps.scratch, deps.slotFolder, this.pulse);
  }

  get isIdle(): boolean {
    return this.active.size === 0 && this.busy === 0;
  }

  async page(ask: Ask): Promise<StartPage> {
    const { page } = await this.prepare(ask);
    return page.plan === undefined ? page : { ...page, id: pageId(page.plan, page) };
  }

  /** Runs the scorer once on the unchanged target. */
  async tryOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    return this.whileBusy(() => this.measureOnce(ask, signal));
  }

  /** Starts a run, or queues it behind others. Resolves with its id when its first event is on disk. */
  async start(ask: Ask, apiKey: string | undefined): Promise<string> {
    return this.whileBusy(() => this.begin(ask, apiKey));
  }

  private async measureOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    const asked = await this.prepare(ask);
    // Who proposes doesn't matter for one try: where only that is missing, one is put in.
    const { prepared, plan } = this.asSeen(asked.page.plan === undefined ? await this.prepare({ ...ask, flags: { ...ask.flags, proposer: ANY_PROPOSER } }) : asked, ask.seen);
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
    const { promise: turnOver, resolve: endTurn } = Promise.withResolvers<void>();
    const before = this.lastTurn;
    this.lastTurn = before.then(() => turnOver);
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
        await Promise.all([this.reviewing.then(() => log.close()), this.store.disclaim(log.run), this.folders.closeIo(ioFolder)]);
      });
    this.active.set(log.run, { log, abort, gate, ended, activity: { run: log.run, doing: 'queued' } });
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
    const state = foldAll(await this.events(id));
    if (state === undefined || attemptOf(state, attempt) === undefined) throw new HumanError('no-such-attempt', `Run ${id} has no attempt ${attempt}.`);
    const blob = await this.store.keep(text);
    // One after the other: two logs open on one ledger would count the same numbers.
    const review = this.reviewing.then(async () => {
      const open = this.active.get(id)?.log;
      const log = open ?? (await this.store.append(id));
      try {
        return await log.write({ type: 'reviewed', attempt, action: 'accepted', text: blob }, this.deps.now());
      } finally {
        if (open === undefined) await log.close();
      }
    });
    this.reviewing = review.catch(() => undefined);
    this.deps.onEvent(await review);
  }

  /** Stops every run. Safe to call twice. */
  async dispose(): Promise<void> {
    this.closing = true;
    await Promise.all([...this.active.keys()].map((id) => this.stop(id)));
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
