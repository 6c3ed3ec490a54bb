import { randomBytes } from 'node:crypto';
import { feedbackOf } from '../loop/score.ts';
import type { CheckReport } from '../loop/audit/report.ts';
import type { Ask, CheckAsk, CheckProgress, TryResult } from '../protocol.ts';
import { checkPrepared } from './check/prepared.ts';
import { measure } from './run/measure.ts';
import type { Measuring } from './run/context.ts';
import { linksSentence } from './run/links-sentence.ts';
import { needsHint, needsOf } from './run/needs.ts';
import { baselineTimeoutMs } from './run/timing.ts';
import type { Prepared, World } from './start/prepare.ts';
import { asSeen, prepareToMeasure } from './start/seen.ts';
import type { Store } from './store.ts';
import { untilAborted, type Turns } from './turns.ts';
import type { WorkFolders } from './work-folders.ts';

/** What measuring without a run needs. */
export interface ChecksDeps {
  readonly world: World;
  readonly store: Store;
  readonly folders: WorkFolders;
  readonly turns: Turns;
  /** What a session's runs of the scorer have in common. */
  readonly measuring: (prepared: Prepared, mark: string, env: Ask['env']) => Omit<Measuring, 'plan' | 'slot' | 'ioFolder'>;
}

/** Runs of the scorer without a run: a single try, and the check of a file. */
export class Checks {
  private readonly deps: ChecksDeps;
  /** Ends the checks that go on. */
  private readonly going = new Map<AbortController, Promise<unknown>>();

  constructor(deps: ChecksDeps) {
    this.deps = deps;
  }

  /** Runs the scorer once on the unchanged target. */
  async tryOnce(ask: Ask, signal: AbortSignal): Promise<TryResult> {
    const { world, folders, measuring } = this.deps;
    const { prepared, plan } = asSeen(await prepareToMeasure(ask, world), ask.seen);
    return folders.with(prepared.workspace, signal, async (slot, ioFolder) => {
      const context = { ...measuring(prepared, markOf('try'), ask.env), plan, slot, ioFolder };
      const measured = await measure(context, prepared.text, 'candidate', baselineTimeoutMs(plan), signal, () => undefined);
      const { reading, output, durationMs } = measured;
      const needs = reading.score === undefined ? await needsOf(context, prepared.text, measured, signal) : undefined;
      const { outcome, score, metrics, cases, candidates } = reading;
      const confined = context.confinement?.confined;
      const linked = confined === undefined ? undefined : linksSentence(slot.links(confined), confined.home);
      const why = linked === undefined ? reading.why : `${reading.why} ${linked}`;
      return { outcome, metric: plan.metric, ...(score === undefined ? {} : { score }), metrics, cases, why, durationMs, ...(needs === undefined ? {} : { needs: `${needs.sentence} ${needsHint(needs.allow)}` }), candidates, output: feedbackOf(output) };
    });
  }

  /** Is this loopable? Waits for its turn among the runs; one that is stopped resolves with what is known so far. */
  async check(ask: CheckAsk, signal: AbortSignal, onProgress: (progress: CheckProgress) => void): Promise<CheckReport> {
    const own = new AbortController();
    const checked = this.inTurn(ask, AbortSignal.any([signal, own.signal]), onProgress);
    this.going.set(own, checked.catch(() => undefined));
    return checked.finally(() => this.going.delete(own));
  }

  /** Stops every check. */
  async dispose(): Promise<void> {
    for (const own of this.going.keys()) own.abort();
    await Promise.all(this.going.values());
  }

  private async inTurn(ask: CheckAsk, signal: AbortSignal, onProgress: (progress: CheckProgress) => void): Promise<CheckReport> {
    const { world, turns, measuring, ...rest } = this.deps;
    const prepared = await prepareToMeasure(ask, world);
    const waiting = { target: prepared.page.plan?.target ?? '', doing: 'queued', done: 0, total: 0, spentMs: 0, budgetMs: 0 } as const;
    if (turns.isTaken) onProgress(waiting);
    const { before, end } = turns.take();
    try {
      await untilAborted(before, signal);
      onProgress({ ...waiting, doing: 'opening' });
      return await checkPrepared(prepared, ask, () => asSeen(prepared, ask.seen).plan, {
        ...measuring(prepared, markOf('check'), ask.env), ...rest, parsers: world.parsers, now: world.now, signal, onProgress,
      });
    } finally {
      end();
    }
  }
}

/** Processes are found by it, wherever they went. */
function markOf(what: string): string {
  return `${what}-${randomBytes(6).toString('hex')}`;
}
