import type { RunActivity } from '../../protocol.ts';
import type { Standing } from '../../loop/standing.ts';
import type { Verdict } from '../../records.ts';

/** An icon of the editor's own set, and a colour of its theme. The shapes alone tell verdicts apart. */
export interface Icon {
  readonly id: string;
  readonly color?: string;
}

const GOOD = 'testing.iconPassed';
const BAD = 'testing.iconFailed';
const QUIET = 'disabledForeground';

const VERDICT_ICONS = {
  kept: { id: 'pass', color: GOOD },
  discarded: { id: 'circle-slash', color: QUIET },
  crashed: { id: 'error', color: BAD },
  'timed-out': { id: 'watch', color: BAD },
  'no-score': { id: 'question', color: BAD },
  'invalid-score': { id: 'warning', color: BAD },
  refused: { id: 'discard', color: QUIET },
  flagged: { id: 'eye', color: 'list.warningForeground' },
  cancelled: { id: 'debug-stop', color: QUIET },
} as const satisfies Record<Verdict, Icon>;

export const RUN_ICONS = {
  running: { id: 'sync~spin' },
  queued: { id: 'clock' },
  paused: { id: 'debug-pause' },
  improved: { id: 'pass-filled', color: GOOD },
  ended: { id: 'circle-large-outline', color: QUIET },
  /** Looks better, and a person decides. */
  waits: { id: 'bell-dot', color: 'list.warningForeground' },
  problem: { id: 'warning', color: 'list.warningForeground' },
} as const satisfies Record<string, Icon>;

const STANDING_ICONS = {
  ...VERDICT_ICONS,
  start: { id: 'file' },
  waits: RUN_ICONS.waits,
  unsettled: RUN_ICONS.waits,
  'settles-later': RUN_ICONS.queued,
  'kept-by-person': VERDICT_ICONS.kept,
} as const satisfies Record<Exclude<Standing, 'in-flight'>, Icon>;

/** The icon of an attempt; `doing` is what its run does, for one in flight. */
export function attemptIcon(standing: Standing, best: boolean, doing: RunActivity['doing']): Icon {
  if (best) return { id: 'star-full', color: 'charts.yellow' };
  if (standing !== 'in-flight') return STANDING_ICONS[standing];
  switch (doing) {
    case 'ended': return VERDICT_ICONS.cancelled;
    case 'paused': return RUN_ICONS.paused;
    case 'queued':
    case 'retrying': return RUN_ICONS.queued;
    case 'baseline':
    case 'canary':
    case 'thinking':
    case 'running':
    case 'checking': return { id: 'loading~spin' };
  }
}
