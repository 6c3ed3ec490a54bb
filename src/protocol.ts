import type { BlobId, LedgerEvent, Metric, ResourceLimits, RunPlan } from './records.ts';
import type { CheckReport } from './loop/audit/report.ts';
import type { CheckSummary } from './loop/audit/summary.ts';
import type { Choices, Problem } from './loop/options.ts';
import type { Cursor } from './loop/new-scorer/fill.ts';
import type { ScorerKind, ScriptLanguage } from './loop/new-scorer/names.ts';
import type { Pace } from './loop/pace.ts';

/**
 * The wire between the engine and its clients (editor windows, terminals). The engine is a language server: a client
 * opens with `initialize`, whose `initializationOptions` are a Hello, and the custom messages below follow.
 * Only JSON values cross. Every event carries its run's id.
 */

/** Raised when a message changes its meaning. A newer client watches, pauses and stops an older engine's run. */
export const PROTOCOL_VERSION = 1;

/** Server of the proposer `openai` where nobody names another. */
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Stands for whoever will propose, in a question about the scorer alone: nothing is ever asked of it. */
export const ANY_PROPOSER = 'replay:.';

/** Client → engine, inside `initialize`. A wrong token ends the connection. */
export interface Hello {
  readonly token: string;
  readonly protocol: number;
  readonly build: string;
  readonly client: 'editor' | 'terminal';
}

/** Engine → client, as `experimental` of the server's capabilities. */
export interface HelloReply {
  readonly protocol: number;
  readonly build: string;
  readonly root: string;
  readonly pid: number;
}

/** What a person may say before a run; the same question is asked for the start page, for one try and for the start. */
export interface Ask {
  /** Absolute path of the target. */
  readonly target: string;
  /** Unsaved text of the target, where an editor holds some: the run starts from it. */
  readonly text?: string;
  readonly flags: Choices;
  readonly settings: Choices;
  /** Absolute path of the program, where it isn't beside the target. */
  readonly program?: string;
  /** Absolute folder to run in, where a person chose one. */
  readonly folder?: string;
  /** Base URL of the proposer `openai`. */
  readonly baseUrl?: string;
  readonly seed?: number;
  /** `id` of the page that the person saw: a try or a start that would run something else by now is refused (`changed`). */
  readonly seen?: string;
  /** The client's environment: the engine takes what a scorer may see, and keeps it in memory only. */
  readonly env: Readonly<Record<string, string>>;
  /** Python that the editor chose, where it did. */
  readonly python?: string;
}

/** A run that has ended is to go on. What no ledger holds is asked for again. */
export interface ResumeAsk {
  readonly run: string;
  readonly env: Ask['env'];
  readonly python?: string;
  /** Base URL of the proposer `openai`, as a start would have it now. */
  readonly baseUrl?: string;
  /** `id` of the page that the person saw. */
  readonly seen?: string;
}

/** A scorer that was found beside the target, not run. */
export interface ScorerOffer {
  /** What to put into `scorer`. */
  readonly scorer: string | readonly string[];
  /** Absolute. */
  readonly folder: string;
  /** Why this one: "package.json has the script bench". */
  readonly why: string;
  readonly metric?: Metric;
}

/** Which scoring script is wanted. */
export interface ScorerAsk {
  /** Absolute path of the target. */
  readonly target: string;
  /** Unsaved text of the target, where an editor holds some. */
  readonly text?: string;
  readonly kind: ScorerKind;
  /** That of the target, where it isn't given. */
  readonly language?: ScriptLanguage;
  /** Whether a function is compared with a copy of the target as it is. */
  readonly compare?: boolean;
  /** Absolute path of the script; a name that is free beside the target where it isn't given. */
  readonly script?: string;
  /** The client's environment: where its programs are. */
  readonly env: Readonly<Record<string, string>>;
}

/** A scoring script that was made and is not written. */
export interface ScorerDraft {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Where a person begins to edit. */
  readonly cursor: Cursor;
  /** What it measures. */
  readonly metric: Metric;
  /** What to put into `scorer`. */
  readonly scorer: string;
  /** A copy of the target that the script compares with; to be written where it isn't there. */
  readonly copy?: { readonly path: string; readonly text: string };
  /** What a person should know who doesn't see the text, a sentence each. */
  readonly notes: readonly string[];
}

