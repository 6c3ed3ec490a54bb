import { existsSync } from 'node:fs';
import type { CommandPlan, HoldoutPlan, MeasurementRole, StagePlan } from '../../records.ts';
import { LINES } from '../../loop/checks/limits.ts';
import { lineTexts } from '../../loop/edit/lines.ts';
import { feedbackOf, readGate } from '../../loop/score.ts';
import { blockedOf } from '../confine/outside.ts';
import type { Book } from './book.ts';
import { Conditions } from './conditions.ts';
import type { Measuring, RunContext } from './context.ts';
import { measure, type Measurement } from './measure.ts';
import { ownFilesSentence } from './own-files.ts';
import { whenOpen } from './reopen.ts';
import { SeedPlaces } from './seeds.ts';
import { baselineTimeoutMs } from './timing.ts';
import { survivorsSentence } from './survivors.ts';

/** What is measured, and for which attempt. */
export interface Job {
  readonly attempt: number;
  readonly text: string;
  readonly role: MeasurementRole;
  readonly timeoutMs: number;
  readonly seed: number;
  /** Caches that this run fills are given to each run after it; where it fills some, it is done again and counts then. */
  readonly fillsCaches?: true;
  /** Another command of the plan than its scorer, and whose text it is run on. */
  readonly beside?: { readonly command: CommandPlan | StagePlan | HoldoutPlan; readonly whose: 'candidate' | 'parent' };
}

/** Runs the scorer on one text after the other, and writes each run down. */
export class Measurer {
  readonly seeds: SeedPlaces;
  readonly conditions: Conditions;
  private readonly context: RunContext & Measuring;
  private readonly book: Book;

  constructor(context: RunContext & Measuring, book: Book) {
    this.context = context;
    this.book = book;
    this.seeds = new SeedPlaces(context.plan, context.parsers);
    this.conditions = new Conditions(context, book.state);
  }

  /** One run that counts: what the machine slept through, timed by a clock that jumped, or timed while it became slower, is made again. */
  async run(job: Job): Promise<Measurement> {
    for (let spoiled = 0; ;) {
      const before = await this.conditions.look();
      const news = this.conditions.news();
      if (news !== undefined) await this.book.write({ type: 'noted', sentence: news });
      const result = await this.runOnce(job, async ({ outcome }) => (outcome === 'cancelled' ? undefined : this.conditions.spoiledSince(before, spoiled)));
      if (result.counts || this.context.signal.aborted) return result;
      spoiled++;
    }
  }

  private async runOnce({ attempt, text, role, timeoutMs, seed, beside, fillsCaches }: Job, whySpoiled: (done: Measurement) => Promise<string | undefined>): Promise<Measurement & { readonly counts: boolean }> {
    const { context, book } = this;
    const measuring = beside === undefined ? context : measuringOf(context, beside.command);
    const placed = this.seeds.seeded(text, seed);
    const once = (): Promise<Measurement> => whenOpen(() => measure(measuring, placed, role, timeoutMs, context.signal, this.noteOf(attempt), seed), {
      inVain: () => context.signal.aborted || !existsSync(context.workspace.root),
      sleep: (ms) => context.sleep(ms),
      onWait: () => context.onActivity({ doing: 'running', attempt, note: 'waiting for a folder of the project that is being made anew' }),
    });
    const cold = await once();
    const result = fillsCaches === true && (await this.keepCaches(cold)) ? await once() : cold;
    const { reading } = result;
    const uncounted = await whySpoiled(result);
    const blocked = blockedOf(`${result.output.stdout}\n${result.output.stderr}`, measuring).allow;
    const gate = role === 'gate' ? readGate(result.output, result.report) : undefined;
    const metrics = beside === undefined ? this.withLines(reading.metrics, text) : reading.metrics;
    await book.write({
      type: 'measured',
      attempt,
      role,
      ...(beside === undefined ? {} : { name: beside.command.name, whose: beside.whose }),
      seed,
      outcome: gate?.outcome ?? result.outcome,
      why: gate?.why ?? reading.why,
      values: reading.values,
      source: reading.source,
      durationMs: result.durationMs,
      output: await context.store.keep(feedbackOf(result.output, MAX_STORED_CHARS)),
      ...(gate === undefined || gate.failed.length === 0 ? {} : { failed: gate.failed }),
      ...(reading.score === undefined || gate !== undefined ? {} : { score: reading.score }),
      ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
      ...(reading.cases.length === 0 ? {} : { cases: reading.cases }),
      ...(reading.conflict === undefined ? {} : { conflict: reading.conflict }),
      ...(result.altered.length === 0 ? {} : { altered: result.altered }),
      ...(blocked.length === 0 ? {} : { blocked }),
      ...(result.survivors.length === 0 ? {} : { survivors: result.survivors }),
      ...(this.conditions.onBattery ? { onBattery: true } : {}),
      ...(uncounted === undefined ? {} : { uncounted }),
    });
    if (uncounted !== undefined) await book.write({ type: 'noted', sentence: `A run of the scorer for ${attempt === 0 ? 'the start file' : `attempt ${attempt}`} doesn't count. ${uncounted}` });
    const left = survivorsSentence(result.survivors, attempt);
    if (left !== undefined) await book.write({ type: 'noted', sentence: left });
    if (attempt === 0 && role !== 'canary') await this.noteOwnFiles(result.altered, beside?.command.name);
    return { ...result, counts: uncounted === undefined };
  }

