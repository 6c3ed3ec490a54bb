/**
 * What is on disk: the ledger's events and the words they use. Plain JSON values only.
 * The wire (protocol.ts) and every stage share these types; nothing here imports anything but its own parts.
 */
import type { CaseScore, Evidence, MeasurementRole, Outcome, Signal, Verdict } from './records/evidence.ts';
import type { RunPlan } from './records/plan.ts';

export * from './records/evidence.ts';
export type * from './records/plan.ts';

/** Version of the ledger's format, on every event. A reader refuses what is newer and opens what is older. */
export const LEDGER_VERSION = 1;

/** SHA-256 of a text in `blobs/`, lower-case hex. */
export type BlobId = string;

/** Tokens of one request. */
export interface Usage {
  /** The server said nothing: counted from the characters, four to a token. */
  readonly estimated?: true;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** Why a run ended. Screens write the sentence; `run-ended` carries it too, so that a log reads alone. */
export const END_REASONS = [
  'attempts', 'hours', 'until', 'settled', 'target-score', 'patience', 'tokens', 'stopped', 'nothing-left', 'baseline-failed',
  'canary', 'proposer-failed', 'storage', 'refused', 'failed', 'engine-died',
] as const;
export type EndReason = (typeof END_REASONS)[number];

interface EventBase {
  readonly v: typeof LEDGER_VERSION;
  readonly run: string;
  /** Counts from 0 within a run, without gaps. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface RunStarted extends EventBase {
  readonly type: 'run-started';
  readonly plan: RunPlan;
  /** The target's text when the run began. */
  readonly baseline: BlobId;
  /** Code tokens of the baseline; absent where its language has no parser. */
  readonly baselineTokens?: number;
  /** The program's text when the run began. */
  readonly program?: BlobId;
  /** What flags and settings said of the live keys: an edit of the program doesn't take back a flag, after the run is resumed too. */
  readonly given?: { readonly flags: Readonly<Record<string, unknown>>; readonly settings: Readonly<Record<string, unknown>> };
  readonly build: string;
}

/** The private view of the workspace is there: how the candidate is put in the target's place. */
export interface ScratchOpened extends EventBase {
  readonly type: 'scratch-opened';
  readonly scratch: 'overlay' | 'copy';
  /** One sentence: what was reached, and why not more. */
  readonly how: string;
  /** How the scorer is confined; absent where it runs with the person's rights. */
  readonly confined?: string;
  /** What else the scorer is shown, as a text of loop/inventory.ts. */
  readonly inventory?: BlobId;
}

/** What the scorer is shown besides the target is another than before: start file and best so far are measured anew, and no score from before is compared with one after. */
export interface EpochStarted extends EventBase {
  readonly type: 'epoch-started';
  /** From 1; what a run begins with is epoch 0. */
  readonly epoch: number;
  /** One sentence that names what changed. */
  readonly why: string;
  /** Files and folders, relative to the workspace's top, and programs; bounded. */
  readonly changed: readonly string[];
  /** What the scorer is shown now. */
  readonly inventory: BlobId;
}

export interface AttemptStarted extends EventBase {
  readonly type: 'attempt-started';
  readonly attempt: number;
  /** The attempt whose text this one starts from; absent for the baseline. */
  readonly parent?: number;
}

export interface Proposed extends EventBase {
  readonly type: 'proposed';
  readonly attempt: number;
  readonly request: BlobId;
  readonly reply: BlobId;
  readonly durationMs: number;
  readonly usage?: Usage;
}

/** A request that brought no proposal. No attempt began over it, but it may have cost tokens. */
export interface ProposalFailed extends EventBase {
  readonly type: 'proposal-failed';
  /** The number of the attempt that it was for. */
  readonly attempt: number;
  /** One sentence. */
  readonly why: string;
  readonly usage?: Usage;
}

/** An attempt's text. A second one is the text that is settled at the end of a night, on top of another parent: what was measured before it doesn't count. */
export interface Edited extends EventBase {
  readonly type: 'edited';
  readonly attempt: number;
  /** The parent that this text stands on, where it isn't the one that the attempt started from. */
  readonly parent?: number;
  readonly candidate: BlobId;
  readonly hypothesis: string;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly tokens?: number;
  /** What the edit shows by itself of a score that would not be earned. */
  readonly signals?: readonly Signal[];
  /** It touches nothing but parts that the score doesn't react to, as far as a check found. */
  readonly blind?: true;
}

export interface Measured extends EventBase {
  readonly type: 'measured';
  readonly attempt: number;
  readonly role: MeasurementRole;
  /** Name of the gate, the stage or the holdout. */
  readonly name?: string;
  /** Whose text a stage or the holdout was run on. */
  readonly whose?: 'candidate' | 'parent';
  /** Names of the checks of a gate that failed, bounded. */
  readonly failed?: readonly string[];
  readonly seed: number;
  /** Of a gate: `scored` where it passed, `no-score` where it checked nothing. */
  readonly outcome: Outcome;
  readonly score?: number;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly cases?: readonly CaseScore[];
  /** One sentence: where the value was read, or why there is none. */
  readonly why: string;
  /** How many values of the metric were printed. */
  readonly values: number;
  /** Where the value was read: the result file, a line, a report. */
  readonly source: string;
  /** Wall time of the scorer alone. */
  readonly durationMs: number;
  readonly output: BlobId;
  /** Files of the workspace, other than the target, that the run changed or deleted; relative to its top, bounded. */
  readonly altered?: readonly string[];
  /** Numbers of processes of the run that could not be ended; normally none. */
  readonly survivors?: readonly number[];
  /** Words of `allow` for what its confinement kept it from, as its output tells. */
  readonly blocked?: readonly string[];
  /** What disagrees with the value that was taken, in one sentence (a second, differing score). */
  readonly conflict?: string;
  /** The score depends on how fast the machine is, and that ran on its battery. */
  readonly onBattery?: true;
  /** Why it doesn't count and was made again, in one sentence: the machine slept meanwhile. Nothing is judged by it. */
  readonly uncounted?: string;
}

export interface Judged extends EventBase {
  readonly type: 'judged';
  readonly attempt: number;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  /** Present on refusals, which have no `edited` event. */
  readonly hypothesis?: string;
}

/** It looks better, and only a person can decide: it has no verdict until then. The run goes on from its parent. */
export interface Waiting extends EventBase {
  readonly type: 'waiting';
  readonly attempt: number;
  readonly evidence: Evidence;
}

/** Something about the whole run that a person should know, in one sentence. */
export interface Noted extends EventBase {
  readonly type: 'noted';
  readonly sentence: string;
}

/** The clock went on by so much that was no time of the run: the machine slept, or somebody set the clock. */
export interface ClockSlipped extends EventBase {
  readonly type: 'clock-slipped';
  readonly what: 'slept' | 'set';
  /** In milliseconds; less than 0 where the clock was set back. */
  readonly slippedMs: number;
}

export interface Steered extends EventBase {
  readonly type: 'steered';
  readonly what: 'program' | 'program-ignored' | 'paused' | 'resumed';
  /** The program's new text. */
  readonly program?: BlobId;
  /** Keys that changed with it and wait for the next run. */
  readonly waits?: readonly string[];
  /** What is wrong with a program that is ignored, in one sentence. */
  readonly why?: string;
  /** The live keys as they are now. */
  readonly live?: Pick<RunPlan, 'stop' | 'context'>;
}

export interface Reviewed extends EventBase {
  readonly type: 'reviewed';
  readonly attempt: number;
  /** `accepted`: into the person's file. `kept`: a person made it the champion, whatever the verifier said. */
  readonly action: 'accepted' | 'kept';
  /** The text that was written into the person's file, or is the champion's. */
  readonly text: BlobId;
}

export interface RunEnded extends EventBase {
  readonly type: 'run-ended';
  readonly reason: EndReason;
  /** One sentence for the status bar, the log and the terminal. */
  readonly sentence: string;
  /** The start file is scored without confinement and fails in it: the words of `allow` that would do, where they are known. */
  readonly needs?: readonly string[];
  /** Of a run whose engine died: the last moment at which that is known to have lived. */
  readonly aliveAt?: string;
}

/** A person had a run that had ended go on: with its best so far, its history, and what was used of its budgets. */
export interface RunResumed extends EventBase {
  readonly type: 'run-resumed';
  readonly build: string;
}

export type LedgerEvent =
  | RunStarted | ScratchOpened | EpochStarted | AttemptStarted | Proposed | ProposalFailed | Edited | Measured | Judged | Waiting | Noted | ClockSlipped | Steered | Reviewed | RunEnded | RunResumed;

/** An event as a stage makes it: the store adds version, run, sequence and time. */
export type NewEvent = LedgerEvent extends infer E ? (E extends LedgerEvent ? Omit<E, keyof EventBase> : never) : never;
