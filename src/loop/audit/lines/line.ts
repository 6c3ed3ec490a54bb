/** What a line says of the loop: it may begin, it may but look at this, it should not, nobody knows. */
export type CheckVerdict = 'yes' | 'warning' | 'no' | 'not tried';

/** One line of a report: a question, its verdict, and what it was found by. */
export interface CheckLine {
  readonly id: LineId;
  readonly group: 'prerequisite' | 'scorer' | 'audit';
  readonly title: string;
  readonly verdict: CheckVerdict;
  /** One or two sentences with numbers. */
  readonly evidence: string;
}

export type LineId =
  | 'repeated' | 'verification' | 'budget' | 'environment' | 'goal'
  | 'noise' | 'time' | 'headroom' | 'resolution' | 'parallel' | 'values'
  | 'no-op' | 'cache' | 'order' | 'broken' | 'exit-code' | 'regions';

/** A verdict with what it was found by. */
export interface Found {
  readonly verdict: CheckVerdict;
  readonly evidence: string;
}

export const yes = (evidence: string): Found => ({ verdict: 'yes', evidence });
export const warning = (evidence: string): Found => ({ verdict: 'warning', evidence });
export const no = (evidence: string): Found => ({ verdict: 'no', evidence });
export const notTried = (evidence: string): Found => ({ verdict: 'not tried', evidence });
