import { existsSync } from 'node:fs';
import type { Evidence, MeasurementRole, Verdict } from '../records.ts';
import { decide, type Side } from '../loop/judge.ts';
import { attemptOf, textOf, type RunState } from '../loop/ledger.ts';
import { readProgram, waitingKeys } from '../loop/program.ts';
import { feedbackOf } from '../loop/score.ts';
import { stopNow } from '../loop/stop.ts';
import { ProposerError } from './proposers/proposer.ts';
import { Book } from './run/book.ts';
import { tokensOf } from './code.ts';
import { candidateOf } from './run/candidate.ts';
import { canarySeen, canaryTexts } from './run/canary.ts';
import { likelyLoaded } from './run/canary-hint.ts';
import type { Measuring, RunContext } from './run/context.ts';
import { failureSentence } from './run/failure.ts';
import { measure, type Measurement } from './run/measure.ts';
import { askPatiently } from './run/patience.ts';
import { propose } from './run/propose.ts';
import { whenOpen } from './run/reopen.ts';
import { baselineSentence, baselineTimeoutMs, candidateTimeoutMs } from './run/timing.ts';

/**
 * The loop, the only place that knows the order of the stages: propose, edit, (execute, score, judge) until decided,
 * record. Resolves with the run's last state when it has ended, for whatever reason; how it ended is in the ledger.
 */
export async function run(context: RunContext): Promise<RunState> {
  const book = await begin(context);
  try {
    context.onActivity({ doing: 'queued' });
    await context.turn();
    // The private view is made first, which takes seconds in a large workspace.
    context.onActivity({ doing: 'baseline', attempt: 0 });
    const slot = await context.openSlot();
    await book.write({ type: 'scratch-opened', scratch: slot.kind, how: slot.how });
    try {
      await loop(new Stages({ ...context, slot }, book));
    } finally {
      await slot.dispose();
    }
  } catch (error) {
    // A server that was waited for until a rule ended the run: the rule is what ended it.
    const waited = error instanceof ProposerError && error.retryable ? stopNow(book.state, context.now().getTime()) : undefined;
    const end = waited ?? failureSentence(error, context.signal);
    await book.end(end.reason, end.sentence);
  } finally {
    context.onActivity({ doing: 'ended' });
  }
  return book.state;
}

async function loop(stages: Stages): Promise<void> {
  try {
    if (await stages.baseline()) while (await stages.mayGoOn()) await stages.attempt();
  } catch (error) {
    await stages.close();
    throw error;
  }
}

async function begin(context: RunContext): Promise<Book> {
  const { plan, store, baselineText } = context;
  const tokens = tokensOf(baselineText, plan.target, context.parsers);
  const now = plan.program === undefined ? undefined : await context.readProgram();
  const program = now === undefined ? undefined : await store.keep(now.text);
  return Book.open(context, {
    type: 'run-started',
    plan,
    baseline: await store.keep(baselineText),
    build: context.build,
    ...(tokens === undefined ? {} : { baselineTokens: tokens }),
    ...(program === undefined ? {} : { program }),
  });
}

class Stages {
  private readonly context: RunContext & Measuring;
  private readonly book: Book;
  /** What the scorer printed last, for the next request. */
  private lastOutput = '';
  private inFlight: number | undefined;

  constructor(context: RunContext & Measuring, book: Book) {
    this.context = context;
    this.book = book;
  }

  /** Measures the unchanged target and shows that the scorer loads it. False where the run ended over it. */
  async baseline(): Promise<boolean> {
    const { context, book } = this;
    context.onActivity({ doing: 'baseline', attempt: 0 });
    await book.write({ type: 'attempt-started', attempt: 0 });
    this.inFlight = 0;
    const first = await this.measured(0, context.baselineText, 'candidate', baselineTimeoutMs(context.plan));
    if (first.outcome !== 'scored' || first.reading.score === undefined) {
      const verdict = first.outcome === 'scored' ? 'no-score' : first.outcome;
      await this.judge(0, verdict, { reason: first.reading.why });
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
      await book.end('baseline-failed', baselineSentence(first, context));
      return false;
    }
    if (!(await this.canary(first))) return false;
    await this.judge(0, 'kept', { reason: 'The start file, unchanged.', score: first.reading.score });
    return true;
  }

