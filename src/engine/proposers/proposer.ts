import type { RunState } from '../../loop/ledger.ts';
import type { Message } from '../../loop/prompt.ts';
import type { ProtectedRange } from '../../loop/protect.ts';
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
  /** Lines of the parent that no edit may touch. */
  readonly protectedRanges: readonly ProtectedRange[];
  /** What a model is told. Made when asked for: it reads files, and not every proposer needs it. */
  readonly messages: () => Promise<readonly Message[]>;
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
 * - `unreachable`: no server answers at the base URL, or the connection broke
 * - `refused`: the server takes neither this key nor this request
 * - `quota`: the account is empty; asking again helps nobody
 * - `rate-limited`: too many requests for now
 * - `incomplete`: the reply is cut off
 * - `malformed`: the answer is no reply of a model (a web page, broken JSON, an empty text), or a setting can't be used
 * - `not-found`: no such model, address, folder or file
 * - `server`: the server failed by its own account
 * - `cancelled`: the signal fired
 */
export type ProposerReason =
  | 'nothing-left' | 'unreachable' | 'refused' | 'quota' | 'rate-limited' | 'incomplete' | 'malformed' | 'not-found'
  | 'server' | 'cancelled';

/** A proposal that did not come. Counts as no attempt; a retryable one may be asked again. The message is a sentence for people, without secrets. */
export class ProposerError extends Error {
  readonly reason: ProposerReason;
  readonly retryable: boolean;
  /** Tokens that a reply cost which then could not be used: they count against the budget too. */
  readonly usage: Usage | undefined;

  constructor(reason: ProposerReason, message: string, retryable = false, usage?: Usage) {
    super(message);
    this.name = 'ProposerError';
    this.reason = reason;
    this.retryable = retryable;
    this.usage = usage;
  }
}

/** What every proposer rejects with when its signal fires. */
export function cancelledError(): ProposerError {
  return new ProposerError('cancelled', 'The request to the model was cancelled.');
}
