import { attemptOf, textOf } from '../../loop/ledger.ts';
import { boundedFeedback } from '../../loop/score.ts';
import { ProposerError } from '../proposers/proposer.ts';
import type { BesideRuns, Unfit } from './beside.ts';
import type { Book } from './book.ts';
import type { Measuring, RunContext } from './context.ts';
import { isLoaded } from './loaded.ts';
import type { Measurement } from './measure.ts';
import type { Measurer } from './measurer.ts';
import { needsOf } from './needs.ts';
import { lastOutput, seedIsFixed } from './resume.ts';
import { bothChanges, type Change, type Surroundings } from './surroundings.ts';
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
    await measurer.conditions.look();
    const change = bothChanges(around.since, await measurer.conditions.changed());
    if (change !== undefined) return this.newEpoch(change);
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
    if (gate !== undefined) return this.notOn(gate);
    // What the start file left in caches it left among other files.
    await context.slot.dropCaches();
    const first = await measurer.run({ attempt: 0, text: context.baselineText, role: 'candidate', timeoutMs: baselineTimeoutMs(context.plan), seed: context.plan.seed, fillsCaches: true });
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    if (first.outcome !== 'scored' || first.reading.score === undefined) return this.noScore(0, first);
    if (!(await isLoaded(measurer, { context, book, first, freshSeed: () => verifying.seed(), isJudged: true }))) return false;
    const other = await beside.scorersOfStart();
    if (other !== undefined) return this.notOn(other);
    if (champion === 0) return true;
    // Noise is known of the start file, before another is the parent.
    await verifying.learnStart(context.baselineText);
    if (await verifying.isScored(champion, await context.store.blob(textOf(book.state, champion)))) return true;
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    return this.noScore(champion);
  }

  /** `first`: the failed run of the start file, which is the person's own code: it may miss something that confinement keeps from it. */
  private async noScore(attempt: number, first?: Measurement): Promise<false> {
    const { context, book } = this.parts;
    const needs = first === undefined ? undefined : await needsOf(context, context.baselineText, first, context.signal);
    const why = attemptOf(book.state, attempt)?.measurements.at(-1)?.why ?? '';
    return this.notOn({ ...(needs === undefined ? {} : { needs }), why: `the scorer gives no score any more on ${attempt === 0 ? 'the unchanged file' : `its best so far (attempt ${attempt})`}: ${why}` });
  }

  private async notOn({ why, needs }: Unfit): Promise<false> {
    await this.parts.book.end('baseline-failed', needs === undefined ? `The run did not go on, because ${why}` : `The run did not go on. ${needs.sentence} Allow that in a new run.`);
    return false;
  }
}
