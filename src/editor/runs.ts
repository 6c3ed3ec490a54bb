import { join } from 'node:path';
import { EventEmitter, l10n, type Disposable, type LogOutputChannel } from 'vscode';
import { fold } from '../loop/ledger.ts';
import type { RunActivity, RunSummary } from '../protocol.ts';
import type { BlobId, LedgerEvent } from '../records.ts';
import { follow } from '../wire/follow.ts';
import type { Connected, Engines, RootEngine } from './connection.ts';
import type { EngineLink } from './connection/link.ts';
import { Refusal, sentenceOf } from './errors.ts';
import type { RunChange, RunSource, RunView } from './run-source.ts';

/** The runs of this window's engines, folded from their events. */
export class Runs implements RunSource, Disposable {
  private readonly engines: Engines;
  private readonly log: LogOutputChannel;
  private readonly views = new Map<string, RunView>();
  private readonly changes = new EventEmitter<RunChange>();
  private readonly subscriptions: readonly Disposable[];
  readonly onDidChange = this.changes.event;

  constructor(engines: Engines, log: LogOutputChannel) {
    this.engines = engines;
    this.log = log;
    this.subscriptions = [
      engines.onDidConnect((connected) => void this.attach(connected).catch((error: unknown) => log.error(`[runs] ${String(error)}`))),
      engines.onDidLose((engine) => this.detach(engine)),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changes.dispose();
  }

  get runs(): readonly RunView[] {
    // Ids begin with their time.
    return [...this.views.values()].sort((a, b) => (a.run < b.run ? 1 : -1));
  }

  view(run: string): RunView | undefined {
    return this.views.get(run);
  }

  async text(run: string, blob: BlobId): Promise<string> {
    const link = await this.engine(run).open();
    return link.request('ratchet/text', { blob });
  }

  /** The engine that a run belongs to. */
  engine(run: string): RootEngine {
    const view = this.views.get(run);
    if (view === undefined) throw new Refusal(l10n.t('There is no run {0} in this window.', run));
    return this.engines.of(view.root);
  }

  /** Learns an engine's runs, newest first, and follows each. */
  private async attach({ engine, link }: Connected): Promise<void> {
    const followed = new Set<string>();
    link.on('ratchet/activity', (activity) => this.onActivity(activity));
    link.on('ratchet/run', (summary) => this.run(this.onSummary(engine, link, summary, followed)));
    for (const summary of [...(await link.request('ratchet/runs', {}))].reverse()) await this.onSummary(engine, link, summary, followed);
    this.changes.fire({});
  }

  private async onSummary(engine: RootEngine, link: EngineLink, summary: RunSummary, followed: Set<string>): Promise<void> {
    const { run, active, problem } = summary;
    const known = this.views.get(run);
    if (known === undefined)
      this.put({ run, root: engine.root, activity: { run, doing: active ? 'queued' : 'ended' }, ...(problem === undefined ? {} : { problem }) });
    else if (problem === undefined && known.problem !== undefined) this.put(withoutProblem(known));
    else if (!active) this.put({ ...known, activity: { run, doing: 'ended' } });
    if (known === undefined) this.changes.fire({});
    else this.changes.fire({ run });
    if (problem !== undefined || followed.has(run)) return;
    followed.add(run);
    await this.follow(link, run);
  }

  /** Folds the run's events: its past at once, later ones as they come. */
  private async follow(link: EngineLink, run: string): Promise<void> {
    let past = true;
    try {
      await follow(link, run, (event) => this.onEvent(event, past));
    } catch (error) {
      const view = this.views.get(run);
      if (view !== undefined) this.put({ ...view, problem: sentenceOf(error) ?? String(error) });
    }
    past = false;
    const view = this.views.get(run);
    if (view?.state !== undefined) link.sync(join(view.root, view.state.plan.target));
    this.changes.fire({ run });
  }

  private onEvent(event: LedgerEvent, past: boolean): void {
    const view = this.views.get(event.run);
    if (view === undefined) return;
    const state = fold(view.state, event);
    if (state === undefined || state === view.state) return;
    this.put({ ...view, state });
    if (!past) this.changes.fire({ run: event.run, ...('attempt' in event ? { attempt: event.attempt } : {}) });
  }

  private onActivity(activity: RunActivity): void {
    const view = this.views.get(activity.run);
    if (view === undefined) return;
    this.put({ ...view, activity });
    this.changes.fire({ run: activity.run, ...(activity.attempt === undefined ? {} : { attempt: activity.attempt }) });
  }

  /** An engine that is gone runs nothing. */
  private detach(engine: RootEngine): void {
    for (const view of this.views.values())
      if (view.root === engine.root && view.activity.doing !== 'ended') this.put({ ...view, activity: { run: view.run, doing: 'ended' } });
    this.changes.fire({});
  }

  private put(view: RunView): void {
    this.views.set(view.run, view);
  }

  private run(work: Promise<void>): void {
    work.catch((error: unknown) => this.log.error(`[runs] ${String(error)}`));
  }
}

/** What went wrong on the way to a run is over when its engine answers again. */
function withoutProblem({ problem, ...view }: RunView): RunView {
  return view;
}

/** Whether a run is going on, as far as its engine said. */
export function isActive(view: RunView): boolean {
  return view.activity.doing !== 'ended';
}

/** The run that a person most likely means: the newest that goes on, else the newest. */
export function mainRun(runs: readonly RunView[]): RunView | undefined {
  return runs.find(isActive) ?? runs[0];
}
