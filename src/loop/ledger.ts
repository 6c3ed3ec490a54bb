import type {
  BlobId, ClockSlipped, EndReason, EpochStarted, Evidence, Judged, LedgerEvent, Measured, Reviewed, RunPlan, RunResumed, RunStarted, ScratchOpened, Signal, Steered, Usage, Verdict,
} from '../records.ts';
import { learnChoice, type Knowledge } from './verifier/knowledge.ts';
import { learn } from './verifier/learn.ts';
import { offScale, onScale } from './verifier/scale.ts';
import { mean } from './verifier/spread.ts';

/** One attempt as its events tell it. `verdict` is absent while it is in flight. */
export interface AttemptState {
  readonly number: number;
  readonly parent?: number;
  readonly startedAt: string;
  readonly request?: BlobId;
  readonly reply?: BlobId;
  readonly usage?: Usage;
  readonly candidate?: BlobId;
  readonly hypothesis?: string;
  readonly addedLines?: number;
  readonly removedLines?: number;
  readonly tokens?: number;
  /** Of the start file and of what the best builds on: those of the present epoch. */
  readonly measurements: readonly Measured[];
  /** Those that don't count and were made again: the machine slept meanwhile. */
  readonly uncounted?: readonly Measured[];
  /** Those of epochs before. */
  readonly earlier?: readonly Measured[];
  /** In which epoch it was measured; absent in the first. */
  readonly epoch?: number;
  /** Of the start file: what all its runs scored so far, those too that other attempts were compared with. Of a best that an epoch began with, too. */
  readonly startScores?: readonly number[];
  /** Of these: the mean of those on the scale on which runs are compared, in the metric's unit. */
  readonly level?: number;
  readonly verdict?: Verdict;
  readonly evidence?: Evidence;
  readonly endedAt?: string;
  /** Sequence number of the event that decided it: a clock can be set back. */
  readonly endedSeq?: number;
  /** Looks better, and waits for a person to decide. */
  readonly waits?: boolean;
  readonly signals?: readonly Signal[];
  /** It touches nothing but parts that the score doesn't react to, as far as a check found. */
  readonly blind?: true;
  /** Set when a person accepted this attempt's text into the file. */
  readonly accepted?: boolean;
  /** Set when a person made it the champion. */
  readonly keptByPerson?: boolean;
}

export interface RunEnd {
  readonly reason: EndReason;
  readonly sentence: string;
  /** Of a start file that fails only when it is confined: what would be allowed it, as far as that is known. */
  readonly needs?: readonly string[];
  readonly at: string;
  /** The last moment at which its engine is known to have lived, where it died. */
  readonly aliveAt?: string;
}

/** Scores of two epochs are never compared. */
export interface EpochState {
  readonly number: number;
  /** Whether the best so far has been measured in it, or is the start file. */
  readonly isBestKnown: boolean;
  /** What the epochs before have used of the error that a run may make. */
  readonly used: Pick<Knowledge, 'judged' | 'keeps' | 'lost'>;
}

/** What a run's events fold into. Views and stages read this and nothing else. */
export interface RunState {
  readonly id: string;
  readonly plan: RunPlan;
  readonly baseline: BlobId;
  readonly baselineTokens?: number;
  /** Absent until the run's turn has come. */
  readonly scratch?: ScratchOpened['scratch'];
  readonly startedAt: string;
  readonly attempts: readonly AttemptState[];
  /** What was learned about noise and parent; absent until the start file has a score. */
  readonly known?: Knowledge;
  /** Number of the best attempt so far; 0 is the baseline. */
  readonly champion: number;
  /** Attempts in a row, counted from the last keep, that brought no improvement. */
  readonly sinceKeep: number;
  readonly lastKeepAt: string;
  readonly tokensUsed: number;
  readonly paused: boolean;
  /** When the pause that lasts began. */
  readonly pausedAt?: string;
  /** Time that was none of the run, in milliseconds, of the whole run and up to the last keep: pauses that are over, and by how much the clock slipped. */
  readonly pausedMs: number;
  readonly pausedMsAtKeep: number;
  readonly program?: BlobId;
  /** What flags and settings said of the live keys; absent in ledgers from before that was written down. */
  readonly given?: RunStarted['given'];
  /** What the scorer is shown besides the target, as it was written down last. */
  readonly inventory?: BlobId;
  /** The present one, where it isn't the first. */
  readonly epoch?: EpochState;
  /** What a person should know of the whole run, a sentence each. */
  readonly notes?: readonly string[];
  /** What is wrong with the program as it is now; the one before is in force. */
  readonly programProblem?: string;
  readonly end?: RunEnd;
  /** The sequence number that the next event must carry. */
  readonly nextSeq: number;
}

