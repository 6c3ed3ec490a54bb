import { ProposerError } from '../proposers/proposer.ts';
import type { Book } from './book.ts';
import { canarySeen, canaryTexts } from './canary.ts';
import { likelyLoaded } from './canary-hint.ts';
import type { Measuring, RunContext } from './context.ts';
import type { Measurement } from './measure.ts';
import { WITHOUT_CACHES, type Measurer } from './measurer.ts';
import { candidateTimeoutMs } from './timing.ts';

/** What the canary is told by. */
interface Start {
  readonly context: RunContext & Measuring;
  readonly book: Book;
  /** The unchanged target's first run. */
  readonly first: Measurement;
  readonly freshSeed: () => number;
  /** The start file has its verdict from before. */
  readonly isJudged?: true;
}

/** Breaks the target on purpose: a scorer that doesn't notice never loads it. False where the run ended over it. */
export async function isLoaded(measurer: Measurer, start: Start): Promise<boolean> {
  const { context, book, isJudged } = start;
  context.onActivity({ doing: 'canary', attempt: 0 });
  if (await isNoticed(measurer, start)) return true;
  // A cache of the start file's run may have stood in for the broken file.
  if (await context.slot.dropCaches()) {
    const without = await isNoticed(measurer, start);
    if (without) await book.write({ type: 'noted', sentence: WITHOUT_CACHES });
    if (without) return true;
  }
  const loaded = await likelyLoaded(context.workspace);
  if (isJudged !== true) await book.judge(0, 'discarded', { reason: 'The scorer gives the same outcome when the file is broken.', code: 'canary' });
  await book.end('canary', `Your scorer never loaded the file you want to improve: breaking ${context.plan.target} changed nothing. ${loaded}`);
  return false;
}

async function isNoticed(measurer: Measurer, { context, book, first, freshSeed }: Start): Promise<boolean> {
  const timeoutMs = candidateTimeoutMs(book.state);
  const real = [first];
  for (const text of canaryTexts(context.plan.target)) {
    const broken: Measurement[] = [];
    for (;;) {
      broken.push(await measurer.run({ attempt: 0, text, role: 'canary', timeoutMs, seed: context.plan.seed }));
      if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
      const seen = canarySeen(real, broken);
      if (seen === true) return true;
      if (seen === false) break;
      while (real.length <= broken.length) real.push(await measurer.run({ attempt: 0, text: context.baselineText, role: 'parent', timeoutMs, seed: freshSeed() }));
    }
  }
  return false;
}
