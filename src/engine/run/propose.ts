import type { CaseScore, Usage } from '../../records.ts';
import { caseWords } from '../../loop/checks/case-words.ts';
import { caseChanges, casesOf } from '../../loop/checks/cases.ts';
import { FITTING, HOLDOUT } from '../../loop/checks/holdout.ts';
import { attemptOf, scoreOf, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { noiseWords } from '../../loop/noise-words.ts';
import type { Region } from '../../loop/regions.ts';
import { buildMessages, MAX_NOTES, type KeptNote, type PromptInput, type RejectedNote } from '../../loop/prompt.ts';
import { readProgram } from '../../loop/program.ts';
import type { ProtectedRange } from '../../loop/protect.ts';
import { readContextFile } from '../start/context-files.ts';
import type { ProposalRequest } from '../proposers/proposer.ts';
import { protectionOf } from '../code.ts';
import type { RunContext } from './context.ts';

/** A proposal as it came, and how long it took. */
export interface TimedProposal {
  readonly request: string;
  readonly reply: string;
  readonly usage?: Usage;
  readonly durationMs: number;
}

/** What the run itself knows beside its ledger. */
export interface Told {
  /** What the scorer printed last. */
  readonly lastOutput: string;
  /** Parts of the parent's text that the score doesn't react to. */
  readonly blind?: readonly Region[];
}

/** Asks the proposer for the next edit of the parent. Rejects with ProposerError. */
export async function propose(
  context: RunContext, state: RunState, attempt: number, parentText: string, { lastOutput, blind }: Told,
): Promise<TimedProposal> {
  const protectedRanges = protectionOf(parentText, state.plan, context.parsers, context.projectModules);
  const request: ProposalRequest = {
    attempt,
    parent: state.champion,
    parentText,
    targetPath: state.plan.target,
    protectedRanges,
    messages: async () => buildMessages({ ...(await promptInput(context, state, parentText, protectedRanges)), lastOutput, ...(blind === undefined ? {} : { blind }) }),
    state,
  };
  const startedMs = performance.now();
  const proposal = await context.proposer.propose(request, context.signal);
  return { ...proposal, durationMs: performance.now() - startedMs };
}

async function promptInput(
  context: RunContext, state: RunState, text: string, protectedRanges: readonly ProtectedRange[],
): Promise<PromptInput> {
  const { plan } = state;
  const tried = state.attempts.filter(({ number, verdict, waits }) => number > 0 && (verdict !== undefined || waits === true));
  const last = tried.at(-1);
  const program = state.program === undefined ? '' : readProgram(await context.store.blob(state.program)).strategy;
  // A file that went away meanwhile is left out; the start page named what was wrong before.
  const files = (await Promise.all(plan.context.map((path) => readContextFile(context.workspace.root, path, plan.holdout?.files)))).filter((file) => file.ok);
  const noise = noiseWords(state);
  const champion = { attempt: state.champion, score: knownScore(state, state.champion) };
  return {
    target: { path: plan.target, text },
    protectedRanges,
    metric: plan.metric,
    program,
    context: files,
    baselineScore: knownScore(state, 0),
    champion,
    parent: champion,
    kept: withCases(state, tried.flatMap(keptNote)),
    rejected: withCases(state, tried.flatMap(rejectedNote)),
    cases: casesWithRoom(state),
    ...(state.known?.grain === undefined || noise === undefined ? {} : { noise }),
    ...(last?.evidence?.failed === undefined ? {} : { lastFailed: last.evidence.failed }),
    ...(last?.verdict === 'refused' && last.evidence !== undefined ? { lastRefusal: last.evidence.reason } : {}),
  };
}

function knownScore(state: RunState, number: number): number {
  const score = scoreOf(attemptOf(state, number));
  if (score === undefined) throw new Error(`Attempt ${number} was kept without a score.`);
  return score;
}

/** The cases of the champion that could be better. */
function casesWithRoom(state: RunState): readonly CaseScore[] {
  const champion = attemptOf(state, state.champion);
  const cases = champion === undefined ? [] : casesOf(state, champion);
  return cases.filter(({ score }) => state.plan.metric.direction === 'lower' || score < FULL);
}

/** Of a case that a test runner reports, and by custom of others. */
const FULL = 100;
/** So many names of each kind stand in a note. */
const SHOWN_CASES = 4;

/** With the cases that each changed: comparing those of a thousand attempts would take seconds, and no more notes than these are told. */
function withCases<N extends KeptNote | RejectedNote>(state: RunState, notes: readonly N[]): readonly N[] {
  return notes.map((note, index) => {
    const attempt = index < notes.length - MAX_NOTES ? undefined : attemptOf(state, note.attempt);
    const changes = attempt === undefined ? undefined : caseChanges(state, attempt);
    return changes === undefined ? note : { ...note, cases: caseWords(changes, SHOWN_CASES) };
  });
}

function keptNote(attempt: AttemptState): readonly KeptNote[] {
  const { evidence } = attempt;
  if (attempt.verdict !== 'kept' || evidence?.score === undefined || evidence.parentScore === undefined) return [];
  return [{ attempt: attempt.number, hypothesis: attempt.hypothesis ?? '', score: evidence.score, parentScore: evidence.parentScore }];
}

function rejectedNote(attempt: AttemptState): readonly RejectedNote[] {
  const { verdict = 'waiting' } = attempt;
  if (verdict === 'kept' || verdict === 'cancelled') return [];
  return [{ attempt: attempt.number, hypothesis: attempt.hypothesis ?? '', verdict, reason: reasonFor(attempt) }];
}

/** Of the holdout a model hears that it decided, and nothing more: with a number it could be searched as the scorer is. */
function reasonFor({ evidence }: AttemptState): string {
  return evidence?.code === HOLDOUT || evidence?.code === FITTING ? 'not kept: holdout' : (evidence?.reason ?? '');
}