/** More than any run has to say of itself. */
const MAX_NOTES = 200;

/**
 * Folds one event into the run's state. Never throws: an event that doesn't fit (another run's, a second
 * `run-started`, one that was seen already) leaves the state as it is.
 */
export function fold(state: RunState | undefined, event: LedgerEvent): RunState | undefined {
  if (event.type === 'run-started') return state ?? begin(event);
  if (state === undefined || event.run !== state.id || event.seq < state.nextSeq) return state;
  const next = advance(state, event);
  if (event.type === 'measured' && event.uncounted !== undefined) return { ...next, nextSeq: event.seq + 1 };
  const known = event.type === 'reviewed' || event.type === 'epoch-started' ? next.known : learnInEpoch(state, event);
  const whose = isRunOfStart(state, event) ? 0 : isRunOfOldBest(state, event) ? state.champion : undefined;
  const told = known !== undefined && whose !== undefined && event.type === 'measured' && event.score !== undefined ? withStartScore(next, known, whose, event.score) : next;
  return { ...bestKnown(told, event), ...(known === undefined ? {} : { known }), nextSeq: event.seq + 1 };
}

export function foldAll(events: Iterable<LedgerEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = fold(state, event);
  return state;
}

export function attemptOf(state: RunState, number: number): AttemptState | undefined {
  // Numbers are indexes, save in a ledger that lost lines.
  const direct = state.attempts[number];
  return direct?.number === number ? direct : state.attempts.find((attempt) => attempt.number === number);
}

/** The scorer's runs on an attempt's own text: those of the candidate, and as the parent of others, which come after its verdict. */
export function ownRuns({ number, measurements, verdict, endedSeq }: AttemptState): readonly Measured[] {
  const isParent = ({ seq }: Measured): boolean => number === 0 || (verdict !== undefined && endedSeq !== undefined && seq > endedSeq);
  return measurements.filter((run) => run.role === 'candidate' || (run.role === 'parent' && isParent(run)));
}

/**
 * The score that an attempt carries: what the verdict rests on, else its last run. Of the start file the mean of all its
 * runs so far, wherever they were made.
 */
export function scoreOf(attempt: AttemptState | undefined): number | undefined {
  return attempt?.level ?? attempt?.evidence?.score ?? attempt?.measurements.findLast((m) => m.role === 'candidate' && m.outcome === 'scored')?.score;
}

/** What start file and best so far scored, in one epoch: while the best hasn't been measured in a new one, in that which it was kept in. */
export function standingScores(state: RunState): { readonly from: number | undefined; readonly best: number | undefined } {
  const [start, best] = [attemptOf(state, 0), attemptOf(state, state.champion)];
  if (state.epoch?.isBestKnown === false) return { from: start?.evidence?.score, best: best?.evidence?.score };
  return { from: scoreOf(start), best: scoreOf(best) };
}

/** All runs that an attempt had, of whatever epoch. */
export function allRuns({ earlier = [], measurements }: AttemptState): readonly Measured[] {
  return [...earlier, ...measurements];
}

/** Text of an attempt, as a blob; the baseline's for attempt 0 and for attempts without an edit of their own. */
export function textOf(state: RunState, number: number): BlobId {
  return attemptOf(state, number)?.candidate ?? state.baseline;
}

/** Texts of the run that were accepted so far, as blobs, the latest attempt first: a person's file may come from one of them. */
export function acceptedTexts(state: RunState): readonly BlobId[] {
  return state.attempts.filter(({ accepted }) => accepted === true).map(({ number }) => textOf(state, number)).reverse();
}

