import type { Judged, LedgerEvent, Measured, Reviewed, RunStarted, Steered, Usage } from '../records.ts';
import { pausing, resumed, slipped } from './ledger/elapsed.ts';
import { anew, bestKnown, epochOf, isRunOfOldBest, learnInEpoch } from './ledger/epoch.ts';
import { attemptOf, ownRuns, scoreOf, type AttemptState, type RunState } from './ledger/state.ts';
import { learnChoice, type Knowledge } from './verifier/knowledge.ts';
import { offScale, onScale } from './verifier/scale.ts';
import { mean } from './verifier/spread.ts';

export { acceptedTexts, allRuns, attemptOf, lastRun, lineOf, ownRuns, scoreOf, standingScores, textOf } from './ledger/state.ts';
export type { AttemptState, EpochState, RunEnd, RunState } from './ledger/state.ts';

/** More than any run has to say of itself. */
const MAX_NOTES = 200;

/**
 * Folds one event into the run's state. Never throws: an event that doesn't fit (another run's, a second
 * `run-started`, one that was seen already) leaves the state as it is.
 */
export function fold(state: RunState | undefined, event: LedgerEvent): RunState | undefined {
  if (event.type === 'run-started') return state ?? begin(event);
  if (state === undefined || event.run !== state.id || event.seq < state.nextSeq) return state;
  const next = advance(state, event);
  if (event.type === 'measured' && event.uncounted !== undefined) return { ...next, nextSeq: event.seq + 1 };
  const known = event.type === 'reviewed' || event.type === 'epoch-started' ? next.known : learnInEpoch(state, event);
  const whose = isRunOfStart(state, event) ? 0 : isRunOfOldBest(state, event) ? state.champion : undefined;
  const told = known !== undefined && whose !== undefined && event.type === 'measured' && event.score !== undefined ? withStartScore(next, known, whose, event.score) : next;
  return { ...bestKnown(told, event), ...(known === undefined ? {} : { known }), nextSeq: event.seq + 1 };
}

export function foldAll(events: Iterable<LedgerEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = fold(state, event);
  return state;
}

function begin(event: RunStarted): RunState {
  return {
    id: event.run,
    plan: event.plan,
    baseline: event.baseline,
    ...(event.baselineTokens === undefined ? {} : { baselineTokens: event.baselineTokens }),
    startedAt: event.at,
    attempts: [],
    champion: 0,
    sinceKeep: 0,
    lastKeepAt: event.at,
    tokensUsed: 0,
    paused: false,
    pausedMs: 0,
    pausedMsAtKeep: 0,
    ...(event.program === undefined ? {} : { program: event.program }),
    ...(event.given === undefined ? {} : { given: event.given }),
    nextSeq: event.seq + 1,
  };
}

function advance(state: RunState, event: Exclude<LedgerEvent, RunStarted>): RunState {
  switch (event.type) {
    case 'scratch-opened':
      return { ...state, scratch: event.scratch, ...(event.inventory === undefined ? {} : { inventory: event.inventory }) };
    case 'epoch-started':
      return anew(state, event);
    case 'attempt-started':
      return withAttempt(state, event.attempt, event.at, () => ({
        startedAt: event.at,
        ...(event.parent === undefined ? {} : { parent: event.parent }),
        ...epochOf(state),
      }));
    case 'proposed': {
      const next = withAttempt(state, event.attempt, event.at, () => ({
        request: event.request,
        reply: event.reply,
        ...(event.usage === undefined ? {} : { usage: event.usage }),
      }));
      return { ...next, tokensUsed: state.tokensUsed + tokensIn(event.usage) };
    }
    case 'proposal-failed':
      return { ...state, tokensUsed: state.tokensUsed + tokensIn(event.usage) };
    case 'edited':
      return withAttempt(state, event.attempt, event.at, ({ candidate }) => ({
        // A second text: settled on another parent.
        ...(candidate === undefined ? {} : { measurements: [], waits: false, ...epochOf(state) }),
        ...(event.parent === undefined ? {} : { parent: event.parent }),
        candidate: event.candidate,
        hypothesis: event.hypothesis,
        addedLines: event.addedLines,
        removedLines: event.removedLines,
        ...(event.tokens === undefined ? {} : { tokens: event.tokens }),
        ...(event.signals === undefined ? {} : { signals: event.signals }),
        ...(event.blind === undefined ? {} : { blind: event.blind }),
      }));
    case 'measured':
      return withAttempt(state, event.attempt, event.at, ({ measurements, uncounted = [] }) =>
        (event.uncounted === undefined ? { measurements: [...measurements, event] } : { uncounted: [...uncounted, event] }));
    case 'noted':
      // A ledger that came with a workspace may hold any number.
      return (state.notes?.length ?? 0) >= MAX_NOTES ? state : { ...state, notes: [...(state.notes ?? []), event.sentence] };
    case 'clock-slipped':
      return slipped(state, event);
    case 'judged':
      return judge(state, event);
    case 'waiting': {
      const next = withAttempt(state, event.attempt, event.at, () => ({ waits: true, evidence: event.evidence, endedAt: event.at, endedSeq: event.seq }));
      // Before the last quarter of a night nothing is kept: what looks better then is what patience waits for.
      return event.evidence.how === 'night' ? withImprovement(next, event.at) : { ...next, sinceKeep: state.sinceKeep + 1 };
    }
    case 'reviewed':
      return event.action === 'kept' ? chosen(state, event) : withAttempt(state, event.attempt, event.at, () => ({ accepted: true }));
    case 'steered':
      return event.what === 'paused' || event.what === 'resumed' ? pausing(state, event) : reprogrammed(state, event);
    case 'run-ended':
      return { ...state, end: { reason: event.reason, sentence: event.sentence, ...(event.needs === undefined ? {} : { needs: event.needs }), at: event.at, ...(event.aliveAt === undefined ? {} : { aliveAt: event.aliveAt }) } };
    case 'run-resumed':
      return resumed(state, event);
  }
}

