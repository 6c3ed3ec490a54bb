import { formatChange } from '../format.ts';
import { attemptOf, scoreOf, type RunState } from '../ledger.ts';
import { shareGained } from './holdout.ts';

/**
 * A sentence where the kept changes gained more and more in the scorer and not in the holdout: over the keeps so far the
 * scorer gained a tenth or more of what there was, and the holdout, which measures the same, less than half as much.
 */
export function fittingNote(state: RunState): string | undefined {
  const { plan: { metric, holdout } } = state;
  if (holdout?.metric.name !== metric.name) return undefined;
  const kept = state.attempts.filter(({ number, verdict, evidence, epoch = 0 }) => number > 0 && verdict === 'kept' && evidence?.holdout?.score !== undefined && epoch === (state.epoch?.number ?? 0));
  const [first] = kept;
  const last = kept.at(-1);
  const from = state.epoch === undefined ? scoreOf(attemptOf(state, 0)) : first?.evidence?.parentScore;
  const score = scoreOf(last);
  const heldFrom = first?.evidence?.holdout?.parentScore;
  const held = last?.evidence?.holdout?.score;
  if (from === undefined || score === undefined || heldFrom === undefined || held === undefined) return undefined;
  const gained = shareGained(metric, from, score);
  const heldGained = shareGained(holdout.metric, heldFrom, held);
  if (gained === undefined || heldGained === undefined || gained < WORTH_SAYING || heldGained >= gained / 2) return undefined;
  return `May be fitting the scorer: it went ${formatChange(from, score, metric)}, the holdout ${held === heldFrom ? 'stayed where it was' : `only ${formatChange(heldFrom, held, holdout.metric)}`}.`;
}

const WORTH_SAYING = 0.1;
