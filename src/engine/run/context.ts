import type { Mask } from '../../loop/secrets.ts';
import type { LedgerEvent, RunPlan } from '../../records.ts';
import type { RunState } from '../../loop/ledger.ts';
import type { Program } from '../../loop/program.ts';
import type { RunActivity } from '../../protocol.ts';
import type { ClockWatch } from '../conditions/clock-watch.ts';
import type { ReadPower } from '../conditions/power.ts';
import type { Confinement } from '../confine/confinement.ts';
import type { Guard } from '../execute/guard.ts';
import type { PipePool } from '../execute/pipes.ts';
import type { Parsers } from '../parsers.ts';
import type { Proposer } from '../proposers/proposer.ts';
import type { ScorerTools } from '../scorer.ts';
import type { Slot, Workspace } from '../scratch/slot.ts';
import type { RunLog, Store } from '../store.ts';

/** All that measuring one text needs. */
export interface Measuring {
  readonly plan: RunPlan;
  readonly workspace: Workspace;
  readonly slot: Slot;
  /** Which of the slots that work at the same time this one is, from 0; the first where it isn't said. */
  readonly slotNumber?: number;
  readonly tools: ScorerTools;
  /** The client's environment as it came with the start; what a scorer must not see is taken out for each run of it. */
  readonly env: Readonly<Record<string, string>>;
  /** What a plan sets for this command alone; nothing is taken out. */
  readonly ownEnv?: Readonly<Record<string, string>>;
  /** How the command is confined; absent where it runs with the person's rights. */
  readonly confinement?: Confinement;
  /** A folder outside the workspace for the result file. */
  readonly ioFolder: string;
  readonly guard: Guard;
  readonly pipes: PipePool;
  /** Each execution's mark begins with it. */
  readonly mark: string;
  /** Takes secrets out of all that a command gives out, before anybody reads it; known formats alone where it isn't given. */
  readonly mask?: Mask;
}

/** The program as it reads now, and the plan's live keys under it. */
export interface ProgramNow {
  /** The whole text, with its front matter. */
  readonly text: string;
  readonly program: Program;
  readonly live: Pick<RunPlan, 'stop' | 'context'>;
}

/** All that a run holds while it goes. Time and chance are handed in. */
export interface RunContext extends Omit<Measuring, 'slot'> {
  /** Resolves when no other run of this root executes. */
  readonly turn: () => Promise<void>;
  readonly openSlot: () => Promise<Slot>;
  readonly baselineText: string;
  /** What the run's ledger holds already, of one that had ended and goes on. */
  readonly resumed?: RunState;
  /** What flags and settings said of the live keys. */
  readonly given: NonNullable<RunState['given']>;
  readonly store: Store;
  readonly log: RunLog;
  readonly proposer: Proposer;
  readonly parsers: Parsers;
  /** Names under which the target could import other files of the project. */
  readonly projectModules: ReadonlySet<string>;
  readonly build: string;
  readonly now: () => Date;
  /** Tells time that was none of the run: the machine slept, or the clock was set. */
  readonly clocks: ClockWatch;
  /** What feeds the machine, and whether it is hot. */
  readonly readPower: ReadPower;
  /** Resolves after so many milliseconds, or at once when the run is stopped. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly paused: () => boolean;
  /** Resolves at once, or when a paused run is resumed. Rejects never; a stop resolves it. */
  readonly passage: () => Promise<void>;
  /** Attempts that a person made the best so far since this was asked last. */
  readonly chosen: () => readonly number[];
  /** Undefined where it can't be read for the moment: an editor may be saving it. */
  readonly readProgram: () => Promise<ProgramNow | undefined>;
  readonly onEvent: (event: LedgerEvent) => void;
  readonly onActivity: (activity: Omit<RunActivity, 'run'>) => void;
}
