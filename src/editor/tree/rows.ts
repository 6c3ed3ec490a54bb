import { caseChanges, type CaseChange } from '../../loop/checks/cases.ts';
import { changeWords } from '../../loop/checks/case-words.ts';
import { fittingNote } from '../../loop/checks/gap.ts';
import { evidenceLines, reasonWords } from '../../loop/evidence-words.ts';
import { forecastOfRun } from '../../loop/forecast-of-run.ts';
import { formatChange, formatScore, VERDICT_WORDS } from '../../loop/format.ts';
import { allRuns, scoreOf, standingScores, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { noiseWords } from '../../loop/noise-words.ts';
import { whyNotResumable } from '../../loop/resumable.ts';
import { standingOf, type Standing } from '../../loop/standing.ts';
import { duration } from '../../loop/stop.ts';
import type { RunActivity } from '../../protocol.ts';
import type { Hunk } from '../diff/inline.ts';
import type { L10n } from '../l10n.ts';
import { isPaused, type RunView } from '../run-source.ts';
import { openText, tallyText } from '../tally-text.ts';
import { cleanLine } from '../../loop/one-line.ts';
import { attemptIcon, RUN_ICONS, type Icon } from './icons.ts';

/** What a row of the tree says, to eye, ear and menu. All of it is plain text. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly icon: Icon;
  readonly tooltip: string;
  /** Facts joined by `;`, for `when` clauses. */
  readonly contextValue: string;
  readonly spoken: string;
}

/** What texts for people need besides the data. */
export interface Speech extends L10n {
  /** A moment (ISO 8601) in the person's time zone and manner. */
  clock(iso: string): string;
}

const HYPOTHESIS_CHARS = 200;
const NOTE_CHARS = 60;
const SENTENCE_CHARS = 300;
const SHOWN_CASES = 5;

export function runRow(view: RunView, speech: Speech): Row {
  const { state, problem } = view;
  if (state === undefined) return unreadRow(view, speech);
  const going = view.activity.doing !== 'ended';
  const best = bestOf(state);
  const word = runWord(view, state, speech);
  const counts = tallyText(state, speech);
  const target = cleanLine(state.plan.target, SENTENCE_CHARS);
  const notes = [...(state.notes ?? []), fittingNote(state) ?? ''].map((note) => cleanLine(note, SENTENCE_CHARS));
  const better = state.champion > 0;
  const name = better ? speech.t('Best so far is attempt {0}', state.champion) : speech.t('Nothing better than the start file yet');
  return {
    label: target,
    description: joined(better ? `★ #${state.champion} ${best}` : best, ...counts, word, fittingNote(state) === undefined ? '' : speech.t('may be fitting the scorer')),
    icon: problem !== undefined ? RUN_ICONS.problem : !going ? RUN_ICONS[better ? 'improved' : openText(state, speech).length > 0 ? 'waits' : 'ended'] : isPaused(view) ? RUN_ICONS.paused : RUN_ICONS[view.activity.doing === 'queued' ? 'queued' : 'running'],
    tooltip: lines(target, speech.t('Run {0}, started {1}', state.id, speech.clock(state.startedAt)), best === '' ? name : `${name}: ${best}`, ...counts, word, ...notes),
    contextValue: facts('run', going ? 'active' : 'ended', isPaused(view) && 'paused', view.activity.doing === 'queued' && 'queued', better && 'hasBest', !going && whyNotResumable(state) === undefined && 'resumable', problem !== undefined && 'problem'),
    spoken: speech.t('Run on {0}', target) + spokenList(name, spoken(best, speech), ...counts, word),
  };
}

