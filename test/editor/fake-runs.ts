import { createHash } from 'node:crypto';
import type { RunChange, RunSource, RunView } from '../../src/editor/run-source.ts';
import { fold } from '../../src/loop/ledger.ts';
import type { RunActivity } from '../../src/protocol.ts';
import { LEDGER_VERSION, type BlobId, type LedgerEvent, type NewEvent, type RunPlan, type Verdict } from '../../src/records.ts';
import { measured, plan } from '../loop/events.ts';

export const blobOf = (text: string): BlobId => createHash('sha256').update(text).digest('hex');

/** One attempt, told in a few words. */
export interface Told {
  readonly number: number;
  readonly parent?: number;
  readonly verdict?: Verdict;
  readonly score?: number;
  readonly hypothesis?: string;
  readonly text?: string;
  readonly reason?: string;
  readonly output?: string;
}

/** Runs without an engine: a test tells their events. */
export class FakeRuns implements RunSource {
  private readonly listeners = new Set<(change: RunChange) => unknown>();
  private readonly views = new Map<string, RunView>();
  private readonly texts = new Map<BlobId, string>();

  readonly onDidChange: RunSource['onDidChange'] = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => { this.listeners.delete(listener); } };
  };

  get runs(): readonly RunView[] {
    return [...this.views.values()].reverse();
  }

  view(run: string): RunView | undefined {
    return this.views.get(run);
  }

  text(_run: string, blob: BlobId): Promise<string> {
    const text = this.texts.get(blob);
    return text === undefined ? Promise.reject(new Error(`The text ${blob.slice(0, 7)} is no longer there.`)) : Promise.resolve(text);
  }

  /** Forgets the runs, and keeps the texts. */
  clear(): void {
    this.views.clear();
    this.fire({});
  }

  keep(text: string): BlobId {
    const blob = blobOf(text);
    this.texts.set(blob, text);
    return blob;
  }

  /** A run with its baseline measured. */
  begin(run: string, root: string, baseline: string, score: number, given: Partial<RunPlan> = {}): void {
    this.views.set(run, { run, root, activity: { run, doing: 'thinking' } });
    this.event(run, { type: 'run-started', plan: { ...plan, ...given }, baseline: this.keep(baseline), build: 'test' });
    this.event(run, { type: 'attempt-started', attempt: 0 });
    this.event(run, measured(0, score, { output: this.keep(`score: ${score}\n`) }));
    this.event(run, { type: 'judged', attempt: 0, verdict: 'kept', evidence: { reason: 'The start file.', score } });
    this.fire({});
  }

  /** All events of an attempt, as far as it is told. */
  attempt(run: string, { number, parent = 0, verdict, score, hypothesis = `idea ${number}`, text, reason = 'Because.', output = `score: ${score}\n` }: Told): void {
    const parentScore = this.view(run)?.state?.attempts[parent]?.evidence?.score;
    this.tell(run, { type: 'attempt-started', attempt: number, parent });
    this.tell(run, { type: 'proposed', attempt: number, request: this.keep(`request ${number}\n`), reply: this.keep(`reply ${number}\n`), durationMs: 5 });
    if (text !== undefined) this.tell(run, { type: 'edited', attempt: number, candidate: this.keep(text), hypothesis, addedLines: 1, removedLines: 1 });
    if (score !== undefined) this.tell(run, measured(number, score, { output: this.keep(output) }));
    if (verdict === undefined) return;
    this.tell(run, { type: 'judged', attempt: number, verdict, evidence: { reason, ...(score === undefined ? {} : { score }), ...(parentScore === undefined ? {} : { parentScore }) }, ...(text === undefined ? { hypothesis } : {}) });
  }

  tell(run: string, event: NewEvent): void {
    this.event(run, event);
    this.fire({ run, ...('attempt' in event ? { attempt: event.attempt } : {}) });
  }

  activity(activity: RunActivity): void {
    const view = this.views.get(activity.run);
    if (view === undefined) throw new Error(`There is no run ${activity.run}.`);
    this.views.set(activity.run, { ...view, activity });
    this.fire({ run: activity.run, ...(activity.attempt === undefined ? {} : { attempt: activity.attempt }) });
  }

  fire(change: RunChange): void {
    for (const listener of this.listeners) listener(change);
  }

  private event(run: string, event: NewEvent): void {
    const view = this.views.get(run);
    if (view === undefined) throw new Error(`There is no run ${run}.`);
    const seq = view.state?.nextSeq ?? 0;
    const whole = { v: LEDGER_VERSION, run, seq, at: new Date(Date.UTC(2026, 10, 30, 12, 0, seq)).toISOString(), ...event } as LedgerEvent;
    const state = fold(view.state, whole);
    this.views.set(run, state === undefined ? view : { ...view, state });
  }
}