function begin(event: RunStarted): RunState {
  return {
    id: event.run,
    plan: event.plan,
    baseline: event.baseline,
    ...(event.baselineTokens === undefined ? {} : { baselineTokens: event.baselineTokens }),
    startedAt: event.at,
    attempts: [],
    champion: 0,
    sinceKeep: 0,
    lastKeepAt: event.at,
    tokensUsed: 0,
    paused: false,
    pausedMs: 0,
    pausedMsAtKeep: 0,
    ...(event.program === undefined ? {} : { program: event.program }),
    ...(event.given === undefined ? {} : { given: event.given }),
    nextSeq: event.seq + 1,
  };
}

function advance(state: RunState, event: Exclude<LedgerEvent, RunStarted>): RunState {
  switch (event.type) {
    case 'scratch-opened':
      return { ...state, scratch: event.scratch, ...(event.inventory === undefined ? {} : { inventory: event.inventory }) };
    case 'epoch-started':
      return anew(state, event);
    case 'attempt-started':
      return withAttempt(state, event.attempt, event.at, () => ({
        startedAt: event.at,
        ...(event.parent === undefined ? {} : { parent: event.parent }),
        ...epochOf(state),
      }));
    case 'proposed': {
      const next = withAttempt(state, event.attempt, event.at, () => ({
        request: event.request,
        reply: event.reply,
        ...(event.usage === undefined ? {} : { usage: event.usage }),
      }));
      return { ...next, tokensUsed: state.tokensUsed + tokensIn(event.usage) };
    }
    case 'proposal-failed':
      return { ...state, tokensUsed: state.tokensUsed + tokensIn(event.usage) };
    case 'edited':
      return withAttempt(state, event.attempt, event.at, ({ candidate }) => ({
        // A second text: settled on another parent.
        ...(candidate === undefined ? {} : { measurements: [], waits: false, ...epochOf(state) }),
        ...(event.parent === undefined ? {} : { parent: event.parent }),
        candidate: event.candidate,
        hypothesis: event.hypothesis,
        addedLines: event.addedLines,
        removedLines: event.removedLines,
        ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
        ...(event.signals === undefined ? {} : { signals: event.signals }),
        ...(event.blind === undefined ? {} : { blind: event.blind }),
      }));
    case 'measured':
      return withAttempt(state, event.attempt, event.at, ({ measurements, uncounted = [] }) =>
        (event.uncounted === undefined ? { measurements: [...measurements, event] } : { uncounted: [...uncounted, event] }));
    case 'noted':
      // A ledger that came with a workspace may hold any number.
      return (state.notes?.length ?? 0) >= MAX_NOTES ? state : { ...state, notes: [...(state.notes ?? []), event.sentence] };
    case 'clock-slipped':
      return slipped(state, event);
    case 'judged':
      return judge(state, event);
    case 'waiting': {
      const next = withAttempt(state, event.attempt, event.at, () => ({ waits: true, evidence: event.evidence, endedAt: event.at, endedSeq: event.seq }));
      // Before the last quarter of a night nothing is kept: what looks better then is what patience waits for.
      return event.evidence.how === 'night' ? withImprovement(next, event.at) : { ...next, sinceKeep: state.sinceKeep + 1 };
    }
    case 'reviewed':
      return event.action === 'kept' ? chosen(state, event) : withAttempt(state, event.attempt, event.at, () => ({ accepted: true }));
    case 'steered':
      return event.what === 'paused' || event.what === 'resumed' ? pausing(state, event) : reprogrammed(state, event);
    case 'run-ended':
      return { ...state, end: { reason: event.reason, sentence: event.sentence, ...(event.needs === undefined ? {} : { needs: event.needs }), at: event.at, ...(event.aliveAt === undefined ? {} : { aliveAt: event.aliveAt }) } };
    case 'run-resumed':
      return resumed(state, event);
  }
}

/** The scorer is shown something else: nothing that was measured before tells of what comes after. */
function anew({ known, ...state }: RunState, { epoch, why, inventory }: EpochStarted): RunState {
  const { judged = 0, keeps = [], lost = 0 } = known ?? state.epoch?.used ?? {};
  const line = lineOf(state, state.champion);
  const attempts = state.attempts.map((attempt) => {
    if (!line.includes(attempt.number)) return attempt;
    const { startScores: _scores, level: _level, ...rest } = attempt;
    return { ...rest, measurements: [], earlier: [...(attempt.earlier ?? []), ...attempt.measurements] };
  });
  return { ...state, attempts, inventory, notes: [...(state.notes ?? []), why], epoch: { number: epoch, isBestKnown: state.champion === 0, used: { judged, keeps, lost } } };
}

