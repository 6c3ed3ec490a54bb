import { honestRun } from '../../loop/choice.ts';
import { decide, type Beside, type Case } from '../../loop/judge.ts';
import { attemptOf, type RunState } from '../../loop/ledger.ts';
import { seedsItselfInside } from '../../loop/random-stream.ts';
import { feedbackOf } from '../../loop/score.ts';
import { parentIsStale } from '../../loop/verifier/knowledge.ts';
import { wantsNoise, type Care } from '../../loop/verifier/next-step.ts';
import { treeOf } from '../code.ts';
import { ProposerError } from '../proposers/proposer.ts';
import type { AuditBeside } from './audit.ts';
import type { BesideRuns } from './beside.ts';
import type { Book } from './book.ts';
import { careOf } from './care.ts';
import type { RunContext } from './context.ts';
import type { Measurer } from './measurer.ts';
import { freshSeed, pairedSeed } from './seeds.ts';
import { candidateTimeoutMs } from './timing.ts';

/** What verifying works with. */
export interface Instruments {
  readonly context: RunContext;
  readonly book: Book;
  readonly measurer: Measurer;
  readonly beside: BesideRuns;
  readonly audit: AuditBeside;
}

/** Measures candidates and their parents, as often as the judge asks, and writes down what it says. */
export class Verifying {
  /** What the scorer printed last, for the next request. */
  lastOutput = '';
  /** Set when the night is settled: nothing is put off any more. */
  settling = false;
  private readonly context: RunContext;
  private readonly book: Book;
  private readonly measurer: Measurer;
  private readonly beside: BesideRuns;
  private readonly audit: AuditBeside;
  /** The target's random stream can't be varied. */
  private readonly seededInside: boolean;

  constructor({ context, book, measurer, beside, audit }: Instruments) {
    this.context = context;
    this.book = book;
    this.measurer = measurer;
    this.beside = beside;
    this.audit = audit;
    const { baselineText, plan, parsers } = context;
    this.seededInside = seedsItselfInside(baselineText, treeOf(baselineText, plan.target, parsers), plan.trainPy, plan.verifier?.seed);
  }

  /** Measures candidate and parent until the judge has decided. */
  async verify(number: number, parentText: string, text: string): Promise<void> {
    const { context, book } = this;
    const parentFailed = (): Promise<void> => book.judge(number, 'discarded', { reason: `Its parent gave no score ${MOST_FAILURES} times in a row, so the two can't be compared.`, code: 'parent-failed' });
    for (let parentFailures = 0; ;) {
      const decision = decide(this.caseOf(number));
      if (decision.kind === 'verdict') return book.judge(number, decision.verdict, decision.evidence);
      if (decision.kind === 'waiting') return book.write({ type: 'waiting', attempt: number, evidence: decision.evidence });
      if (decision.kind === 'beside') {
        const scored = await this.runBeside(number, decision, decision.whose === 'parent' ? parentText : text);
        if (decision.whose === 'candidate') continue;
        parentFailures = scored ? 0 : parentFailures + 1;
        if (parentFailures === MOST_FAILURES) return parentFailed();
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
      parentFailures = (await this.measureParent(number, parentText, seed)) ? 0 : parentFailures + 1;
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
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

  /** Uses the time in which a model thinks of an attempt: the parent is run as often as its noise, or its level, is in doubt, and then the start file is broken on purpose. */
  async whileThinking<T>(asked: Promise<T>, attempt: number, parentText: string): Promise<T> {
    const { context, book } = this;
    let over = false;
    const settled = asked.then(() => undefined, () => undefined).then(() => { over = true; });
    await Promise.race([settled, context.sleep(THINKING_MS)]);
    for (let failures = 0; !over && failures < MOST_FAILURES && (this.noiseWanted() || this.isStale());)
      if (!(await this.measureParent(book.state.champion, parentText))) failures++;
    while (!over && !context.signal.aborted && (await this.beside.learnNoise()));
    while (!over && !context.signal.aborted && this.care().confirm !== 'off' && !this.noiseWanted() && (await this.audit.step(attempt)));
    return asked;
  }

  /** Runs the parent once more where its level has become uncertain, or where it hasn't been shown to stand another seed: no candidate may fail over that. */
  async refreshParent(parentText: string): Promise<void> {
    if (this.isStale() || this.isSeedUntried(parentText)) await this.measureParent(this.book.state.champion, parentText);
  }

  /** Whether a text that has had a score still gets one; run a few times where it doesn't. */
  async isScored(attempt: number, text: string): Promise<boolean> {
    for (let failures = 0; failures < MOST_FAILURES && !this.context.signal.aborted; failures++) if (await this.measureParent(attempt, text)) return true;
    return false;
  }

  /** Runs the start file until its noise is known, where that isn't yet. */
  async learnStart(text: string): Promise<void> {
    for (let failures = 0; failures < MOST_FAILURES && this.noiseWanted() && !this.context.signal.aborted;) if (!(await this.measureParent(0, text))) failures++;
  }

  /** Runs the parent once more. False where that gave no score. */
  private async measureParent(attempt: number, text: string, seed = this.seed()): Promise<boolean> {
    const { book, measurer } = this;
    const job = { attempt, text, role: 'parent', timeoutMs: candidateTimeoutMs(book.state) } as const;
    const { outcome } = await measurer.run({ ...job, seed });
    if (outcome === 'scored') return true;
    if (outcome === 'cancelled') return false;
    if (!measurer.seeds.canVary(text)) return this.flickers(outcome);
    // It may be the other seed that it doesn't stand.
    const plain = await measurer.run({ ...job, seed: book.state.plan.seed });
    if (plain.outcome === 'scored') measurer.seeds.fixed = true;
    return plain.outcome === 'scored' || this.flickers(plain.outcome);
  }

  /** Says once that the scorer doesn't always give a score on a text that has had one. Always false. */
  private async flickers(outcome: string): Promise<false> {
    const sentence = `The scorer flickers: on a text that has had a score, a run ended as ${outcome}. What is kept may be luck; mend the scorer first.`;
    if (!(this.book.state.notes ?? []).some((note) => note.startsWith('The scorer flickers'))) await this.book.write({ type: 'noted', sentence });
    return false;
  }

  private noiseWanted(): boolean {
    const { known } = this.book.state;
    return known !== undefined && wantsNoise(known, this.care());
  }

  private isStale(): boolean {
    const { known } = this.book.state;
    return known?.grain !== undefined && this.care().confirm !== 'off' && !this.noiseWanted() && parentIsStale(known);
  }

  private isSeedUntried(text: string): boolean {
    const isTried = this.book.state.attempts.some(({ measurements }) => measurements.some(({ role, outcome }) => role === 'parent' && outcome === 'scored'));
    return !isTried && this.care().confirm !== 'off' && this.measurer.seeds.canVary(text);
  }

  private care(): Care {
    return careOf(this.book.state, this.seededInside || this.measurer.seeds.fixed, this.settling);
  }

  /** Every run has a seed of its own, unless a person asked for one run each: those are compared at the same seed. */
  seed(): number {
    const { state } = this.book;
    return this.care().confirm === 'off' ? state.plan.seed : freshSeed(state);
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
}

/** Whoever answers sooner doesn't think: no run of the parent begins meanwhile. In milliseconds. */
const THINKING_MS = 50;
/** So many failed runs of the parent in a row are enough. */
const MOST_FAILURES = 3;

function isConfirming({ known }: RunState): boolean {
  return known?.trial.phase === 'confirming';
}
