import type {
  BlobId, EndReason, Evidence, Measured, RunPlan, RunStarted, ScratchOpened, Signal, Usage, Verdict,
} from '../../records.ts';
import type { Knowledge } from '../verifier/knowledge.ts';

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

/** The last attempt on whose own text the scorer ran: what it printed is what a model is told next. */
export function lastRun({ attempts }: RunState): AttemptState | undefined {
  return attempts.findLast(({ measurements }) => measurements.some(({ role }) => role === 'candidate'));
}

/** Text of an attempt, as a blob; the baseline's for attempt 0 and for attempts without an edit of their own. */
export function textOf(state: RunState, number: number): BlobId {
  return attemptOf(state, number)?.candidate ?? state.baseline;
}

/** Texts of the run that were accepted so far, as blobs, the latest attempt first: a person's file may come from one of them. */
export function acceptedTexts(state: RunState): readonly BlobId[] {
  return state.attempts.filter(({ accepted }) => accepted === true).map(({ number }) => textOf(state, number)).reverse();
}

/** An attempt and all that it builds on, itself first. */
export function lineOf(state: RunState, number: number): readonly number[] {
  const line: number[] = [];
  for (let at: number | undefined = number; at !== undefined && !line.includes(at); at = attemptOf(state, at)?.parent) line.push(at);
  return line;
}
