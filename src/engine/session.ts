import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent, RunPlan } from '../records.ts';
import type { Ask, CheckAsk, CheckProgress, ResumeAsk, RunActivity, RunSummary, StartPage, TryResult } from '../protocol.ts';
import type { CheckReport } from '../loop/audit/report.ts';
import { foldAll, type RunState } from '../loop/ledger.ts';
import { HumanError } from '../errors.ts';
import type { AllowedAnswers } from '../wire/allowed.ts';
import { Checks, type ChecksDeps } from './checks.ts';
import { Awake, type AwakeDeps } from './conditions/awake.ts';
import { ClockWatch } from './conditions/clock-watch.ts';
import type { ReadClocks } from './conditions/clocks.ts';
import { startGuard, type Guard } from './execute/guard.ts';
import { PipePool } from './execute/pipes.ts';
import { maskFor } from './known-secrets.ts';
import { pageId } from './page-id.ts';
import { createProposer } from './proposers/create.ts';
import type { Proposer } from './proposers/proposer.ts';
import { Pulse } from './pulse.ts';
import { Gate } from './run/gate.ts';
import { refuseUnresumable } from './run/resume.ts';
import { run } from './run.ts';
import { readRun } from './read-run.ts';
import { refuseUnkeepable, Reviews } from './reviews.ts';
import type { ScratchProbe } from './scratch/create.ts';
import { prepareAgain } from './start/again.ts';
import { knownBefore } from './start/before.ts';
import { prepare, type Prepared, type World } from './start/prepare.ts';
import { asSeen } from './start/seen.ts';
import { newerLedger, Store, storeError, type RunLog } from './store.ts';
import { Turns, untilAborted } from './turns.ts';
import { WorkFolders } from './work-folders.ts';

/** What a session needs from outside. */
export interface SessionDeps extends Omit<World, 'scratch'> {
  readonly build: string;
  readonly readClocks: ReadClocks;
  /** What keeps the machine awake; absent where no runs are started. */
  readonly awake?: AwakeDeps;
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

/** What came with a start and stands in no plan. */
interface Given {
  readonly env: Ask['env'];
  readonly apiKey: string | undefined;
}

/** The runs of one root: one executes at a time, others queue. */
export class Session {
  readonly store: Store;
  private readonly deps: SessionDeps;
  private readonly guard: Guard = startGuard();
  private readonly pipes = new PipePool();
  private readonly pulse = new Pulse();
  private readonly awake: Awake | undefined;
  private readonly folders: WorkFolders;
  private readonly active = new Map<string, ActiveRun>();
  /** Targets of runs that go on or are being started, relative to the root. */
  private readonly taken = new Set<string>();
  /** Starts and tries in flight: an engine with one is not idle. */
  private busy = 0;
  private closing = false;
  private readonly checks: Checks;
  private readonly reviews: Reviews;
  private readonly turns = new Turns();
  private readonly world: World;

  constructor(deps: SessionDeps) {
    this.deps = deps;
    this.store = new Store(deps.root, deps.data);
    this.reviews = new Reviews({ store: this.store, now: deps.now, onEvent: deps.onEvent, openLog: (run) => this.active.get(run)?.log });
    this.folders = new WorkFolders(deps.scratch, deps.slotFolder, this.pulse);
    this.awake = deps.awake === undefined ? undefined : new Awake(deps.awake);
    this.world = { ...deps, scratch: deps.scratch.how };
    const { store, folders, turns, world } = this;
    this.checks = new Checks({ world, store, folders, turns, measuring: (...given) => this.measuring(...given) });
  }

  get isIdle(): boolean {
    return this.active.size === 0 && this.busy === 0;
  }

  async page(ask: Ask): Promise<StartPage> {
    const prepared = await prepare(ask, this.world);
    const { page } = prepared;
    return page.plan === undefined ? page : this.withKnown(prepared, page.plan);
  }