  /** Fills the caches of a run that is taken up as its first run did; where that kept none, or they were dropped, nothing is run. */
  async refillCaches(): Promise<void> {
    const { context, book } = this;
    const told = (book.state.notes ?? []).filter((note) => note.startsWith(WITH_CACHES) || note === WITHOUT_CACHES).at(-1);
    if (told === undefined || told === WITHOUT_CACHES) return;
    await measure(context, this.seeds.seeded(context.baselineText, context.plan.seed), 'candidate', baselineTimeoutMs(context.plan), context.signal, this.noteOf(0));
    await context.slot.keepCaches();
  }

  /** Whether caches were filled and the run is worth another one, for those after it will find them. */
  private async keepCaches({ outcome, durationMs }: Measurement): Promise<boolean> {
    if (outcome !== 'scored') return false;
    const names = await this.context.slot.keepCaches();
    if (names.length === 0) return false;
    const isShort = durationMs < COLD_COUNTS_MS;
    const shown = names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more` : names.join(', ');
    await this.book.write({ type: 'noted', sentence: `${WITH_CACHES} ${shown}.${isShort ? ' That run was done again, so that it counts with them.' : ''}` });
    return isShort;
  }

  /** Says once of each command that it writes over what candidates are judged by. */
  private async noteOwnFiles(altered: readonly string[], name: string | undefined): Promise<void> {
    const { plan, workspace, projectModules } = this.context;
    const sentence = ownFilesSentence(altered, name, plan, workspace, projectModules);
    if (sentence !== undefined && !(this.book.state.notes ?? []).includes(sentence)) await this.book.write({ type: 'noted', sentence });
  }

  /** A scorer that says nothing of lines leaves it to us to count those of the target, where they have a limit. */
  private withLines(metrics: Readonly<Record<string, number>>, text: string): Readonly<Record<string, number>> {
    const isLimited = this.context.plan.limits?.some(({ metric }) => metric === LINES) === true;
    return !isLimited || metrics[LINES] !== undefined ? metrics : { ...metrics, [LINES]: linesIn(text) };
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

const WITH_CACHES = 'Each run begins with the caches that the start file\'s first run left:';
/** Said where they hid that the file was broken. */
export const WITHOUT_CACHES = 'With the caches that the start file\'s run left, the scorer didn\'t notice that the file was broken: each run begins without them.';

/** Of a run that takes longer, filling caches is a small part. */
const COLD_COUNTS_MS = 60_000;
const MOST_NAMES = 5;

/** As an editor's status bar counts them, without the empty one after the last line end. */
function linesIn(text: string): number {
  const lines = lineTexts(text);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** As the scorer is run, with another command in its place. */
export function measuringOf(context: RunContext & Measuring, command: CommandPlan | StagePlan | HoldoutPlan): Measuring {
  const { plan } = context;
  const metric = 'metric' in command ? command.metric : plan.metric;
  return { ...context, plan: { ...plan, scorer: command.spec, cwd: command.cwd, metric }, ...('env' in command && command.env !== undefined ? { ownEnv: command.env } : {}) };
}

/** A client can be slow: it is told of output at most so often. */
const NOTE_MS = 250;
const MAX_NOTE_CHARS = 200;

/** Of a scorer's output, what the ledger keeps. */
const MAX_STORED_CHARS = 2_000_000;