  /** Whether a next attempt begins. Waits while the run is paused; ends the run when a rule says so. */
  async mayGoOn(): Promise<boolean> {
    const { context, book } = this;
    await this.waitWhilePaused();
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    await this.steer();
    const stop = stopNow(book.state, context.now().getTime());
    if (stop === undefined) return true;
    await book.end(stop.reason, stop.sentence);
    return false;
  }

  /** One attempt: propose, edit, (execute, score, judge) until decided, record. */
  async attempt(): Promise<void> {
    const { context, book } = this;
    const number = (book.state.attempts.at(-1)?.number ?? 0) + 1;
    const parent = book.state.champion;
    const parentText = await context.store.blob(textOf(book.state, parent));
    context.onActivity({ doing: 'thinking', attempt: number });
    const proposal = await askPatiently(() => propose(context, book.state, number, parentText, this.lastOutput), {
      wait: number > 1,
      goOn: () => !context.signal.aborted && stopNow(book.state, context.now().getTime()) === undefined,
      sleep: (ms) => context.sleep(ms),
      onFailure: (error) => this.proposalFailed(number, error),
      onWait: (note) => context.onActivity({ doing: 'retrying', attempt: number, note }),
    });

    this.inFlight = number;
    await book.write({ type: 'attempt-started', attempt: number, parent });
    await book.write({
      type: 'proposed',
      attempt: number,
      request: await context.store.keep(proposal.request),
      reply: await context.store.keep(proposal.reply),
      durationMs: proposal.durationMs,
      ...(proposal.usage === undefined ? {} : { usage: proposal.usage }),
    });

    const candidate = candidateOf(parentText, proposal.reply, book.state.plan, context.parsers, context.projectModules);
    if (!candidate.ok) {
      await this.judge(number, 'refused', { reason: candidate.reason, code: candidate.code }, candidate.hypothesis);
      return;
    }
    await book.write({
      type: 'edited',
      attempt: number,
      candidate: await context.store.keep(candidate.text),
      hypothesis: candidate.hypothesis,
      addedLines: candidate.addedLines,
      removedLines: candidate.removedLines,
      ...(candidate.tokens === undefined ? {} : { tokens: candidate.tokens }),
    });

    for (;;) {
      const decision = decide(this.evidence(number, parent));
      if (decision.kind === 'verdict') {
        await this.judge(number, decision.verdict, decision.evidence);
        return;
      }
      context.onActivity({ doing: 'running', attempt: number });
      await this.measured(number, candidate.text, decision.role, candidateTimeoutMs(book.state));
    }
  }

  /** What a request cost counts, whatever came of it. An honest end, and a stop, are the run's end and no failure. */
  private async proposalFailed(attempt: number, error: ProposerError): Promise<void> {
    if (error.reason === 'nothing-left' || error.reason === 'cancelled') return;
    await this.book.write({ type: 'proposal-failed', attempt, why: error.message, ...(error.usage === undefined ? {} : { usage: error.usage }) });
  }

  /** An attempt that was in flight when the run broke off gets its verdict too. */
  async close(): Promise<void> {
    if (this.inFlight !== undefined) await this.judge(this.inFlight, 'cancelled', { reason: 'The run ended before it was decided.' }).catch(() => undefined);
  }

  private async judge(number: number, verdict: Verdict, evidence: Evidence, hypothesis?: string): Promise<void> {
    this.inFlight = undefined;
    await this.book.judge(number, verdict, evidence, hypothesis);
  }

