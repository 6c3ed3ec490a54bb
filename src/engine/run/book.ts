import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndReason, Evidence, NewEvent, Verdict } from '../../records.ts';
import { attemptOf, fold, scoreOf, textOf, type RunState } from '../../loop/ledger.ts';
import { appendResult, resultColumns, resultLine, resultStatus } from '../../loop/results.ts';
import type { RunContext } from './context.ts';

/** A run's record while it is written: the ledger, its fold, and the table derived from it. */
export class Book {
  private current: RunState;
  private writing: Promise<void> = Promise.resolve();
  private readonly context: RunContext;

  private constructor(context: RunContext, state: RunState) {
    this.context = context;
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
    const written = this.writing.then(async () => {
      const full = await this.context.log.write(event, this.context.now());
      this.current = fold(this.current, full) ?? this.current;
      this.context.onEvent(full);
    });
    this.writing = written.catch(() => undefined);
    await written;
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
