import { honestRun, whyNotKeepable } from '../loop/choice.ts';
import { brokenLimit, unknownLimits } from '../loop/checks/limits.ts';
import { attemptOf, textOf, type RunState } from '../loop/ledger.ts';
import type { Stop } from '../loop/stop.ts';
import { lastQuarterBegan } from '../loop/night.ts';
import { readProgram, waitingKeys } from '../loop/program.ts';
import { feedbackOf } from '../loop/score.ts';
import { verifierOf } from '../loop/verifier/care.ts';
import { ProposerError } from './proposers/proposer.ts';
import { Again } from './run/again.ts';
import { AuditBeside } from './run/audit.ts';
import { BesideRuns, type Unfit } from './run/beside.ts';
import { Book } from './run/book.ts';
import { tokensOf } from './code.ts';
import { candidateOf } from './run/candidate.ts';
import { linksSentence } from './run/links-sentence.ts';
import { isLoaded } from './run/loaded.ts';
import type { Measuring, RunContext } from './run/context.ts';
import { failureSentence } from './run/failure.ts';
import type { Measurement } from './run/measure.ts';
import { Measurer } from './run/measurer.ts';
import { needsHint, needsOf } from './run/needs.ts';
import { settleNight } from './run/night.ts';
import { askPatiently } from './run/patience.ts';
import { propose, type TimedProposal } from './run/propose.ts';
import { bothChanges, Surroundings } from './run/surroundings.ts';
import { Sensed } from './run/sensitivity.ts';
import { baselineSentence, baselineTimeoutMs } from './run/timing.ts';
import { Verifying } from './run/verifying.ts';

/**
 * The loop, the only place that knows the order of the stages: propose, edit, (execute, score, judge) until decided,
 * record. Resolves with the run's last state when it has ended, for whatever reason; how it ended is in the ledger.
 */
export async function run(given: RunContext): Promise<RunState> {
  // A request that is out when the run breaks off over something else goes no further either.
  const over = new AbortController();
  const context = { ...given, signal: AbortSignal.any([given.signal, over.signal]) };
  const book = await begin(context);
  try {
    context.onActivity({ doing: 'queued' });
    await context.turn();
    // The private view is made first, which takes seconds in a large workspace.
    context.onActivity({ doing: 'baseline', attempt: 0 });
    const slot = await context.openSlot();
    try {
      const measuring = { ...context, slot };
      const around = await Surroundings.open(measuring);
      // Where something changed the epoch that begins with it says what it is now: a run that breaks off before that has not seen it.
      const inventory = around.since === undefined ? { inventory: await around.kept() } : {};
      await book.write({ type: 'scratch-opened', scratch: slot.kind, how: slot.how, ...(context.confinement === undefined ? {} : { confined: context.confinement.how }), ...inventory });
      const linked = context.confinement === undefined ? undefined : linksSentence(slot.links(context.confinement.confined), context.confinement.confined.home);
      for (const sentence of [slot.unseen, linked]) if (sentence !== undefined && !(book.state.notes ?? []).includes(sentence)) await book.write({ type: 'noted', sentence });
      await loop(new Stages(measuring, book, await AuditBeside.open(measuring, book), around));
    } finally {
      await slot.dispose();
    }
  } catch (error) {
    // A server that was waited for until a rule ended the run: the rule is what ended it.
    const waited = error instanceof ProposerError && error.retryable ? await book.stop() : undefined;
    const end = waited ?? failureSentence(error, context.signal);
    await book.end(end.reason, end.sentence);
  } finally {
    over.abort();
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
    if (await stages.ready()) while (await stages.mayGoOn()) await stages.attempt();
  } catch (error) {
    try {
      // Where nothing is left to try, the night is over early.
      if (error instanceof ProposerError && error.reason === 'nothing-left') await stages.settle();
    } finally {
      await stages.close();
    }
    throw error;
  }
}

async function begin(context: RunContext): Promise<Book> {
  const { plan, store, baselineText } = context;
  if (context.resumed !== undefined) return Book.open(context, { type: 'run-resumed', build: context.build });
  const tokens = tokensOf(baselineText, plan.target, context.parsers);
  const now = plan.program === undefined ? undefined : await context.readProgram();
  const program = now === undefined ? undefined : await store.keep(now.text);
  return Book.open(context, {
    type: 'run-started',
    plan,
    baseline: await store.keep(baselineText),
    build: context.build,
    given: context.given,
    ...(tokens === undefined ? {} : { baselineTokens: tokens }),
    ...(program === undefined ? {} : { program }),
  });
}

