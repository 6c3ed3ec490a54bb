import type { EpochStarted, LedgerEvent, Measured } from '../../records.ts';
import { learnChoice, type Knowledge } from '../verifier/knowledge.ts';
import { learn } from '../verifier/learn.ts';
import { onScale } from '../verifier/scale.ts';
import { lineOf, type AttemptState, type RunState } from './state.ts';

/** The scorer is shown something else: nothing that was measured before tells of what comes after. */
export function anew({ known, ...state }: RunState, { epoch, why, inventory }: EpochStarted): RunState {
  const { judged = 0, keeps = [], lost = 0 } = known ?? state.epoch?.used ?? {};
  const line = lineOf(state, state.champion);
  const attempts = state.attempts.map((attempt) => {
    if (!line.includes(attempt.number)) return attempt;
    const { startScores: _scores, level: _level, ...rest } = attempt;
    return { ...rest, measurements: [], earlier: [...(attempt.earlier ?? []), ...attempt.measurements] };
  });
  return { ...state, attempts, inventory, notes: [...(state.notes ?? []), why], epoch: { number: epoch, isBestKnown: state.champion === 0, used: { judged, keeps, lost } } };
}

/** Without a reset of what may be wrong in the whole run; and of a best that is measured first after the start file nothing else is known. */
export function learnInEpoch(state: RunState, event: LedgerEvent): Knowledge | undefined {
  const { epoch, known } = state;
  if (epoch === undefined) return learn(known, event, state.plan);
  if (known !== undefined && isFirstOfBest(state, event)) return learnChoice(known, [onScale(known.scale, event.score)]);
  const next = learn(known, event, state.plan);
  return known === undefined && next !== undefined ? { ...next, ...epoch.used } : next;
}

function isFirstOfBest({ epoch, champion }: RunState, event: LedgerEvent): event is Measured & { readonly score: number } {
  return epoch?.isBestKnown === false && event.type === 'measured' && event.attempt === champion && event.role === 'parent' && event.outcome === 'scored' && event.score !== undefined;
}

/** Notes that the best so far has been measured in the present epoch, where the event says so. */
export function bestKnown(state: RunState, event: LedgerEvent): RunState {
  return state.epoch !== undefined && isFirstOfBest(state, event) ? { ...state, epoch: { ...state.epoch, isBestKnown: true } } : state;
}

/** The epoch that an attempt is measured in; nothing in the first. */
export function epochOf({ epoch }: RunState): Pick<AttemptState, 'epoch'> {
  return epoch === undefined ? {} : { epoch: epoch.number };
}

/** Whether the best so far is of an epoch before: its score in this one is that of its runs as the parent. */
export function isRunOfOldBest({ epoch, champion, attempts }: RunState, event: LedgerEvent): event is Measured {
  return epoch !== undefined && champion > 0 && event.type === 'measured' && event.attempt === champion && event.role === 'parent' && event.outcome === 'scored'
    && (attempts.find(({ number }) => number === champion)?.epoch ?? 0) < epoch.number;
}
