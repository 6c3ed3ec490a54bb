/** Ids of everything that package.json contributes, once. A test compares both, both ways. */

export const COMMANDS = {
  autoresearch: 'ratchet.autoresearch',
  check: 'ratchet.check',
  newScorer: 'ratchet.newScorer',
  accept: 'ratchet.accept',
  keep: 'ratchet.keep',
  pause: 'ratchet.pause',
  resume: 'ratchet.resume',
  stop: 'ratchet.stop',
  menu: 'ratchet.menu',
  showLog: 'ratchet.showLog',
  setApiKey: 'ratchet.setApiKey',
  openInlineDiff: 'ratchet.openInlineDiff',
  openSideBySide: 'ratchet.openSideBySide',
  openBest: 'ratchet.openBest',
  openBestSideBySide: 'ratchet.openBestSideBySide',
  showOutput: 'ratchet.showOutput',
  showReply: 'ratchet.showReply',
  refresh: 'ratchet.refresh',
} as const;

export const VIEWS = { container: 'ratchet', runs: 'ratchet.runs' } as const;

/** User settings. Those that start programs or talk to servers are `machine` settings and restricted by trust. */
export const SETTINGS = {
  timeout: 'ratchet.scorer.timeout',
  memory: 'ratchet.scorer.memory',
  processes: 'ratchet.scorer.processes',
  cpu: 'ratchet.scorer.cpu',
  fileSize: 'ratchet.scorer.fileSize',
  keepAwake: 'ratchet.keepAwake',
  attempts: 'ratchet.stop.attempts',
  hours: 'ratchet.stop.hours',
  patience: 'ratchet.stop.patience',
  tokens: 'ratchet.stop.tokens',
  confirm: 'ratchet.verifier.confirm',
  proposer: 'ratchet.proposer',
  model: 'ratchet.model.name',
  baseUrl: 'ratchet.model.baseUrl',
} as const;

export const CONTEXT_KEYS = {
  /** A run of this window's folders is going on. */
  active: 'ratchet.active',
  paused: 'ratchet.paused',
  /** At least one run is known. */
  hasRuns: 'ratchet.hasRuns',
} as const;

/** Scheme of the read-only documents: texts of attempts, inline diffs, outputs, replies. */
export const DOCUMENT_SCHEME = 'ratchet';

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];