  private evidence(number: number, parent: number): Parameters<typeof decide>[0] {
    const { state } = this.book;
    const baseline = attemptOf(state, 0)?.measurements[0];
    if (baseline === undefined) throw new Error('The baseline is measured before the first attempt.');
    return { plan: state.plan, candidate: this.side(number), parent: this.side(parent), baseline };
  }

  private side(number: number): Side {
    const attempt = attemptOf(this.book.state, number);
    const tokens = number === 0 ? this.book.state.baselineTokens : attempt?.tokens;
    return { measurements: attempt?.measurements ?? [], ...(tokens === undefined ? {} : { tokens }) };
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

  /** Measures a text for an attempt and writes it down. */
  private async measured(attempt: number, text: string, role: MeasurementRole, timeoutMs: number): Promise<Measurement> {
    const { context, book } = this;
    const result = await whenOpen(() => measure(context, text, role, timeoutMs, context.signal, this.noteOf(attempt)), {
      inVain: () => context.signal.aborted || !existsSync(context.workspace.root),
      sleep: (ms) => context.sleep(ms),
      onWait: () => context.onActivity({ doing: 'running', attempt, note: 'waiting for a folder of the project that is being made anew' }),
    });
    const { reading } = result;
    if (role === 'candidate') this.lastOutput = feedbackOf(result.output);
    await book.write({
      type: 'measured',
      attempt,
      role,
      seed: result.seed,
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

  /** Breaks the target on purpose: a scorer that doesn't notice never loads it. False where the run ended over it. */
  private async canary(first: Measurement): Promise<boolean> {
    const { context, book } = this;
    context.onActivity({ doing: 'canary', attempt: 0 });
    const timeoutMs = candidateTimeoutMs(book.state);
    const real = [first];
    for (const text of canaryTexts(context.plan.target)) {
      const broken: Measurement[] = [];
      for (;;) {
        broken.push(await this.measured(0, text, 'canary', timeoutMs));
        if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
        const seen = canarySeen(real, broken);
        if (seen === true) return true;
        if (seen === false) break;
        while (real.length <= broken.length) real.push(await this.measured(0, context.baselineText, 'parent', timeoutMs));
      }
    }
    const loaded = await likelyLoaded(context.workspace);
    await this.judge(0, 'discarded', { reason: 'The scorer gives the same outcome when the file is broken.', code: 'canary' });
    await book.end('canary', `Your scorer never loaded the file you want to improve: breaking ${context.plan.target} changed nothing. ${loaded}`);
    return false;
  }

  private async waitWhilePaused(): Promise<void> {
    const { context, book } = this;
    if (!context.paused()) return;
    await book.write({ type: 'steered', what: 'paused' });
    context.onActivity({ doing: 'paused' });
    await context.passage();
    if (!context.signal.aborted) await book.write({ type: 'steered', what: 'resumed' });
  }

  /** Reads program.md again: an edit steers the next attempt. A text with mistakes steers nothing, and that is told once. */
  private async steer(): Promise<void> {
    const { context, book } = this;
    if (context.plan.program === undefined) return;
    const now = await context.readProgram();
    if (now === undefined) return;
    const [problem] = now.program.problems;
    if (problem !== undefined) {
      const why = `${context.plan.program}:${problem.line}: ${problem.message} The program as it was before stays in force.`;
      if (why !== book.state.programProblem) await book.write({ type: 'steered', what: 'program-ignored', why });
      return;
    }
    const program = await context.store.keep(now.text);
    if (program === book.state.program && book.state.programProblem === undefined) return;
    const before = book.state.program === undefined ? {} : readProgram(await context.store.blob(book.state.program)).choices;
    const waits = waitingKeys(before, now.program.choices);
    await book.write({ type: 'steered', what: 'program', program, live: now.live, ...(waits.length === 0 ? {} : { waits }) });
  }
}

/** A client can be slow: it is told of output at most so often. */
const NOTE_MS = 250;
const MAX_NOTE_CHARS = 200;

/** Of a scorer's output, what the ledger keeps. */
const MAX_STORED_CHARS = 2_000_000;