class Stages {
  private readonly context: RunContext & Measuring;
  private readonly book: Book;
  private readonly measurer: Measurer;
  private readonly beside: BesideRuns;
  private readonly verifying: Verifying;
  private readonly audit: AuditBeside;
  private readonly sensed: Sensed;
  private readonly around: Surroundings;
  private readonly again: Again;

  constructor(context: RunContext & Measuring, book: Book, audit: AuditBeside, around: Surroundings) {
    this.around = around;
    this.context = context;
    this.book = book;
    this.audit = audit;
    this.sensed = new Sensed(context, () => audit.findings());
    this.measurer = new Measurer(context, book);
    this.beside = new BesideRuns(context, book, this.measurer);
    this.verifying = new Verifying({ context, book, measurer: this.measurer, beside: this.beside, audit });
    this.again = new Again({ context, book, measurer: this.measurer, beside: this.beside, verifying: this.verifying, around });
  }

  /** Whether attempts can begin, or go on. False where the run ended over it. */
  async ready(): Promise<boolean> {
    return this.context.resumed === undefined ? this.baseline() : this.again.takeUp();
  }

  /** Measures the unchanged target and shows that the scorer loads it. False where the run ended over it. */
  async baseline(): Promise<boolean> {
    const { context, book } = this;
    context.onActivity({ doing: 'baseline', attempt: 0 });
    await book.write({ type: 'attempt-started', attempt: 0 });
    const gate = await this.beside.gatesOfStart();
    if (gate !== undefined) return this.unready(gate, 'gate');
    const first = await this.measurer.run({ attempt: 0, text: context.baselineText, role: 'candidate', timeoutMs: baselineTimeoutMs(context.plan), seed: context.plan.seed, fillsCaches: true });
    this.verifying.lastOutput = feedbackOf(first.output);
    if (first.outcome !== 'scored' || first.reading.score === undefined) {
      const verdict = first.outcome === 'scored' ? 'no-score' : first.outcome;
      await book.judge(0, verdict, { reason: first.reading.why });
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
      const needs = await needsOf(context, context.baselineText, first, context.signal);
      await book.end('baseline-failed', needs === undefined ? baselineSentence(first, context) : `No run started. ${needs.sentence} ${needsHint(needs.allow)}`, needs?.allow);
      return false;
    }
    const [unknown] = unknownLimits(context.plan, honestRun(book.state));
    if (unknown !== undefined) return this.unready({ why: `\`limits\` names \`${unknown}\`, which the scorer doesn't print on the unchanged file.${namesPrinted(first)}` }, 'limit');
    const start = attemptOf(book.state, 0)?.measurements.filter(({ role }) => role === 'candidate') ?? [];
    const broken = brokenLimit(context.plan, start, start, true);
    if (broken !== undefined) await book.write({ type: 'noted', sentence: `The start file is beyond a limit itself: ${broken} Nothing is kept that doesn't mend this.` });
    if (!(await isLoaded(this.measurer, { context, book, first, freshSeed: () => this.verifying.seed() }))) return false;
    const other = await this.beside.scorersOfStart();
    if (other !== undefined) return this.unready(other, 'stage');
    await this.book.judge(0, 'kept', { reason: 'The start file, unchanged.', score: first.reading.score });
    return true;
  }

  /** Ends a run that can't begin on the unchanged file. */
  private async unready({ why, needs }: Unfit, code: string): Promise<false> {
    const sentence = `No run started, because ${why}`;
    await this.book.judge(0, 'discarded', { reason: sentence, code });
    await this.book.end('baseline-failed', needs === undefined ? sentence : `No run started. ${needs.sentence} ${needsHint(needs.allow)}`, needs?.allow);
    return false;
  }