  private async withKnown(prepared: Prepared, plan: RunPlan): Promise<StartPage> {
    const { store, deps: { parsers, now } } = this;
    const awake = this.awake === undefined ? {} : { awake: await this.awake.words(plan.keepAwake !== false) };
    return { ...prepared.page, ...await knownBefore(prepared, plan, { store, parsers, nowMs: now().getTime() }), ...awake, id: pageId(plan, prepared.page) };
  }

  /** Runs the scorer once on the unchanged target. */
  async tryOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    return this.whileBusy(() => this.checks.tryOnce(ask, signal));
  }

  /** Starts a run, or queues it behind others. Resolves with its id when its first event is on disk. */
  async start(ask: Ask, apiKey: string | undefined): Promise<string> {
    return this.whileBusy(() => this.begin(ask, apiKey));
  }

  /** Is this loopable? Waits for its turn among the runs; one that is stopped resolves with what is known so far. */
  async check(ask: CheckAsk, signal: AbortSignal, onProgress: (progress: CheckProgress) => void): Promise<CheckReport> {
    return this.whileBusy(() => this.checks.check(ask, signal, onProgress));
  }

  /** What would be run if a run that was broken off went on. Rejects with HumanError where it can't. */
  async resumePage(ask: ResumeAsk): Promise<StartPage> {
    const prepared = await this.again(ask);
    const { page } = prepared;
    return page.plan === undefined ? page : this.withKnown(prepared, page.plan);
  }

  /** Lets a run that was broken off go on, or queues it. Resolves when its first new event is on disk. */
  async resumeEnded(ask: ResumeAsk, apiKey: string | undefined): Promise<{ readonly run: string; readonly seq: number }> {
    return this.whileBusy(async () => {
      const { prepared, plan } = asSeen(await this.again(ask), ask.seen);
      const proposer = await createProposer(plan, this.deps.parsers, apiKey, (dir) => resolve(this.deps.root, dir));
      return this.taking(plan.target, async (ioFolder) => {
        // Read, and taken over, while no word of a person is being written into it.
        const { state, started } = await this.reviews.alone(async () => {
          const state = await this.unresumed(ask.run);
          await this.store.claim(ask.run);
          try {
            return { state, started: this.launch({ env: ask.env, apiKey }, prepared, plan, proposer, ioFolder, await this.store.append(ask.run), state) };
          } catch (error) {
            await this.store.disclaim(ask.run);
            throw storeError(error, this.store.folder);
          }
        });
        return { run: await started, seq: state.nextSeq };
      });
    });
  }

  private async again(ask: ResumeAsk): Promise<Prepared> {
    const state = await this.unresumed(ask.run);
    return prepareAgain(state, await this.store.blob(state.baseline), ask, this.world);
  }

  private async unresumed(run: string): Promise<RunState> {
    if (this.active.has(run)) throw new HumanError('busy', `Run ${run} is going on.`);
    const state = await readRun(this.store, run);
    refuseUnresumable(state);
    return state;
  }

  private async begin(ask: Ask, apiKey: string | undefined): Promise<string> {
    const { prepared, plan } = asSeen(await prepare(ask, this.world), ask.seen);
    const proposer = await createProposer(plan, this.deps.parsers, apiKey, (dir) => resolve(this.deps.root, dir));
    return this.taking(plan.target, async (ioFolder) => this.launch({ env: ask.env, apiKey }, prepared, plan, proposer, ioFolder, await this.store.create(this.deps.now())));
  }

  /** Makes sure that one run at a time is about a target, until it has started; what has started gives the target back itself. */
  private async taking<T>(target: string, start: (ioFolder: string) => Promise<T>): Promise<T> {
    if (this.taken.has(target))
      throw new HumanError('busy', `A run on ${target} is going on already. Stop it first (ratchet stop), or watch it.`);
    this.taken.add(target);
    let ioFolder: string | undefined;
    try {
      ioFolder = await this.folders.openIo();
      return await start(ioFolder);
    } catch (error) {
      this.taken.delete(target);
      if (ioFolder !== undefined) await this.folders.closeIo(ioFolder);
      throw error;
    }
  }

