import { attemptOf, textOf } from '../../loop/ledger.ts';
import { boundedFeedback } from '../../loop/score.ts';
import { ProposerError } from '../proposers/proposer.ts';
import type { BesideRuns } from './beside.ts';
import type { Book } from './book.ts';
import type { Measuring, RunContext } from './context.ts';
import { isLoaded } from './loaded.ts';
import type { Measurer } from './measurer.ts';
import { lastOutput, seedIsFixed } from './resume.ts';
import type { Change, Surroundings } from './surroundings.ts';
import { baselineTimeoutMs } from './timing.ts';
import type { Verifying } from './verifying.ts';

/** What a run is taken up with. */
export interface AgainParts {
  readonly context: RunContext & Measuring;
  readonly book: Book;
  readonly measurer: Measurer;
  readonly beside: BesideRuns;
  readonly verifying: Verifying;
  readonly around: Surroundings;
}

/** Brings a run that has a start file and a best so far to where attempts can go on: after it was broken off, and in a new epoch. */
export class Again {
  private readonly parts: AgainParts;

  constructor(parts: AgainParts) {
    this.parts = parts;
  }

  /** Knows again what the run knew beside its ledger when it ended, and that its scorer still gives scores. */
  async takeUp(): Promise<boolean> {
    const { context, book, verifying, around, measurer } = this.parts;
    const { champion } = book.state;
    context.onActivity({ doing: 'baseline', attempt: champion });
    measurer.seeds.fixed = seedIsFixed(book.state);
    const output = lastOutput(book.state);
    verifying.lastOutput = output === undefined ? '' : boundedFeedback(await context.store.blob(output).catch(() => ''));
    if (around.since !== undefined) return this.newEpoch(around.since);
    await measurer.refillCaches();
    const text = await context.store.blob(textOf(book.state, champion));
    if (await verifying.isScored(champion, text)) return true;
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    return this.noScore(champion);
  }

  /** The scorer is shown something else than before: start file and best so far are measured anew, and noise with them. False where the run ended over it. */
  async newEpoch({ why, changed }: Change): Promise<boolean> {
    const { context, book, verifying, measurer, beside, around } = this.parts;
    const { champion } = book.state;
    await book.write({ type: 'epoch-started', epoch: (book.state.epoch?.number ?? 0) + 1, why, changed, inventory: await around.kept() });
    context.onActivity({ doing: 'baseline', attempt: 0 });
    const gate = await beside.gatesOfStart();
    if (gate !== undefined) return this.notOn(gate.why);
    // What the start file left in caches it left among other files.
    await context.slot.dropCaches();
    const first = await measurer.run({ attempt: 0, text: context.baselineText, role: 'candidate', timeoutMs: baselineTimeoutMs(context.plan), seed: context.plan.seed, fillsCaches: true });
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    if (first.outcome !== 'scored' || first.reading.score === undefined) return this.noScore(0);
    if (!(await isLoaded(measurer, { context, book, first, freshSeed: () => verifying.seed(), isJudged: true }))) return false;
    const other = await beside.scorersOfStart();
    if (other !== undefined) return this.notOn(other.why);
    if (champion === 0) return true;
    // Noise is known of the start file, before another is the parent.
    await verifying.learnStart(context.baselineText);
    if (await verifying.isScored(champion, await context.store.blob(textOf(book.state, champion)))) return true;
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    return this.noScore(champion);
  }

  private async noScore(attempt: number): Promise<false> {
    const why = attemptOf(this.parts.book.state, attempt)?.measurements.at(-1)?.why ?? '';
    return this.notOn(`the scorer gives no score any more on ${attempt === 0 ? 'the unchanged file' : `its best so far (attempt ${attempt})`}: ${why}`);
  }

  private async notOn(why: string): Promise<false> {
    await this.parts.book.end('baseline-failed', `The run did not go on, because ${why}`);
    return false;
  }
}