export function attemptRow(view: RunView & { readonly state: RunState }, attempt: AttemptState, speech: Speech): Row {
  const { state } = view;
  const { number, verdict, evidence } = attempt;
  const standing = standingOf(attempt, view.state.end !== undefined);
  const isBaseline = number === 0;
  const best = number === state.champion && !isBaseline;
  const word = attemptWord(view, number, standing, speech);
  const accepted = attempt.accepted === true ? speech.t('accepted') : '';
  const star = best ? `★ ${speech.t('best so far')}` : '';
  const change = isBaseline ? joined(changeOf(attempt, state), noiseWords(state) ?? '', forecastOfRun(state, (ms) => speech.clock(new Date(ms).toISOString())) ?? '') : changeOf(attempt, state);
  const hypothesis = isBaseline ? speech.t('the file as it was when the run began') : cleanLine(attempt.hypothesis ?? '', HYPOTHESIS_CHARS);
  const note = verdict === undefined && view.activity.attempt === number ? cleanLine(view.activity.note ?? '', NOTE_CHARS) : '';
  const reason = cleanLine(reasonWords(attempt, state), SENTENCE_CHARS);
  // Where two scores say enough, the reason is for those who ask.
  const why = change === '' || verdict === 'flagged' || attempt.waits === true || evidence?.effect !== undefined || evidence?.score === evidence?.parentScore ? reason : '';
  const beside = [casesText(state, attempt, speech), heldOutText(state, attempt, speech)];
  const hasDiff = attempt.candidate !== undefined && !isBaseline;
  return {
    label: `#${number} ${word}`,
    description: joined(change, star, accepted, note, why, hypothesis),
    icon: attemptIcon(standing, best, view.activity.doing),
    tooltip: lines(`${joined(`#${number} ${word}`, star)}`, change === '' || attempt.parent === undefined ? change : speech.t('{0}, against {1}', change, nameOf(attempt.parent, speech)), reason, ...beside, hypothesis, linesChanged(attempt, speech), ...evidenceLines(attempt, state), timing(attempt, speech), attempt.accepted === true ? speech.t('Accepted into your file') : ''),
    contextValue: facts('attempt', attempt.waits === true ? 'waits' : standing === 'kept-by-person' ? 'kept' : (verdict ?? 'inFlight'), isBaseline && 'baseline', best && 'best', hasDiff && 'hasDiff', allRuns(attempt).length > 0 && 'hasOutput', attempt.reply !== undefined && 'hasReply', attempt.accepted === true && 'accepted'),
    spoken: speech.t('Attempt {0}, {1}', number, word) + spokenList(best ? speech.t('best so far') : '', spoken(change, speech), accepted, note, why, hypothesis),
  };
}

export function hunkRow(hunk: Hunk, speech: Speech): Row {
  const place = hunkPlace(hunk, speech);
  return {
    label: `@@ ${hunkText(hunk, speech)}`,
    description: '',
    icon: { id: hunk.added === 0 ? 'diff-removed' : hunk.removed === 0 ? 'diff-added' : 'diff-modified' },
    tooltip: speech.t('Show this place in the inline diff'),
    contextValue: 'hunk',
    spoken: place + spokenList(hunk.added > 0 ? speech.t('{0} lines added', hunk.added) : '', hunk.removed > 0 ? speech.t('{0} lines removed', hunk.removed) : ''),
  };
}

/** "lines 12–18: +3 −2" */
export function hunkText(hunk: Hunk, l10n: L10n): string {
  return `${hunkPlace(hunk, l10n)}: ${signed(hunk.added, hunk.removed)}`;
}

/** "#11", or the words for what a run begins with. */
export function nameOf(attempt: number, l10n: L10n): string {
  return attempt === 0 ? l10n.t('start file') : `#${attempt}`;
}

function hunkPlace({ from, to }: Hunk, l10n: L10n): string {
  return from === to ? l10n.t('line {0}', from) : l10n.t('lines {0}–{1}', from, to);
}

function signed(added: number, removed: number): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter((part) => part !== '').join(' ');
}

function unreadRow({ run, problem, activity }: RunView, speech: Speech): Row {
  const why = problem === undefined ? speech.t('being read') : cleanLine(problem, SENTENCE_CHARS);
  return {
    label: run,
    description: why,
    icon: problem === undefined ? RUN_ICONS.queued : RUN_ICONS.problem,
    tooltip: lines(speech.t('Run {0}', run), why),
    contextValue: facts('run', activity.doing === 'ended' ? 'ended' : 'active', problem !== undefined && 'problem'),
    spoken: speech.t('Run {0}', run) + spokenList(why),
  };
}

function runWord({ activity, problem }: RunView, state: RunState, speech: Speech): string {
  if (problem !== undefined) return cleanLine(problem, SENTENCE_CHARS);
  if (state.end !== undefined) return cleanLine(state.end.sentence, SENTENCE_CHARS);
  switch (activity.doing) {
    case 'ended': return speech.t('stopped without an end');
    case 'queued': return speech.t('waits for its turn');
    case 'paused': return speech.t('paused');
    case 'baseline':
    case 'canary':
    case 'thinking':
    case 'running':
    case 'checking':
    case 'retrying':
      return activity.pausing === true ? speech.t('pauses after this attempt') : speech.t('running');
  }
}

