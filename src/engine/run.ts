import type { Evidence, Verdict } from '../records.ts';
import { honestRun, whyNotKeepable } from '../loop/choice.ts';
import { decide, type Beside, type Case } from '../loop/judge.ts';
import { unknownLimits } from '../loop/checks/limits.ts';
import { attemptOf, textOf, type RunState } from '../loop/ledger.ts';
import { seedsItselfInside } from '../loop/random-stream.ts';
import { readProgram, waitingKeys } from '../loop/program.ts';
import { feedbackOf } from '../loop/score.ts';
import { stopNow } from '../loop/stop.ts';
import { parentIsStale } from '../loop/verifier/knowledge.ts';
import type { Care } from '../loop/verifier/next-step.ts';
import { ProposerError } from './proposers/proposer.ts';
import { BesideRuns } from './run/beside.ts';
import { Book } from './run/book.ts';
import { tokensOf, treeOf } from './code.ts';
import { candidateOf } from './run/candidate.ts';
import { canarySeen, canaryTexts } from './run/canary.ts';
import { likelyLoaded } from './run/canary-hint.ts';
import { careOf } from './run/care.ts';
import type { Measuring, RunContext } from './run/context.ts';
import { failureSentence } from './run/failure.ts';
import type { Measurement } from './run/measure.ts';
import { Measurer } from './run/measurer.ts';
import { askPatiently } from './run/patience.ts';
import { propose, type TimedProposal } from './run/propose.ts';
import { freshSeed, pairedSeed } from './run/seeds.ts';
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
    await takeChoices(context, book).catch(() => undefined);
    context.onActivity({ doing: 'ended' });
  }
  return book.state;
}

