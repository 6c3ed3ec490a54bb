/** What a run does, decided before it starts: plain JSON values, written into the ledger's first event. */

export type Direction = 'higher' | 'lower';

export interface Metric {
  readonly name: string;
  readonly direction: Direction;
  /** For screens only ("ms"); never converted. */
  readonly unit?: string;
}

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

/** What one run of a command may use at most, with all that it starts; what is absent has no limit. */
export interface ResourceLimits {
  /** Resident memory of all its processes together. */
  readonly memoryBytes?: number;
  /** Living at the same time. */
  readonly processes?: number;
  /** Processor time of one process, in whole seconds. */
  readonly cpuS?: number;
  /** Of any one file that it writes. */
  readonly fileBytes?: number;
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
  /** What a person chose of them; the others are the engine's defaults. */
  readonly resources?: ResourceLimits;
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
  /** Paths and patterns of which each run is given what the start file's run left there. */
  readonly cache?: readonly string[];
  /** Whether the commands are confined; absent is `auto`: where this system can. */
  readonly sandbox?: 'auto' | 'required' | 'off';
  /** What the confined commands are given beyond their own view. */
  readonly allow?: readonly string[];
  /** The machine may sleep while the run goes on; absent: it is kept awake where it can be, on mains. */
  readonly keepAwake?: false;
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
