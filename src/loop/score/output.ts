/** What one run of the scorer left behind: text as it was printed, and how it ended. */
export interface ScorerOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Absent (null) when a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly end: 'exited' | 'timed-out' | 'cancelled' | 'not-started';
  readonly timeoutMs?: number;
  /** Text of the file at RATCHET_RESULT, where it was written. */
  readonly result?: string;
  /** Text of the runner's report file, where it was written. */
  readonly report?: string;
  readonly startError?: string;
  /** False for modules: what they print is feedback, and never a value. */
  readonly readsStdout?: boolean;
}