  /** Whether a next attempt begins. Waits while the run is paused; ends the run when a rule says so. */
  async mayGoOn(): Promise<boolean> {
    const { context, book } = this;
    let stop: Stop | undefined;
    // A new epoch may take hours: pause, program and stop rules are asked anew after it.
    for (;;) {
      await this.betweenAttempts();
      await this.steer();
      stop = await book.stop();
      if (stop !== undefined) break;
      const change = bothChanges(await this.around.changedMeanwhile(), await this.measurer.conditions.changed());
      if (change !== undefined) {
        if (!(await this.again.newEpoch(change))) return false;
        continue;
      }
      if (!this.isNight() || !lastQuarterBegan(book.state, context.now().getTime())) return true;
      break;
    }
    await this.settle();
    await this.audit.tell();
    const end = stop ?? await book.stop();
    await book.end(end?.reason ?? 'settled', end?.sentence ?? 'Ended: three quarters of the night were for attempts, and what looked better is settled.');
    return false;
  }

  /** Settles what looked better in a night. */
  async settle(): Promise<void> {
    if (this.isNight()) await settleNight(this.context, this.book, this.verifying, () => this.betweenAttempts());
  }

  /** What people asked for meanwhile: a pause, another champion, the end. */
  private async betweenAttempts(): Promise<void> {
    await this.waitWhilePaused();
    await takeChoices(this.context, this.book);
    if (this.context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
  }

  private isNight(): boolean {
    return verifierOf(this.context.plan).confirm === 'night';
  }

  /** One attempt: propose, edit, (execute, score, judge) until decided, record. */
  async attempt(): Promise<void> {
    const { context, book } = this;
    const number = (book.state.attempts.at(-1)?.number ?? 0) + 1;
    const parent = book.state.champion;
    const parentText = await context.store.blob(textOf(book.state, parent));
    context.onActivity({ doing: 'thinking', attempt: number });
    const proposal = await this.verifying.whileThinking(this.asked(number, parentText), number, parentText);
    await this.verifying.refreshParent(parentText);

    await book.write({ type: 'attempt-started', attempt: number, parent });
    await book.write({
      type: 'proposed',
      attempt: number,
      request: await context.store.keep(proposal.request),
      reply: await context.store.keep(proposal.reply),
      durationMs: proposal.durationMs,
      ...(proposal.usage === undefined ? {} : { usage: proposal.usage }),
    });

    const candidate = candidateOf(parentText, proposal.reply, book.state.plan, context.parsers, { root: context.workspace.root, projectModules: context.projectModules });
    if (!candidate.ok) {
      await this.book.judge(number, 'refused', { reason: candidate.reason, code: candidate.code }, candidate.hypothesis);
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
      ...(this.sensed.isBlind(parentText, candidate.text) ? { blind: true } : {}),
    });

    await this.verifying.verify(number, parentText, candidate.text);
  }

  /** A proposal of the next edit, asked for until it comes. */
  private asked(number: number, parentText: string): Promise<TimedProposal> {
    const { context, book } = this;
    const blind = this.sensed.of(parentText)?.blind;
    return askPatiently(() => propose(context, book.state, number, parentText, { lastOutput: this.verifying.lastOutput, ...(blind === undefined ? {} : { blind }) }), {
      wait: number > 1,
      goOn: async () => !context.signal.aborted && (await book.stop()) === undefined,
      sleep: (ms) => context.sleep(ms),
      onFailure: (error) => this.proposalFailed(number, error),
      onWait: (note) => context.onActivity({ doing: 'retrying', attempt: number, note }),
    });
  }

  /** What a request cost counts, whatever came of it. An honest end, and a stop, are the run's end and no failure. */
  private async proposalFailed(attempt: number, error: ProposerError): Promise<void> {
    if (error.reason === 'nothing-left' || error.reason === 'cancelled') return;
    await this.book.write({ type: 'proposal-failed', attempt, why: error.message, ...(error.usage === undefined ? {} : { usage: error.usage }) });
  }

  /** An attempt that was in flight when the run broke off gets its verdict too. */
  async close(): Promise<void> {
    const open = this.book.state.attempts.find(({ verdict, waits }) => verdict === undefined && waits !== true);
    if (open !== undefined) await this.book.judge(open.number, 'cancelled', { reason: 'The run ended before it was decided.' }).catch(() => undefined);
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

/** What a scorer prints besides its score, for a person who mistyped a name. */
function namesPrinted({ reading }: Measurement): string {
  const names = Object.keys(reading.metrics).slice(0, 20);
  return names.length === 0 ? ' It prints no other value than the score.' : ` It prints ${names.map((name) => `\`${name}\``).join(', ')}.`;
}
