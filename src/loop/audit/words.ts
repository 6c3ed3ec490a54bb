import type { CheckLine, CheckVerdict } from './report.ts';

/** Heads of a report's groups, in their order. */
export const GROUP_WORDS = {
  prerequisite: 'Before a loop',
  scorer: 'The scorer as an instrument',
  audit: 'The scorer tested on broken code',
} as const satisfies Record<CheckLine['group'], string>;

/** Is this loopable? */
export const VERDICT_SENTENCES = {
  yes: 'yes, this is loopable.',
  warning: 'loopable, with warnings.',
  no: 'no, not as it is.',
  'not tried': 'not known yet.',
} as const satisfies Record<CheckVerdict, string>;
