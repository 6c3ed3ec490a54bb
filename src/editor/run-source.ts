import type { Event } from 'vscode';
import type { RunState } from '../loop/ledger.ts';
import type { BlobId } from '../records.ts';
import type { RunActivity } from '../protocol.ts';

/** One run as the views see it. */
export interface RunView {
  readonly run: string;
  /** Absolute root that it belongs to. */
  readonly root: string;
  /** Absent until its ledger is read, and where it can't be (`problem`). */
  readonly state?: RunState;
  readonly activity: RunActivity;
  readonly problem?: string;
}

/** What changed: one attempt, one run, or (without a run) the list. */
export interface RunChange {
  readonly run?: string;
  readonly attempt?: number;
}

/** The runs of this window, from its engines. Views read this and nothing else. */
export interface RunSource {
  readonly onDidChange: Event<RunChange>;
  /** Newest first. */
  readonly runs: readonly RunView[];
  view(run: string): RunView | undefined;
  /** A text of the run's ledger. Rejects with a sentence where it is missing. */
  text(run: string, blob: BlobId): Promise<string>;
}

/** Whether a pause was asked for: resuming is then the way on. */
export function isPaused({ activity }: RunView): boolean {
  return activity.doing === 'paused' || activity.pausing === true;
}
