import type { CommandPlan, HoldoutPlan, Measured, RunPlan, StagePlan } from '../../records.ts';
import { gateReason, hasPassed, isFlickering } from '../../loop/checks/gates.ts';
import type { Beside } from '../../loop/judge.ts';
import { attemptOf } from '../../loop/ledger.ts';
import { duration } from '../../loop/stop.ts';
import { ProposerError } from '../proposers/proposer.ts';
import type { Book } from './book.ts';
import type { Measuring, RunContext } from './context.ts';
import { measure } from './measure.ts';
import { measuringOf, type Job, type Measurer } from './measurer.ts';
import { needsOf, whoseNeeds, type Needs } from './needs.ts';
import { freshSeed } from './seeds.ts';
import { baselineTimeoutMs, timeoutAfter } from './timing.ts';

/** Why a run can't begin over one of these commands. */
export interface Unfit {
  /** The end of a sentence. */
  readonly why: string;
  /** Where only its confinement keeps it from working. */
  readonly needs?: Needs;
}

/** A gate that is quicker is run twice on the unchanged file, to see whether it flickers. */
const QUICK_MS = 30_000;

/** Runs the commands of a plan besides its scorer: gates, stages and the holdout. */
export class BesideRuns {
  private readonly context: RunContext & Measuring;
  private readonly book: Book;
  private readonly measurer: Measurer;

  constructor(context: RunContext & Measuring, book: Book, measurer: Measurer) {
    this.context = context;
    this.book = book;
    this.measurer = measurer;
  }

  /** Runs the gates on the unchanged file. Says why where a run can't begin. */
  async gatesOfStart(): Promise<Unfit | undefined> {
    for (const gate of this.context.plan.gates ?? []) {
      const first = await this.onStart('gate', gate);
      const second = first.durationMs < QUICK_MS ? await this.onStart('gate', gate) : first;
      if (!hasPassed(first) && !hasPassed(second)) return this.unfit('gate', gate, `the gate ${gate.name} doesn't pass on the unchanged file: ${reasonOf(first)}`);
      if (isFlickering(gate.name, this.ofStart()))
        await this.book.write({ type: 'noted', sentence: `The gate ${gate.name} flickers: on the unchanged file it passed once and failed once. Where it fails, it is run a second time.` });
    }
    return undefined;
  }

  /** Measures the unchanged file once in each stage and on the holdout. Says why where one gives no score. */
  async scorersOfStart(): Promise<Unfit | undefined> {
    for (const { role, command } of this.scorers()) {
      const first = await this.onStart(role, command);
      if (first.score === undefined) return this.unfit(role, command, `the ${role}${role === 'stage' ? ` ${command.name}` : ''} gives no score on the unchanged file: ${reasonOf(first)}`);
    }
    return undefined;
  }

  /** One that is confined is run once more, for what it prints, and without: the difference is what it needs. */
  private async unfit(role: 'gate' | 'stage' | 'holdout', command: CommandPlan | StagePlan | HoldoutPlan, why: string): Promise<Unfit> {
    const { context } = this;
    const measuring = measuringOf(context, command);
    if (measuring.confinement === undefined) return { why };
    const whose = whoseNeeds(role, command.name);
    const failed = await measure(measuring, context.baselineText, role, baselineTimeoutMs(command), context.signal, () => undefined);
    const needs = whose.works(failed) ? undefined : await needsOf(measuring, context.baselineText, failed, context.signal, whose);
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    return { why, ...(needs === undefined ? {} : { needs }) };
  }

  /** Runs one stage, or the holdout, once more on the unchanged file, where its noise isn't known yet. False where it is of all. */
  async learnNoise(): Promise<boolean> {
    const wanted = this.scorers().find(({ role, command }) => this.wantsNoise(role, command));
    if (wanted === undefined) return false;
    await this.onStart(wanted.role, wanted.command);
    return true;
  }

