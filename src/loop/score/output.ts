/** What one run of the scorer left behind: text as it was printed, and how it ended. */
export interface ScorerOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Absent (null) when a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly end: 'exited' | 'timed-out' | 'cancelled' | 'over-limit' | 'not-started';
  readonly timeoutMs?: number;
  /** One sentence: which limit, where `end` is `over-limit`. */
  readonly overLimit?: string;
  /** Text of the file at RATCHET_RESULT, where it was written. */
  readonly result?: string;
  /** Text of the runner's report file, where it was written. */
  readonly report?: string;
  readonly startError?: string;
  /** False for modules: what they print is feedback, and never a value. */
  readonly readsStdout?: boolean;
}