/** A command that a run starts besides its scorer. */
export interface AlsoRun {
  readonly role: 'gate' | 'stage' | 'holdout';
  /** The exact command line, with the variables that are set for it. */
  readonly command: string;
  /** Absolute folder in which it runs. */
  readonly folder: string;
  /** What it is for, in a few words: "must pass". */
  readonly why: string;
}

/** What stands on the start page. */
export interface StartPage {
  /** Absent where something is missing: `problems` says what. */
  readonly plan?: RunPlan;
  /** Names what would be run; sent back as `seen`. Absent where there is no plan. */
  readonly id?: string;
  readonly problems: readonly Problem[];
  readonly root: string;
  /** The exact command line. */
  readonly command?: string;
  /** Absolute folder in which it runs. */
  readonly folder?: string;
  /** Why this command: "train.py is its own scorer". */
  readonly why?: string;
  /** Where the command comes from: only a flag or a person's own choice needs no confirmation. */
  readonly source?: 'flag' | 'program' | 'setting' | 'train.py' | 'ledger';
  /** Gates, stages and the holdout. program.md alone can name them. Absent from an engine that knows none. */
  readonly also?: readonly AlsoRun[];
  /** The limits, as words. */
  readonly limits?: readonly string[];
  readonly offers: readonly ScorerOffer[];
  /** Absolute path of the target's program.md: the one that is there, else where it would be. */
  readonly program: string;
  /** "7 numbers and 2 switches in this file"; absent where there is nothing to vary. */
  readonly literals?: string;
  /** The target draws from a random stream that it seeds itself, and that can't be varied. */
  readonly seededInside?: true;
  /** How long its parts took in an earlier run or check; absent where nothing is known of it. */
  readonly pace?: Pace;
  /** What the last check of exactly this text and scorer found; absent where there was none. */
  readonly checked?: CheckSummary;
  /** How the candidate is put in the target's place. */
  readonly scratch: string;
  /** How the scorer is confined, in short before the first colon, or why it isn't and what would mend that. */
  readonly confinement: string;
  /** Words of `allow`: what a confined scorer is given beyond that. */
  readonly allowed?: readonly string[];
  /** What one run of the scorer may use, defaults included. */
  readonly resources?: ResourceLimits;
  /** Whether the machine is kept awake while the run goes on, or why not. Absent from an engine that doesn't. */
  readonly awake?: string;
  /** What program.md opens of it. */
  readonly opens?: readonly string[];
}

/** One run of the scorer on the unchanged file. */
export interface TryResult {
  readonly outcome: string;
  /** What `score` is a value of, from whoever named it: a flag, program.md, the default. */
  readonly metric: Metric;
  readonly score?: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly cases: readonly { readonly name: string; readonly score: number; readonly note?: string }[];
  readonly why: string;
  readonly durationMs: number;
  /** It fails only when it is confined: what to do about it, in a sentence or two. */
  readonly needs?: string;
  /** Numbers that were printed under other names, to pick one from. */
  readonly candidates: readonly { readonly name: string; readonly value: number }[];
  /** Head and tail of what was printed. */
  readonly output: string;
}

/** Is this loopable? Asked like a start. */
export interface CheckAsk extends Ask {
  /** What a person said of how often the task comes back. */
  readonly repeated?: 'said' | 'assumed' | 'once';
  /** Measures anew what an earlier check of the same text and scorer has found. */
  readonly again?: boolean;
}

/** How far a check is. */
export interface CheckProgress {
  /** Relative to the root, with `/`. */
  readonly target: string;
  /** `queued`: another run of the root executes. */
  readonly doing: 'queued' | 'opening' | 'running';
  /** What the scorer runs on: "slug with its body emptied". */
  readonly what?: string;
  /** Runs of the scorer, and how many it would be with all that is wanted; the time may end before. */
  readonly done: number;
  readonly total: number;
  readonly spentMs: number;
  readonly budgetMs: number;
}

