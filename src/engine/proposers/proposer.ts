import type { RunState } from '../../loop/ledger.ts';
import type { Message } from '../../loop/prompt.ts';
import type { Usage } from '../../records.ts';

/** What a proposer may know: data only, no tools. */
export interface ProposalRequest {
  /** Number of the attempt that is being proposed. */
  readonly attempt: number;
  /** Text of the parent. */
  readonly parentText: string;
  readonly parent: number;
  /** The target's path relative to the root: its name and ending. */
  readonly targetPath: string;
  readonly messages: readonly Message[];
  readonly state: RunState;
}

export interface Proposal {
  /** What was asked, word for word, for the ledger. No secrets. */
  readonly request: string;
  /** A reply as loop/edit.ts reads it. */
  readonly reply: string;
  readonly usage?: Usage;
}

export interface Proposer {
  /** Rejects with ProposerError; any other error is our bug. */
  propose(request: ProposalRequest, signal: AbortSignal): Promise<Proposal>;
}

/**
 * - `nothing-left`: an honest end, the proposer has no more ideas
 * - `unreachable | refused | quota | incomplete | malformed | not-found | rate-limited | server`: of models
 * - `cancelled`: the signal fired
 */
export type ProposerReason =
  | 'nothing-left' | 'unreachable' | 'refused' | 'quota' | 'rate-limited' | 'incomplete' | 'malformed' | 'not-found'
  | 'server' | 'cancelled';

/** A proposal that did not come. Counts as no attempt; a retryable one may be asked again. */
export class ProposerError extends Error {
  readonly reason: ProposerReason;
  readonly retryable: boolean;

  constructor(reason: ProposerReason, message: string, retryable = false) {
    super(message);
    this.name = 'ProposerError';
    this.reason = reason;
    this.retryable = retryable;
  }
}
