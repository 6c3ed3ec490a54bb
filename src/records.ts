/**
 * What is on disk: the ledger's events and the words they use. Plain JSON values only.
 * The wire (protocol.ts) and every stage share these types; nothing here imports anything.
 */

/** Version of the ledger's format, on every event. A reader refuses what is newer and opens what is older. */
export const LEDGER_VERSION = 1;

export type Direction = 'higher' | 'lower';

export interface Metric {
  readonly name: string;
  readonly direction: Direction;
  /** For screens only ("ms"); never converted. */
  readonly unit?: string;
}

/** How one run of the scorer ended. */
export const OUTCOMES = ['scored', 'crashed', 'timed-out', 'no-score', 'invalid-score', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What became of an attempt. */
export const VERDICTS = [
  'kept', 'discarded', 'crashed', 'timed-out', 'no-score', 'invalid-score', 'refused', 'flagged', 'cancelled',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a measurement was made for. */
export type MeasurementRole = 'candidate' | 'parent' | 'gate' | 'holdout' | 'stage' | 'canary';

/** SHA-256 of a text in `blobs/`, lower-case hex. */
export type BlobId = string;

export type ScorerSpec =
  /** A string, run by `sh -c` (`cmd /d /s /c`). */
  | { readonly kind: 'shell'; readonly command: string }
  /** A list, run without a shell. */
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  /** A JavaScript/TypeScript module with a default export, or a Python file with a top-level `score(path)`. `file` is relative to the root. */
  | { readonly kind: 'module'; readonly file: string; readonly language: 'node' | 'python' }
  /** A train.py that is its own scorer: `python` then the target. */
  | { readonly kind: 'self'; readonly python: readonly string[] };

export type ProposerSpec =
  | { readonly kind: 'literals' }
  | { readonly kind: 'replay'; readonly dir: string }
  | { readonly kind: 'openai'; readonly model: string; readonly baseUrl: string };

/** When a run ends by itself. Where none of attempts, hours and untilMs is given, loop/stop.ts adds defaults by the baseline's wall time. */
export interface StopRules {
  readonly attempts?: number;
  readonly hours?: number;
  /** A moment, in milliseconds since 1970. */
  readonly untilMs?: number;
  /** Ends when the champion reaches it. */
  readonly targetScore?: number;
  /** Attempts in a row without an improvement. */
  readonly patience?: number;
  /** Hours in a row without an improvement. */
  readonly patienceHours?: number;
  readonly tokens?: number;
}

/** Everything that a run does is decided here before it starts; frozen, except for the live keys, which `steered` changes. */
export interface RunPlan {
  /** Relative to the root, with `/`. */
  readonly target: string;
  readonly scorer: ScorerSpec;
  /** Folder in which the scorer runs, relative to the root; '' is the root. */
  readonly cwd: string;
  readonly metric: Metric;
  /** Told to the script as RATCHET_BUDGET_S. */
  readonly budgetS?: number;
  /** Absent: by rule from the baseline's wall time. */
  readonly timeoutMs?: number;
  readonly stop: StopRules;
  /** The next 08:00 of the person's clock, in milliseconds since 1970: where the default rules of a long run end. */
  readonly morningMs: number;
  readonly proposer: ProposerSpec;
  readonly seed: number;
  /** The program's file relative to the root, where there is one; re-read before each attempt. */
  readonly program?: string;
  /** Read-only files for the model, relative to the root. */
  readonly context: readonly string[];
  /** Lines of the target that hold one of these texts may not change. */
  readonly protect: readonly string[];
  /** The target is a train.py in karpathy's manner: its seeds, clock, evaluation and summary are protected. */
  readonly trainPy: boolean;
  /** Commands that must exit with 0 before a score counts. */
  readonly gates?: readonly CommandPlan[];
  /** Bounds of secondary metrics. */
  readonly limits?: readonly LimitPlan[];
  /** Other scorers that a candidate must pass, before the scorer or after it. */
  readonly stages?: readonly StagePlan[];
  /** A second scorer that no model hears of. */
  readonly holdout?: HoldoutPlan;
  /** How sure a run is before it keeps something; absent in ledgers from before there was a choice, where one better run was enough. */
  readonly verifier?: VerifierPlan;
}

/** A command beside the scorer, and the folder in which it runs. */
export interface CommandPlan {
  /** As screens call it; no two of a kind have the same. */
  readonly name: string;
  readonly spec: ScorerSpec;
  /** Relative to the root; '' is the root. */
  readonly cwd: string;
  /** Absent: by rule from its time on the start file. */
  readonly timeoutMs?: number;
}

/** A bound of a secondary metric: a value that it may not leave, or a share of the start file's by which it may move. */
export interface LimitPlan {
  readonly metric: string;
  readonly bound: 'at-most' | 'at-least' | 'growth' | 'fall';
  /** In the metric's unit; of `growth` and `fall` a share, 0.05 for 5 %. */
  readonly value: number;
}

export interface StagePlan extends CommandPlan {
  readonly metric: Metric;
  /** By how much worse than its parent a candidate may be, in the metric's unit; absent: as much as one run varies. */
  readonly threshold?: number;
  /** Put into the environment of this stage's runs. */
  readonly env?: Readonly<Record<string, string>>;
  /** `first`: before the scorer; `last`: once everything else says that the candidate would be kept. */
  readonly when: 'first' | 'last';
}

export interface HoldoutPlan extends CommandPlan {
  readonly metric: Metric;
  /** Files, folders and patterns relative to the root, which only this scorer is shown. */
  readonly files: readonly string[];
}

export interface VerifierPlan {
  /** `each`: what looks better is measured again at once; `night`: in the last quarter of the run, all together; `off`: never. */
  readonly confirm: 'each' | 'night' | 'off';
  /** One less the chance that a run of no-ops keeps anything. */
  readonly confidence: number;
  /** At most so many runs of one candidate. */
  readonly maxRepeats: number;
  /** Standard deviation of one run, over seeds where the target has one, as a person knows it; in the metric's unit. */
  readonly noise?: number;
  /** Name of the literal that seeds the target, where the parser doesn't find it by itself. */
  readonly seed?: string;
}

/** On what grounds something was kept, or not. */
export type Grounds =
  /** Not better, or not shown to be. */
  | 'not-better'
  /** The same value, run after run, and better; or the same with less code. */
  | 'exact' | 'exact-simpler'
  /** A sequential test against fresh runs of the parent. */
  | 'confirmed'
  /** Shown to lose less than the noise of one run, with clearly less code. */
  | 'simpler'
  /** One draw of a random stream that can't be varied. */
  | 'one-draw'
  /** Looks better in one run, and is settled at the end of the night. */
  | 'night'
  /** Nobody asked for more than one run. */
  | 'unconfirmed' | 'unconfirmed-simpler';

/** How far a candidate lies from its parent; more than 0, or a factor above 1, is better. */
export interface Effect {
  /** `unit`: differences in the metric's unit; `factor`: how many times better. */
  readonly in: 'unit' | 'factor';
  readonly gain: number;
  /** 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** Chance that a candidate without any effect looks as good in as many runs. */
  readonly chance: number;
  /** Runs of the candidate, and of the parent that it is compared with. */
  readonly runs: number;
  readonly parentRuns: number;
}

/** Something that an honest attempt doesn't do. */
export interface Signal {
  readonly code: string;
  /** One plain sentence that names the lines. */
  readonly reason: string;
}

/** Tokens of one request. */
export interface Usage {
  /** The server said nothing: counted from the characters, four to a token. */
  readonly estimated?: true;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** One named part of a score, as a scorer may report it. */
export interface CaseScore {
  readonly name: string;
  readonly score: number;
  readonly note?: string;
}

/** Why the verdict is what it is: facts for screens and for the next request. */
export interface Evidence {
  /** One plain sentence. */
  readonly reason: string;
  /** The measured value of the candidate, where there is one. */
  readonly score?: number;
  readonly parentScore?: number;
  /** Code tokens of candidate and parent, where they decided. */
  readonly tokens?: number;
  readonly parentTokens?: number;
  /** A refusal's code (edit.ts) or a flag's signal. */
  readonly code?: string;
  readonly how?: Grounds;
  /** Something that a person should look at, which decides nothing. */
  readonly note?: string;
  /** Names of the checks of a gate that failed. */
  readonly failed?: readonly string[];
  /** What the held-out scorer said of candidate and parent: for people, never for a model. */
  readonly holdout?: { readonly score?: number; readonly parentScore?: number };
  /** Under noise, or where a person asked for no confirming: absent. */
  readonly effect?: Effect;
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
  readonly build: string;
}

/** The private view of the workspace is there: how the candidate is put in the target's place. */
export interface ScratchOpened extends EventBase {
  readonly type: 'scratch-opened';
  readonly scratch: 'overlay' | 'copy';
  /** One sentence: what was reached, and why not more. */
  readonly how: string;
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
  /** What disagrees with the value that was taken, in one sentence (a second, differing score). */
  readonly conflict?: string;
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
}

export type LedgerEvent =
  | RunStarted | ScratchOpened | AttemptStarted | Proposed | ProposalFailed | Edited | Measured | Judged | Waiting | Noted | Steered | Reviewed | RunEnded;

/** An event as a stage makes it: the store adds version, run, sequence and time. */
export type NewEvent = LedgerEvent extends infer E ? (E extends LedgerEvent ? Omit<E, keyof EventBase> : never) : never;