function attemptWord({ activity }: RunView, number: number, standing: Standing, speech: Speech): string {
  switch (standing) {
    case 'in-flight':
      if (activity.doing === 'ended') return speech.t('not finished');
      return activity.attempt === number ? doingWord(activity.doing, speech) : speech.t('in progress');
    case 'start': return speech.t('start file');
    case 'waits': return speech.t('waits for you');
    case 'settles-later': return speech.t('looks better: settled later');
    case 'unsettled': return speech.t('looked better: not settled');
    case 'kept-by-person': return speech.t('kept by you');
    default: return speech.t(VERDICT_WORDS[standing]);
  }
}

function doingWord(doing: Exclude<RunActivity['doing'], 'ended'>, speech: Speech): string {
  switch (doing) {
    case 'queued': return speech.t('waits for its turn');
    case 'baseline': return speech.t('measuring the start file');
    case 'canary': return speech.t('checking that the scorer loads this file');
    case 'thinking': return speech.t('thinking');
    case 'running': return speech.t('running');
    case 'checking': return speech.t('looks better: checking');
    case 'retrying': return speech.t('waits for the model');
    case 'paused': return speech.t('paused');
  }
}

/** "18.2 → 6.1 ms, 3.0×" against the parent; of the baseline its value. */
function changeOf(attempt: AttemptState, { plan }: RunState): string {
  const from = attempt.evidence?.parentScore;
  // What it was compared with is of the epoch in which it was kept.
  const score = from === undefined ? scoreOf(attempt) : (attempt.evidence?.score ?? scoreOf(attempt));
  if (score === undefined) return '';
  return from === undefined ? formatScore(score, plan.metric) : formatChange(from, score, plan.metric);
}

/** The best so far against the start file. */
function bestOf(state: RunState): string {
  const { from, best } = standingScores(state);
  if (best === undefined) return '';
  return from === undefined || state.champion === 0 ? formatScore(best, state.plan.metric) : formatChange(from, best, state.plan.metric);
}

/** Which parts of the score got better and which worse: the first few of each. Empty where none did. */
export function casesText(state: RunState, attempt: AttemptState, speech: L10n): string {
  const changes = caseChanges(state, attempt);
  if (changes === undefined || changes.better.length + changes.worse.length === 0) return '';
  return lines(
    changes.better.length === 0 ? '' : speech.t('Cases that got better ({0}): {1}', changes.better.length, caseList(changes.better)),
    changes.worse.length === 0 ? '' : speech.t('Cases that got worse ({0}): {1}', changes.worse.length, caseList(changes.worse)),
  );
}

function caseList(changes: readonly CaseChange[]): string {
  return cleanLine(changes.slice(0, SHOWN_CASES).map(changeWords).join(', '), SENTENCE_CHARS);
}

/** What the held-out scorer said of parent and candidate. */
function heldOutText({ plan }: RunState, { evidence }: AttemptState, speech: Speech): string {
  const { score, parentScore } = evidence?.holdout ?? {};
  if (score === undefined || plan.holdout === undefined) return '';
  const { metric } = plan.holdout;
  return speech.t('Holdout: {0}', parentScore === undefined ? formatScore(score, metric) : formatChange(parentScore, score, metric));
}

function linesChanged({ addedLines = 0, removedLines = 0 }: AttemptState, speech: Speech): string {
  const counts = signed(addedLines, removedLines);
  return counts === '' ? '' : speech.t('{0} lines', counts);
}

function timing({ startedAt, endedAt }: AttemptState, speech: Speech): string {
  const from = speech.t('started {0}', speech.clock(startedAt));
  return endedAt === undefined ? from : joined(from, speech.t('took {0}', duration(Date.parse(endedAt) - Date.parse(startedAt))));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function facts(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(';');
}

function spokenList(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').map((part) => `, ${part}`).join('');
}

/** Signs that a screen reader leaves out, as words. */
function spoken(change: string, speech: Speech): string {
  return change.replace(' → ', ` ${speech.t('to')} `).replace('×', ` ${speech.t('times')}`);
}