  private async launch({ env, apiKey }: Given, prepared: Prepared, plan: RunPlan, proposer: Proposer, ioFolder: string, log: RunLog, resumed?: RunState): Promise<string> {
    const claim = this.store.claimOf(log.run);
    this.pulse.hold(claim);
    const abort = new AbortController();
    const gate = new Gate();
    const chosen: number[] = [];
    const clocks = new ClockWatch(this.deps.readClocks);
    const letSleep = plan.keepAwake === false ? undefined : this.awake?.begin();
    const { before, end: endTurn } = this.turns.take();
    const { promise: written, resolve: onWritten } = Promise.withResolvers<void>();
    const ended = run({
      ...this.measuring(prepared, log.run, env),
      mask: maskFor({ ...process.env, ...env }, apiKey),
      plan,
      ioFolder,
      turn: () => untilAborted(before, abort.signal),
      openSlot: () => this.folders.openSlot(prepared.workspace, abort.signal),
      baselineText: prepared.text,
      given: prepared.given,
      ...(resumed === undefined ? {} : { resumed }),
      store: this.store,
      log,
      proposer,
      parsers: this.deps.parsers,
      projectModules: prepared.projectModules,
      build: this.deps.build,
      now: this.deps.now,
      clocks,
      readPower: this.deps.awake?.readPower ?? (() => Promise.resolve({})),
      sleep: (ms) => sleep(ms, undefined, { signal: abort.signal }).catch(() => undefined),
      signal: abort.signal,
      paused: () => gate.isClosed,
      passage: () => gate.passage(abort.signal),
      chosen: () => chosen.splice(0),
      readProgram: prepared.readProgram,
      onEvent: (event) => {
        // Whoever hears of the run reads its ledger at once.
        if (event.type === 'run-started' || event.type === 'run-resumed') this.deps.onRun({ run: log.run, active: true, target: plan.target });
        onWritten();
        this.deps.onEvent(event);
      },
      onActivity: (activity) => this.tellActivity({ run: log.run, ...activity }),
    })
      .then(() => undefined)
      .finally(async () => {
        endTurn();
        clocks.dispose();
        letSleep?.();
        this.active.delete(log.run);
        this.taken.delete(plan.target);
        this.deps.onRun({ run: log.run, active: false, target: plan.target });
        this.pulse.release(claim);
        await Promise.all([this.reviews.settled.then(() => log.close()), this.store.disclaim(log.run), this.folders.closeIo(ioFolder)]);
      });
    this.active.set(log.run, { log, abort, gate, chosen, ended, activity: { run: log.run, doing: 'queued' } });
    // A run that can't write its first event has not started: its error is the caller's.
    await Promise.race([written, ended]).catch(async (error: unknown) => {
      if (resumed === undefined) await this.store.forget(log.run);
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

  /** Remembers what a person allowed a target's scorer. */
  async allow(target: string, answer: Parameters<AllowedAnswers['add']>[1]): Promise<void> {
    await this.deps.answers?.add(target, answer);
  }

  /** Stops every run. Safe to call twice. */
  async dispose(): Promise<void> {
    this.closing = true;
    await Promise.all([this.checks.dispose(), ...[...this.active.keys()].map((id) => this.stop(id))]);
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

  private measuring(prepared: Prepared, mark: string, env: Ask['env']): ReturnType<ChecksDeps['measuring']> {
    const { confinement } = prepared;
    return { ...(confinement === undefined ? {} : { confinement }), workspace: prepared.workspace, tools: prepared.tools, env, guard: this.guard, pipes: this.pipes, mark, mask: maskFor({ ...process.env, ...env }) };
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
