import type { Command } from '../command.ts';
import type { Confined } from '../confine/bubblewrap.ts';
import type { LinksTold } from './links-out.ts';

/** What a slot is made from. Paths absolute. */
export interface Workspace {
  /** Root of Ratchet's data: holds `.ratchet`. At or below `top`. */
  readonly root: string;
  /** Top of the tree that a scorer can see: the git root above `root`, else `root`. */
  readonly top: string;
  /** The file that changes, below `top`. */
  readonly target: string;
  /** Files, folders and patterns, relative to `root`, that only the holdout is shown. */
  readonly heldOut?: readonly string[];
  /** Folders outside of `top` (absolute) that a confined command sees as they are, and of which the slot keeps what is written. */
  readonly privately?: readonly string[];
  /** The same of tools' caches: where layers can't be had, too large to copy, they may be read alone. */
  readonly caches?: readonly string[];
  /** Files, folders and patterns, relative to `root`, of which each run is given what the start file's run left there (`cache:`). */
  readonly carried?: readonly string[];
}

/** What a slot shows besides the target. Paths relative to `top`, but for the folders of the copies. */
export interface Shown {
  /** Absolute, a real path. */
  readonly top: string;
  /** Copied when the slot was made; nothing writes to these copies. */
  readonly copied: readonly { readonly folder: string; readonly files: readonly string[] }[];
  /** Folders and files that are seen as they are at any moment. */
  readonly live: readonly string[];
  readonly large: readonly string[];
}

/**
 * A private view of the workspace in which one scorer runs at a time. What is measured is the candidate: every way to
 * the target (its path, links, packages of the workspace) leads to the text last given to `place`.
 * The person's tree is never written.
 */
export interface Slot {
  readonly kind: 'overlay' | 'copy';
  /** One sentence for the start page: what was reached, and why not more. */
  readonly how: string;
  /** One sentence on what of the workspace can't be shown; absent where all is. */
  readonly unseen?: string;
  /** Absolute path of the candidate as the scorer sees it (RATCHET_TARGET). */
  readonly target: string;
  /** What else it shows. */
  readonly shown: Shown;
  /** What the workspace's own links open to a command that is confined so, beyond what it is shown anyway, and what not. */
  links(confined: Confined): LinksTold;
  /** Where a path of the workspace (absolute) lies for the scorer. */
  inside(path: string): string;
  /** Puts everything back as at the run's start and this text in the target's place. What is held out is there only where it is asked for. */
  place(text: string, withHeldOut?: boolean): Promise<void>;
  /** The command as it must be started to run inside this slot, confined where it is said how. `command.cwd` is a path as `inside` gives it. */
  enter(command: Command, confined?: Confined): Command;
  /** Of what such a command left on stderr, its own part; undefined where the slot couldn't be entered, so that it never ran. */
  ownStderr(stderr: string): string | undefined;
  /** What the last run wrote beside the target, relative to `top`, sorted. Empty folders don't count. */
  changed(): Promise<readonly string[]>;
  /** Whether the scorer was shown something at this path (relative to `top`) before it ran: no cache, and no stand-in for git. */
  showed(path: string): boolean;
  /** The text of one file that the last run wrote; `path` as `inside` gives it. Undefined where it wrote none. */
  written(path: string): Promise<string | undefined>;
  /**
   * Of what the last run wrote keeps the caches: from now on each run begins with them as they are now, whatever runs after
   * it write there. Gives the names of what was kept, `~/…` and `/tmp/…` for those outside of the workspace. Once, and again after they were dropped.
   */
  keepCaches(): Promise<readonly string[]>;
  /** Takes that back, where it was done: from now on each run begins without. False where nothing was kept. */
  dropCaches(): Promise<boolean>;
  /** Removes the slot's files. Safe to call twice. */
  dispose(): Promise<void>;
}
