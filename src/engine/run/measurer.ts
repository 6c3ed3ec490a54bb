import { existsSync } from 'node:fs';
import type { MeasurementRole } from '../../records.ts';
import { feedbackOf } from '../../loop/score.ts';
import type { Book } from './book.ts';
import type { Measuring, RunContext } from './context.ts';
import { measure, type Measurement } from './measure.ts';
import { whenOpen } from './reopen.ts';
import { SeedPlaces } from './seeds.ts';

/** What is measured, and for which attempt. */
export interface Job {
  readonly attempt: number;
  readonly text: string;
  readonly role: MeasurementRole;
  readonly timeoutMs: number;
  readonly seed: number;
}

/** Runs the scorer on one text after the other, and writes each run down. */
export class Measurer {
  readonly seeds: SeedPlaces;
  private readonly context: RunContext & Measuring;
  private readonly book: Book;

  constructor(context: RunContext & Measuring, book: Book) {
    this.context = context;
    this.book = book;
    this.seeds = new SeedPlaces(context.plan, context.parsers);
  }

  async run({ attempt, text, role, timeoutMs, seed }: Job): Promise<Measurement> {
    const { context, book } = this;
    const placed = this.seeds.seeded(text, seed);
    const result = await whenOpen(() => measure(context, placed, role, timeoutMs, context.signal, this.noteOf(attempt), seed), {
      inVain: () => context.signal.aborted || !existsSync(context.workspace.root),
      sleep: (ms) => context.sleep(ms),
      onWait: () => context.onActivity({ doing: 'running', attempt, note: 'waiting for a folder of the project that is being made anew' }),
    });
    const { reading } = result;
    await book.write({
      type: 'measured',
      attempt,
      role,
      seed,
      outcome: result.outcome,
      why: reading.why,
      values: reading.values,
      source: reading.source,
      durationMs: result.durationMs,
      output: await context.store.keep(feedbackOf(result.output, MAX_STORED_CHARS)),
      ...(reading.score === undefined ? {} : { score: reading.score }),
      ...(Object.keys(reading.metrics).length === 0 ? {} : { metrics: reading.metrics }),
      ...(reading.cases.length === 0 ? {} : { cases: reading.cases }),
      ...(reading.conflict === undefined ? {} : { conflict: reading.conflict }),
      ...(result.altered.length === 0 ? {} : { altered: result.altered }),
      ...(result.survivors.length === 0 ? {} : { survivors: result.survivors }),
    });
    return result;
  }

  /** What a run prints, for the screen: a line now and then. */
  private noteOf(attempt: number): (line: string) => void {
    const { context } = this;
    let lastMs = 0;
    return (line) => {
      const nowMs = context.now().getTime();
      if (nowMs - lastMs < NOTE_MS) return;
      lastMs = nowMs;
      context.onActivity({ doing: 'running', attempt, note: line.slice(0, MAX_NOTE_CHARS) });
    };
  }
}

/** A client can be slow: it is told of output at most so often. */
const NOTE_MS = 250;
const MAX_NOTE_CHARS = 200;

/** Of a scorer's output, what the ledger keeps. */
const MAX_STORED_CHARS = 2_000_000;