/** Run states that aren't in the ledger: what a run is doing this moment. */
export interface RunActivity {
  readonly run: string;
  readonly doing: 'queued' | 'baseline' | 'canary' | 'thinking' | 'running' | 'checking' | 'retrying' | 'paused' | 'ended';
  readonly attempt?: number;
  /** A pause is asked for, and begins when the attempt in flight is over. */
  readonly pausing?: true;
  /** The last line that the scorer printed; of `retrying` why no proposal came. */
  readonly note?: string;
}

export interface RunSummary {
  readonly run: string;
  readonly active: boolean;
  /** Set where its ledger can't be read (a newer version). */
  readonly problem?: string;
  readonly target?: string;
  readonly startedAt?: string;
}

/** Requests: name, parameters and answer, once. */
export interface Requests {
  /** What would be run and what is missing. Runs nothing of the project. */
  'ratchet/page': { readonly params: Ask; readonly result: StartPage };
  /** Runs the scorer once on the unchanged file. */
  'ratchet/try': { readonly params: Ask; readonly result: TryResult };
  /**
   * Runs the scorer on the target and on broken copies of it for a while, in its turn among the root's runs. Cancelled, it
   * answers with what is known so far; asked again, it goes on.
   */
  'ratchet/check': { readonly params: CheckAsk; readonly result: CheckReport };
  /** Makes a scoring script for a target. Writes and runs nothing. */
  'ratchet/new-scorer': { readonly params: ScorerAsk; readonly result: ScorerDraft };
  /** Starts a run, or queues it. Rejects where the page has problems. */
  'ratchet/start': { readonly params: Ask & { readonly apiKey?: string; readonly detached: boolean }; readonly result: { readonly run: string } };
  'ratchet/runs': { readonly params: Record<string, never>; readonly result: readonly RunSummary[] };
  /** All events of a run so far; later ones follow as `ratchet/event`. */
  'ratchet/watch': { readonly params: { readonly run: string }; readonly result: readonly LedgerEvent[] };
  'ratchet/text': { readonly params: { readonly blob: BlobId }; readonly result: string };
  /** Ends a run; answers when no process of it is left. */
  'ratchet/stop': { readonly params: { readonly run: string }; readonly result: null };
  /** Finishes the attempt in flight, then waits. */
  'ratchet/pause': { readonly params: { readonly run: string }; readonly result: null };
  /** Ends a pause. */
  'ratchet/resume': { readonly params: { readonly run: string }; readonly result: null };
  /** What would be run if a run that was broken off went on. Rejects where it can't. */
  'ratchet/resume-page': { readonly params: ResumeAsk; readonly result: StartPage };
  /** Lets such a run go on, or queues it. `seq`: of its first new event. */
  'ratchet/resume-ended': { readonly params: ResumeAsk & { readonly apiKey?: string; readonly detached: boolean }; readonly result: { readonly run: string; readonly seq: number } };
  /** A person's answer where a scorer needs more than its confinement gives it: remembered for the target, relative to the root. */
  'ratchet/allow': { readonly params: { readonly target: string; readonly allow?: readonly string[]; readonly sandbox?: 'off' }; readonly result: null };
  /** A client of another build asks an idle engine to make room. True: it goes, and the connection closes. */
  'ratchet/retire': { readonly params: Record<string, never>; readonly result: boolean };
  /** The client wrote a text into the person's file. */
  'ratchet/accepted': { readonly params: { readonly run: string; readonly attempt: number; readonly text: string }; readonly result: null };
  /** A person makes an attempt the best so far, whatever its verdict. `later`: when the attempt in flight is over. */
  'ratchet/keep': { readonly params: { readonly run: string; readonly attempt: number }; readonly result: 'now' | 'later' };
  /** A terminal asks whether an editor holds unsaved text of a file (absolute path). */
  'ratchet/unsaved': { readonly params: { readonly path: string }; readonly result: boolean };
}

/** Notifications, engine → client. */
export interface Notifications {
  'ratchet/event': LedgerEvent;
  'ratchet/activity': RunActivity;
  /** To the client that asked for the check. */
  'ratchet/check': CheckProgress;
  /** A run was added to the list. */
  'ratchet/run': RunSummary;
}

/** Codes of failed requests; the message is one sentence for a person. */
export const HUMAN_ERROR_CODE = -32001;

/** Code of a request that an engine doesn't know, one of an older build. */
export const METHOD_NOT_FOUND = -32601;
