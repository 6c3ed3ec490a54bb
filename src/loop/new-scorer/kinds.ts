import type { Metric } from '../../records.ts';
import { ENDING_OF, type ScorerKind, type ScriptLanguage } from './names.ts';

/** What a kind of scoring script measures. */
export interface KindOfScorer {
  readonly metric: Metric;
  /** Where a copy of the start file stands beside it for comparison. */
  readonly compared?: Metric;
  /** Where a person begins to edit: a constant, or how a line begins; of several the first that is there. */
  readonly edit: readonly string[];
}

const SCORE: Metric = { name: 'score', direction: 'higher' };

export const KINDS: Readonly<Record<ScorerKind, KindOfScorer>> = {
  checks: { metric: SCORE, edit: ['  // { args', '    # ([', '# check '] },
  tests: { metric: SCORE, edit: ['COMMAND'] },
  function: { metric: { name: 'ms', direction: 'lower', unit: 'ms' }, compared: { name: 'speedup', direction: 'higher', unit: '×' }, edit: ['input', 'make_input'] },
  command: { metric: { name: 'ms', direction: 'lower', unit: 'ms' }, edit: ['COMMAND'] },
  memory: { metric: { name: 'mb', direction: 'lower', unit: 'MB' }, edit: ['COMMAND'] },
  size: { metric: { name: 'bytes', direction: 'lower', unit: 'bytes' }, edit: ['BUILD'] },
  lint: { metric: { name: 'findings', direction: 'lower' }, edit: ['COMMAND'] },
  mix: { metric: SCORE, edit: ['WEIGHTS', 'CHECK_WEIGHT'] },
};

/** The name that a script gets, where it is free: one that is found again beside the target. */
export function scriptNames(kind: ScorerKind, language: ScriptLanguage, stem: string): readonly string[] {
  const word = KINDS[kind].metric.name === 'score' ? 'score' : 'bench';
  const ending = ENDING_OF[language];
  return [`${word}${ending}`, `${stem}.${word}${ending}`, ...Array.from({ length: 98 }, (_, index) => `${stem}-${index + 2}.${word}${ending}`)];
}