/** Without a reset of what may be wrong in the whole run; and of a best that is measured first after the start file nothing else is known. */
function learnInEpoch(state: RunState, event: LedgerEvent): Knowledge | undefined {
  const { epoch, known } = state;
  if (epoch === undefined) return learn(known, event, state.plan);
  if (known !== undefined && isFirstOfBest(state, event)) return learnChoice(known, [onScale(known.scale, event.score)]);
  const next = learn(known, event, state.plan);
  return known === undefined && next !== undefined ? { ...next, ...epoch.used } : next;
}

function isFirstOfBest({ epoch, champion }: RunState, event: LedgerEvent): event is Measured & { readonly score: number } {
  return epoch?.isBestKnown === false && event.type === 'measured' && event.attempt === champion && event.role === 'parent' && event.outcome === 'scored' && event.score !== undefined;
}

function bestKnown(state: RunState, event: LedgerEvent): RunState {
  return state.epoch !== undefined && isFirstOfBest(state, event) ? { ...state, epoch: { ...state.epoch, isBestKnown: true } } : state;
}

function epochOf({ epoch }: RunState): Pick<AttemptState, 'epoch'> {
  return epoch === undefined ? {} : { epoch: epoch.number };
}

/** Whether the best so far is of an epoch before: its score in this one is that of its runs as the parent. */
function isRunOfOldBest({ epoch, champion, attempts }: RunState, event: LedgerEvent): event is Measured {
  return epoch !== undefined && champion > 0 && event.type === 'measured' && event.attempt === champion && event.role === 'parent' && event.outcome === 'scored'
    && (attempts.find(({ number }) => number === champion)?.epoch ?? 0) < epoch.number;
}

/** An attempt and all that it builds on, itself first. */
export function lineOf(state: RunState, number: number): readonly number[] {
  const line: number[] = [];
  for (let at: number | undefined = number; at !== undefined && !line.includes(at); at = attemptOf(state, at)?.parent) line.push(at);
  return line;
}

/** Whether an event is a run of the scorer on the unchanged file: for itself, or as the parent of an attempt in hand. */
function isRunOfStart(state: RunState, event: LedgerEvent): event is Measured {
  if (event.type !== 'measured' || event.outcome !== 'scored' || (event.role !== 'candidate' && event.role !== 'parent')) return false;
  if (event.attempt === 0) return true;
  const attempt = attemptOf(state, event.attempt);
  // A run as the parent that comes after the verdict is the attempt's own.
  return event.role === 'parent' && attempt?.verdict === undefined && (attempt?.parent ?? 0) === 0;
}

/**
 * Its first run counts only while there is no other: a cold start is part of it, and no candidate is compared with that run
 * alone. So it is with candidates, too.
 */
function withStartScore(state: RunState, { scale }: Knowledge, number: number, score: number): RunState {
  const start = attemptOf(state, number);
  if (start === undefined) return state;
  const startScores = [...(start.startScores ?? []), score];
  const counted = startScores.length > 1 ? startScores.slice(1) : startScores;
  const equal = counted.every((value) => value === score);
  const after = { ...start, startScores, level: equal ? score : offScale(scale, mean(counted.map((value) => onScale(scale, value)))) };
  return { ...state, attempts: state.attempts.with(state.attempts.indexOf(start), after) };
}

/** A person's word makes an attempt the champion. */
function chosen(state: RunState, { attempt: number, at }: Reviewed): RunState {
  const attempt = attemptOf(state, number);
  if (attempt === undefined || scoreOf(attempt) === undefined) return state;
  const next = withAttempt(state, number, at, () => ({ keptByPerson: true, waits: false, verdict: attempt.verdict ?? 'kept' }));
  const known = state.known === undefined ? undefined : learnChoice(state.known, (attempt.epoch ?? 0) === (state.epoch?.number ?? 0) ? valuesOf(attempt, state.known) : []);
  return { ...withImprovement(next, at), champion: number, ...(known === undefined ? {} : { known }) };
}