  /** One run that the judge asked for. */
  async run(attempt: number, { role, name, whose }: Beside, text: string): Promise<Measured> {
    const command = commandOf(this.context.plan, role, name);
    while (this.wantsNoise(role, command)) await this.onStart(role, command);
    const longestMs = Math.max(0, ...this.ofStart().filter((run) => run.role === role && run.name === name).map(({ durationMs }) => durationMs));
    const timeoutMs = command.timeoutMs ?? timeoutAfter(longestMs);
    return this.measured({ attempt, text, role, timeoutMs, seed: this.seed(attempt, { role, name, whose }), beside: { command, whose } });
  }

  private scorers(): readonly { readonly role: 'stage' | 'holdout'; readonly command: StagePlan | HoldoutPlan }[] {
    const { stages = [], holdout } = this.context.plan;
    return [...stages.map((command) => ({ role: 'stage' as const, command })), ...(holdout === undefined ? [] : [{ role: 'holdout' as const, command: holdout }])];
  }

  /** Where a person gave the threshold, or wants one run each, no noise is asked for. */
  private wantsNoise(role: Beside['role'], command: CommandPlan | StagePlan): boolean {
    if (role === 'gate' || ('threshold' in command && command.threshold !== undefined) || this.context.plan.verifier?.confirm === 'off') return false;
    const runs = this.ofStart().filter((run) => run.role === role && run.name === command.name);
    return runs.length < runsFor(runs[0]?.durationMs ?? 0);
  }

  private onStart(role: Beside['role'], command: CommandPlan): Promise<Measured> {
    const { context } = this;
    const seed = role === 'gate' || context.plan.verifier?.confirm === 'off' ? context.plan.seed : freshSeed(this.book.state);
    return this.measured({ attempt: 0, text: context.baselineText, role, timeoutMs: baselineTimeoutMs(command), seed, beside: { command, whose: 'candidate' } });
  }

  /** Runs, and gives what was written down of it. */
  private async measured(job: Job & Required<Pick<Job, 'beside'>>): Promise<Measured> {
    const { context, book } = this;
    context.onActivity({ doing: job.attempt === 0 ? 'baseline' : job.role === 'stage' ? 'running' : 'checking', attempt: job.attempt, note: `${job.role} ${job.beside.command.name}`.slice(0, 200) });
    await this.measurer.run(job);
    if (context.signal.aborted) throw new ProposerError('cancelled', 'Stopped.');
    const written = attemptOf(book.state, job.attempt)?.measurements.findLast(({ role, name, whose }) => role === job.role && name === job.beside.command.name && whose === job.beside.whose);
    if (written === undefined) throw new Error('A run that ended is in the ledger.');
    return written;
  }

  /** Candidate and parent are compared at the same seed, pair by pair; gates test the text as it is. */
  private seed(attempt: number, { role, name, whose }: Pick<Beside, 'role' | 'name' | 'whose'>): number {
    const { state } = this.book;
    if (role === 'gate' || state.plan.verifier?.confirm === 'off') return state.plan.seed;
    const pair = whose === 'candidate' ? undefined : attemptOf(state, attempt)?.measurements.findLast((run) => run.role === role && run.name === name && run.whose === 'candidate');
    return pair?.seed ?? freshSeed(state);
  }

  private ofStart(): readonly Measured[] {
    return attemptOf(this.book.state, 0)?.measurements ?? [];
  }
}

/** Runs of the unchanged file that tell how much a stage, or the holdout, varies. */
function runsFor(durationMs: number): number {
  if (durationMs < 5_000) return 5;
  return durationMs < 30_000 ? 3 : 2;
}

function reasonOf(run: Measured): string {
  if (run.role === 'gate' && (run.failed?.length ?? 0) > 0) return gateReason(run);
  return run.outcome === 'timed-out' ? `it didn't end within ${duration(run.durationMs)}.` : run.why;
}

function commandOf({ gates = [], stages = [], holdout }: RunPlan, role: Beside['role'], name: string): CommandPlan {
  const found = [...(role === 'gate' ? gates : role === 'stage' ? stages : []), ...(role === 'holdout' && holdout !== undefined ? [holdout] : [])].find((command) => command.name === name);
  if (found === undefined) throw new Error(`The plan has no ${role} ${name}.`);
  return found;
}
