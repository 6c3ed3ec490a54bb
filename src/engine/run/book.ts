import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndReason, Evidence, NewEvent, Verdict } from '../../records.ts';
import { LEAST_MS, NO_SLIPS, slipsSince, slipWords, type Slips } from '../../loop/clocks.ts';
import { attemptOf, fold, scoreOf, textOf, type RunState } from '../../loop/ledger.ts';
import { appendResult, resultColumns, resultLine, resultStatus } from '../../loop/results.ts';
import { stopNow, type Stop } from '../../loop/stop.ts';
import type { RunContext } from './context.ts';

/** A run's record while it is written: the ledger, its fold, and the table derived from it. */
export class Book {
  private current: RunState;
  private writing: Promise<void> = Promise.resolve();
  private readonly context: RunContext;
  /** Up to here the slips of the clock are written down. */
  private slips: Slips;

  private constructor(context: RunContext, state: RunState) {
    this.context = context;
    this.slips = context.clocks.slips();
    this.current = state;
  }

  /** Writes the first event, of the run or since it was resumed. */
  static async open(context: RunContext, first: Extract<NewEvent, { type: 'run-started' | 'run-resumed' }>): Promise<Book> {
    const event = await context.log.write(first, context.now());
    const state = fold(context.resumed, event);
    if (state === undefined) throw new Error('A run-started event folds into a run.');
    context.onEvent(event);
    return new Book(context, state);
  }

  get state(): RunState {
    return this.current;
  }

  /** Writes an event to the ledger, folds it, and tells who listens. One after the other: the parent is measured while a proposer thinks. */
  async write(event: NewEvent): Promise<void> {
    await this.inTurn(async () => {
      await this.tellSlips();
      await this.append(event);
    });
  }

  /** Why the run must end by now. The sleep of the machine, and a clock that was set, neither end nor prolong its hours. */
  async stop(): Promise<Stop | undefined> {
    await this.inTurn(() => this.tellSlips());
    return stopNow(this.current, this.context.now().getTime());
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.writing.then(work);
    this.writing = done.catch(() => undefined);
    await done;
  }

  private async append(event: NewEvent): Promise<void> {
    const full = await this.context.log.write(event, this.context.now());
    this.current = fold(this.current, full) ?? this.current;
    this.context.onEvent(full);
  }

  /** What comes after it in the ledger is dated by the clock as it goes now. */
  private async tellSlips(): Promise<void> {
    const now = this.context.clocks.slips();
    const { sleptMs, setMs } = slipsSince(this.slips, now);
    // What is too small for now is told when it has grown.
    const told = { sleptMs: sleptMs < LEAST_MS ? 0 : sleptMs, setMs: Math.abs(setMs) < LEAST_MS ? 0 : setMs };
    this.slips = { ...this.slips, sleptMs: this.slips.sleptMs + told.sleptMs, setMs: this.slips.setMs + told.setMs };
    if (told.sleptMs !== 0) await this.append({ type: 'clock-slipped', what: 'slept', slippedMs: told.sleptMs });
    if (told.setMs !== 0) await this.append({ type: 'clock-slipped', what: 'set', slippedMs: told.setMs });
    for (const words of [slipWords({ ...NO_SLIPS, sleptMs: told.sleptMs }), slipWords({ ...NO_SLIPS, setMs: told.setMs })])
      if (words !== undefined) await this.append({ type: 'noted', sentence: `${capital(words)}. That is no time of the run.` });
  }

  /** Writes an attempt's verdict, and its row of results.tsv. */
  async judge(attempt: number, verdict: Verdict, evidence: Evidence, hypothesis?: string): Promise<void> {
    await this.write({ type: 'judged', attempt, verdict, evidence, ...(hypothesis === undefined ? {} : { hypothesis }) });
    await this.addResult(attempt, verdict);
  }

  async end(reason: EndReason, sentence: string, needs?: readonly string[]): Promise<void> {
    await this.write({ type: 'run-ended', reason, sentence, ...(needs === undefined ? {} : { needs }) });
  }

  private async addResult(number: number, verdict: Verdict): Promise<void> {
    const path = join(this.context.store.runFolder(this.context.log.run), 'results.tsv');
    const attempt = attemptOf(this.current, number);
    const measured = attempt?.measurements.findLast((measurement) => measurement.role === 'candidate');
    const score = scoreOf(attempt);
    const vramMb = measured?.metrics?.['peak_vram_mb'];
    const row = {
      commit: textOf(this.current, number).slice(0, 7),
      ...(score === undefined || resultStatus(verdict) === 'crash' ? {} : { score }),
      ...(vramMb === undefined ? {} : { memoryGb: vramMb / 1024 }),
      status: resultStatus(verdict),
      description: number === 0 ? 'baseline' : (attempt?.hypothesis ?? ''),
    };
    await appendFile(path, number === 0 ? appendResult('', row, this.current.plan.metric) : resultLine(row, resultColumns(this.current.plan.metric)));
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