/** A person's word makes an attempt the champion, between two attempts. */
async function takeChoices(context: RunContext, book: Book): Promise<void> {
  for (const attempt of context.chosen())
    if (whyNotKeepable(book.state, attempt) === undefined) await book.write({ type: 'reviewed', attempt, action: 'kept', text: textOf(book.state, attempt) });
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
  private readonly measurer: Measurer;
  private readonly beside: BesideRuns;
  /** The target's random stream can't be varied. */
  private readonly seededInside: boolean;
  /** What the scorer printed last, for the next request. */
  private lastOutput = '';
  private inFlight: number | undefined;

  constructor(context: RunContext & Measuring, book: Book) {
    this.context = context;
    this.book = book;
    this.measurer = new Measurer(context, book);
    this.beside = new BesideRuns(context, book, this.measurer);
    const { baselineText, plan, parsers } = context;
    this.seededInside = seedsItselfInside(baselineText, treeOf(baselineText, plan.target, parsers), plan.trainPy, plan.verifier?.seed);
  }

  /** Measures the unchanged target and shows that the scorer loads it. False where the run ended over it. */
  async baseline(): Promise<boolean> {
    const { context, book } = this;
    context.onActivity({ doing: 'baseline', attempt: 0 });
    await book.write({ type: 'attempt-started', attempt: 0 });
    this.inFlight = 0;
    const gate = await this.beside.gatesOfStart();
    if (gate !== undefined) return this.unready(gate, 'gate');
    const first = await this.measurer.run({ attempt: 0, text: context.baselineText, role: 'candidate', timeoutMs: baselineTimeoutMs(context.plan), seed: context.plan.seed });
    this.lastOutput = feedbackOf(first.output);
    if (first.outcome !== 'scored' || first.reading.score === undefined) {
      const verdict = first.outcome === 'scored' ? 'no-score' : first.outcome;
      await this.judge(0, verdict, { reason: first.reading.why });
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
      await book.end('baseline-failed', baselineSentence(first, context));
      return false;
    }
    const [unknown] = unknownLimits(context.plan, honestRun(book.state));
    if (unknown !== undefined) return this.unready(`\`limits\` names \`${unknown}\`, which the scorer doesn't print on the unchanged file.${namesPrinted(first)}`, 'limit');
    if (!(await this.canary(first))) return false;
    const other = await this.beside.scorersOfStart();
    if (other !== undefined) return this.unready(other, 'stage');
    await this.judge(0, 'kept', { reason: 'The start file, unchanged.', score: first.reading.score });
    return true;
  }

  /** Ends a run that can't begin on the unchanged file. */
  private async unready(why: string, code: string): Promise<false> {
    const sentence = `No run started, because ${why}`;
    await this.judge(0, 'discarded', { reason: sentence, code });
    await this.book.end('baseline-failed', sentence);
    return false;
  }

  /** Whether a next attempt begins. Waits while the run is paused; ends the run when a rule says so. */
  async mayGoOn(): Promise<boolean> {
    const { context, book } = this;
    await this.waitWhilePaused();
    await takeChoices(context, book);
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
    const proposal = await this.whileThinking(this.asked(number, parentText), parentText);
    if (this.isStale()) await this.measureParent(book.state.champion, parentText);

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
      ...(candidate.signals.length === 0 ? {} : { signals: candidate.signals }),
    });

    await this.verify(number, parentText, candidate.text);
  }

  /** Measures candidate and parent until the judge has decided. */
  private async verify(number: number, parentText: string, text: string): Promise<void> {
    const { context, book } = this;
    const parentFailed = (): Promise<void> => this.judge(number, 'discarded', { reason: `Its parent gave no score ${MOST_FAILURES} times in a row, so the two can't be compared.` });
    for (let parentFailures = 0; ;) {
      const decision = decide(this.caseOf(number));
      if (decision.kind === 'verdict') return this.judge(number, decision.verdict, decision.evidence);
      if (decision.kind === 'waiting') return this.wait(number, decision.evidence);
      if (decision.kind === 'beside') {
        if (await this.runBeside(number, decision, decision.whose === 'parent' ? parentText : text) || decision.whose === 'candidate') continue;
        if (++parentFailures === MOST_FAILURES) return parentFailed();
        continue;
      }
      if (decision.role === 'candidate') {
        const runs = attemptOf(book.state, number)?.measurements.filter(({ role }) => role === 'candidate').length ?? 0;
        context.onActivity(runs === 0 ? { doing: 'running', attempt: number } : { doing: 'checking', attempt: number });
        const { output } = await this.measurer.run({ attempt: number, text, role: 'candidate', timeoutMs: candidateTimeoutMs(book.state), seed: this.seed() });
        if (runs === 0) this.lastOutput = feedbackOf(output);
        continue;
      }
      context.onActivity({ doing: 'checking', attempt: number });
      const seed = isConfirming(book.state) ? pairedSeed(book.state, number) : this.seed();
      if (await this.measureParent(number, parentText, seed)) continue;
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
      parentFailures++;
      if (parentFailures === MOST_FAILURES) return parentFailed();
    }
  }

  /** Runs a gate, a stage or the holdout as the judge asked. False where there is no score to go on with. */
  private async runBeside(number: number, wanted: Beside, text: string): Promise<boolean> {
    const { outcome, output } = await this.beside.run(number, wanted, text);
    // What a stage printed may help; of the holdout nothing is told.
    if (wanted.role === 'stage' && wanted.whose === 'candidate') this.lastOutput = await this.context.store.blob(output);
    return outcome === 'scored';
  }

  /** A proposal of the next edit, asked for until it comes. */
  private asked(number: number, parentText: string): Promise<TimedProposal> {
    const { context, book } = this;
    return askPatiently(() => propose(context, book.state, number, parentText, this.lastOutput), {
      wait: number > 1,
      goOn: () => !context.signal.aborted && stopNow(book.state, context.now().getTime()) === undefined,
      sleep: (ms) => context.sleep(ms),
      onFailure: (error) => this.proposalFailed(number, error),
      onWait: (note) => context.onActivity({ doing: 'retrying', attempt: number, note }),
    });
  }

  /** Uses the time in which a model thinks: the parent is run as often as its noise, or its level, is in doubt. */
  private async whileThinking<T>(asked: Promise<T>, parentText: string): Promise<T> {
    const { context, book } = this;
    let over = false;
    const settled = asked.then(() => undefined, () => undefined).then(() => { over = true; });
    await Promise.race([settled, context.sleep(THINKING_MS)]);
    for (let failures = 0; !over && failures < MOST_FAILURES && (this.noiseWanted() || this.isStale());)
      if (!(await this.measureParent(book.state.champion, parentText))) failures++;
    while (!over && !context.signal.aborted && (await this.beside.learnNoise()));
    return asked;
  }

  /** Runs the parent once more. False where that gave no score. */
  private async measureParent(attempt: number, text: string, seed = this.seed()): Promise<boolean> {
    const { book, measurer } = this;
    const job = { attempt, text, role: 'parent', timeoutMs: candidateTimeoutMs(book.state) } as const;
    const { outcome } = await measurer.run({ ...job, seed });
    if (outcome === 'scored') return true;
    if (outcome === 'cancelled' || !measurer.seeds.canVary(text)) return false;
    // It may be the other seed that it doesn't stand.
    const plain = await measurer.run({ ...job, seed: book.state.plan.seed });
    if (plain.outcome === 'scored') measurer.seeds.fixed = true;
    return plain.outcome === 'scored';
  }

  private noiseWanted(): boolean {
    const { known } = this.book.state;
    return known !== undefined && known.keeps.length === 0 && known.baselineRuns < this.care().baselineRuns && this.care().confirm !== 'off';
  }

  private isStale(): boolean {
    const { known } = this.book.state;
    return known?.grain !== undefined && this.care().confirm !== 'off' && !this.noiseWanted() && parentIsStale(known);
  }

  private care(): Care {
    return careOf(this.book.state, this.seededInside || this.measurer.seeds.fixed);
  }

  /** Every run has a seed of its own, unless a person asked for one run each: those are compared at the same seed. */
  private seed(): number {
    const { state } = this.book;
    return this.care().confirm === 'off' ? state.plan.seed : freshSeed(state);
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

  private async wait(attempt: number, evidence: Evidence): Promise<void> {
    this.inFlight = undefined;
    await this.book.write({ type: 'waiting', attempt, evidence });
  }

  private caseOf(number: number): Case {
    const { state } = this.book;
    const { known } = state;
    const attempt = attemptOf(state, number);
    const baseline = honestRun(state);
    if (baseline === undefined || known === undefined) throw new Error('The baseline is measured before the first attempt.');
    const parentTokens = state.champion === 0 ? state.baselineTokens : attemptOf(state, state.champion)?.tokens;
    return {
      plan: state.plan,
      care: this.care(),
      known,
      measurements: attempt?.measurements.filter(({ role }) => role === 'candidate') ?? [],
      signals: attempt?.signals ?? [],
      baseline,
      all: { own: attempt?.measurements ?? [], parent: attemptOf(state, state.champion)?.measurements ?? [], start: attemptOf(state, 0)?.measurements ?? [] },
      ...(attempt?.tokens === undefined ? {} : { tokens: attempt.tokens }),
      ...(parentTokens === undefined ? {} : { parentTokens }),
    };
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
        broken.push(await this.measurer.run({ attempt: 0, text, role: 'canary', timeoutMs, seed: context.plan.seed }));
        if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
        const seen = canarySeen(real, broken);
        if (seen === true) return true;
        if (seen === false) break;
        while (real.length <= broken.length) real.push(await this.measurer.run({ attempt: 0, text: context.baselineText, role: 'parent', timeoutMs, seed: this.seed() }));
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

/** Whoever answers sooner doesn't think: no run of the parent begins meanwhile. In milliseconds. */
const THINKING_MS = 50;
/** So many failed runs of the parent in a row are enough. */
const MOST_FAILURES = 3;

/** What a scorer prints besides its score, for a person who mistyped a name. */
function namesPrinted({ reading }: Measurement): string {
  const names = Object.keys(reading.metrics).slice(0, 20);
  return names.length === 0 ? ' It prints no other value than the score.' : ` It prints ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

function isConfirming({ known }: RunState): boolean {
  return known?.trial.phase === 'confirming';
}