function valuesOf(attempt: AttemptState, { scale }: Knowledge): readonly number[] {
  const values = ownRuns(attempt).flatMap(({ outcome, score }) => (outcome === 'scored' && score !== undefined ? [onScale(scale, score)] : []));
  // A candidate's first run is the one that made it look good.
  return attempt.number > 0 && values.length > 1 ? values.slice(1) : values;
}

function tokensIn(usage: Usage | undefined): number {
  return usage?.totalTokens ?? (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
}

function reprogrammed(state: RunState, { what, program, live, why }: Steered): RunState {
  const { programProblem, ...rest } = state;
  if (what === 'program-ignored') return { ...state, programProblem: why ?? programProblem ?? '' };
  return { ...rest, plan: { ...state.plan, ...live }, ...(program === undefined ? {} : { program }) };
}

function pausing(state: RunState, { what, at }: Steered): RunState {
  if (what === 'paused') return { ...state, paused: true, pausedAt: state.pausedAt ?? at };
  const { pausedAt, ...rest } = state;
  return { ...rest, paused: false, pausedMs: state.pausedMs + (pausedAt === undefined ? 0 : lengthMs(pausedAt, at)) };
}

/** It goes on: the time in which nothing ran counts like a pause, and one that it ended in is over. */
function resumed({ end, pausedAt, ...state }: RunState, { at }: RunResumed): RunState {
  const from = pausedAt ?? end?.aliveAt ?? end?.at ?? at;
  return { ...state, paused: false, pausedMs: state.pausedMs + lengthMs(from, at) };
}

/** Time that slipped by is none of the run, as a pause is; a pause that lasts began by the clock as it goes now. */
function slipped(state: RunState, { what, slippedMs }: ClockSlipped): RunState {
  const { pausedAt, pausedMs, plan } = state;
  return {
    ...state,
    pausedMs: pausedMs + slippedMs,
    ...(pausedAt === undefined ? {} : { pausedAt: new Date(Date.parse(pausedAt) + slippedMs).toISOString() }),
    ...(what === 'set' ? { plan: atSetClock(plan, slippedMs) } : {}),
  };
}

/** Times of the clock are those that it shows now; of a clock whose date was wrong, on the day that was meant. */
function atSetClock(plan: RunPlan, slippedMs: number): RunPlan {
  const movedMs = Math.round(slippedMs / DAY_MS) * DAY_MS;
  const { untilMs } = plan.stop;
  return { ...plan, morningMs: plan.morningMs + movedMs, stop: { ...plan.stop, ...(untilMs === undefined ? {} : { untilMs: untilMs + movedMs }) } };
}

const DAY_MS = 24 * 3_600_000;

/** Time between two moments; none where they can't be read, or a clock was set back. */
function lengthMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? ms : 0;
}

function judge(state: RunState, event: Judged): RunState {
  // A verdict is final: a second one for the same attempt changes nothing.
  if (attemptOf(state, event.attempt)?.verdict !== undefined) return state;
  const next = withAttempt(state, event.attempt, event.at, ({ waits }) => ({
    verdict: event.verdict,
    ...(waits === undefined ? {} : { waits: false }),
    evidence: event.evidence,
    endedAt: event.at,
    endedSeq: event.seq,
    ...(event.hypothesis === undefined ? {} : { hypothesis: event.hypothesis }),
  }));
  if (event.verdict === 'kept') return { ...withImprovement(next, event.at), champion: event.attempt };
  return event.verdict === 'cancelled' ? next : { ...next, sinceKeep: state.sinceKeep + 1 };
}

/** Patience begins anew. */
function withImprovement(state: RunState, at: string): RunState {
  return { ...state, sinceKeep: 0, lastKeepAt: at, pausedMsAtKeep: state.pausedMs };
}

function withAttempt(
  state: RunState, number: number, at: string, change: (attempt: AttemptState) => Partial<AttemptState>,
): RunState {
  const known = attemptOf(state, number);
  const before: AttemptState = known ?? { number, startedAt: at, measurements: [] };
  const after = { ...before, ...change(before) };
  if (known === undefined) return { ...state, attempts: [...state.attempts, after] };
  return { ...state, attempts: state.attempts.with(state.attempts.indexOf(known), after) };
}