/** Whether an event is a run of the scorer on the unchanged file: for itself, or as the parent of an attempt in hand. */
function isRunOfStart(state: RunState, event: LedgerEvent): event is Measured {
  if (event.type !== 'measured' || event.outcome !== 'scored' || (event.role !== 'candidate' && event.role !== 'parent')) return false;
  if (event.attempt === 0) return true;
  const attempt = attemptOf(state, event.attempt);
  // A run as the parent that comes after the verdict is the attempt's own.
  return event.role === 'parent' && attempt?.verdict === undefined && (attempt?.parent ?? 0) === 0;
}

/**
 * Its first run counts only while there is no other: a cold start is part of it, and no candidate is compared with that run
 * alone. So it is with candidates, too.
 */
function withStartScore(state: RunState, { scale }: Knowledge, number: number, score: number): RunState {
  const start = attemptOf(state, number);
  if (start === undefined) return state;
  const startScores = [...(start.startScores ?? []), score];
  const counted = startScores.length > 1 ? startScores.slice(1) : startScores;
  const equal = counted.every((value) => value === score);
  const after = { ...start, startScores, level: equal ? score : offScale(scale, mean(counted.map((value) => onScale(scale, value)))) };
  return { ...state, attempts: state.attempts.with(state.attempts.indexOf(start), after) };
}

/** A person's word makes an attempt the champion. */
function chosen(state: RunState, { attempt: number, at }: Reviewed): RunState {
  const attempt = attemptOf(state, number);
  if (attempt === undefined || scoreOf(attempt) === undefined) return state;
  const next = withAttempt(state, number, at, () => ({ keptByPerson: true, waits: false, verdict: attempt.verdict ?? 'kept' }));
  const known = state.known === undefined ? undefined : learnChoice(state.known, (attempt.epoch ?? 0) === (state.epoch?.number ?? 0) ? valuesOf(attempt, state.known) : []);
  // One of an epoch before has no score in this one until it is measured.
  const epoch = state.epoch === undefined ? {} : { epoch: { ...state.epoch, isBestKnown: number === 0 || (attempt.epoch ?? 0) === state.epoch.number } };
  return { ...withImprovement(next, at), ...epoch, champion: number, ...(known === undefined ? {} : { known }) };
}

function valuesOf(attempt: AttemptState, { scale }: Knowledge): readonly number[] {
  const values = ownRuns(attempt).flatMap(({ outcome, score }) => (outcome === 'scored' && score !== undefined ? [onScale(scale, score)] : []));
  // A candidate's first run is the one that made it look good.
  return attempt.number > 0 && values.length > 1 ? values.slice(1) : values;
}

function tokensIn(usage: Usage | undefined): number {
  return usage?.totalTokens ?? (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
}

function reprogrammed(state: RunState, { what, program, live, why }: Steered): RunState {
  const { programProblem, ...rest } = state;
  if (what === 'program-ignored') return { ...state, programProblem: why ?? programProblem ?? '' };
  return { ...rest, plan: { ...state.plan, ...live }, ...(program === undefined ? {} : { program }) };
}

function judge(state: RunState, event: Judged): RunState {
  // A verdict is final: a second one for the same attempt changes nothing.
  if (attemptOf(state, event.attempt)?.verdict !== undefined) return state;
  const next = withAttempt(state, event.attempt, event.at, ({ waits }) => ({
    verdict: event.verdict,
    ...(waits === undefined ? {} : { waits: false }),
    evidence: event.evidence,
    endedAt: event.at,
    endedSeq: event.seq,
    ...(event.hypothesis === undefined ? {} : { hypothesis: event.hypothesis }),
  }));
  if (event.verdict === 'kept') return { ...withImprovement(next, event.at), champion: event.attempt };
  return event.verdict === 'cancelled' ? next : { ...next, sinceKeep: state.sinceKeep + 1 };
}

/** Patience begins anew. */
function withImprovement(state: RunState, at: string): RunState {
  return { ...state, sinceKeep: 0, lastKeepAt: at, pausedMsAtKeep: state.pausedMs };
}

function withAttempt(
  state: RunState, number: number, at: string, change: (attempt: AttemptState) => Partial<AttemptState>,
): RunState {
  const known = attemptOf(state, number);
  const before: AttemptState = known ?? { number, startedAt: at, measurements: [] };
  const after = { ...before, ...change(before) };
  if (known === undefined) return { ...state, attempts: [...state.attempts, after] };
  return { ...state, attempts: state.attempts.with(state.attempts.indexOf(known), after) };
}
