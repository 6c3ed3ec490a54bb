/** What became of an attempt and of each run of the scorer, and why: plain JSON values, written into the ledger. */

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
  /** One of the two ran once, and too little is known of the noise for the interval to say anything. */
  readonly rough?: true;
}

/** Something that an honest attempt doesn't do. */
export interface Signal {
  readonly code: string;
  /** One plain sentence that names the lines. */
  readonly reason: string;
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
