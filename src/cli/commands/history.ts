import { caseChanges, type CaseChange } from '../../loop/checks/cases.ts';
import { changeWords } from '../../loop/checks/case-words.ts';
import { fittingNote } from '../../loop/checks/gap.ts';
import { evidenceLines, reasonWords } from '../../loop/evidence-words.ts';
import { formatChange, formatScore } from '../../loop/format.ts';
import { allRuns, ownRuns, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { cleanLine } from '../../loop/one-line.ts';
import type { Measured } from '../../records.ts';
import { HumanError } from '../../errors.ts';
import { bytesInWords } from '../../loop/bytes.ts';
import { sizeOf } from '../../engine/store/size.ts';
import { readRun } from '../../engine/read-run.ts';
import { EXIT } from '../exit.ts';
import { attemptNamed, loadRun } from '../ledgers.ts';
import { attemptPatch, championPatch } from '../patch.ts';
import { attemptLine, attemptTable, openLines, runLine } from '../render.ts';
import { noRuns, placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet log`: the runs of this folder. One that can't be read has a line too. */
export async function log(terminal: Terminal, json: boolean): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const runs = await store.runs();
  if (runs.length === 0) terminal.err(`${noRuns(store)}\n`);
  for (const run of runs) {
    const state = await readRun(store, run).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (typeof state === 'string') terminal.out(json ? `${JSON.stringify({ run, state: null, problem: state })}\n` : `${run}  ${state}\n`);
    else terminal.out(json ? `${JSON.stringify({ run, state: summary(state) })}\n` : `${runLine(state)}\n`);
  }
  if (!json && runs.length > 0) terminal.err(`${store.folder} holds ${bytesInWords(await sizeOf(store.folder))}.\n`);
  return EXIT.done;
}

/** `ratchet show RUN [N]`: a run's attempts, or one attempt with all that is known of it. */
export async function show(terminal: Terminal, run: string, number: number | undefined, json: boolean): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(terminal, store, run, 'show');
  const attempt = number === undefined ? undefined : attemptNamed(state, number);
  if (json) {
    terminal.out(`${JSON.stringify(attempt ?? state)}\n`);
    return EXIT.done;
  }
  if (attempt === undefined) {
    terminal.out(`${runLine(state)}\n`);
    terminal.outColoured(attemptTable(state, terminal));
    for (const note of [...(state.notes ?? []), fittingNote(state) ?? '']) if (note !== '') terminal.out(`${cleanLine(note, MAX_LINE_CHARS)}\n`);
    if (state.end !== undefined) terminal.out(`${state.end.sentence}\n`);
    for (const line of openLines(state, { self: terminal.self, where: '' })) terminal.out(`${line}\n`);
    return EXIT.done;
  }
  terminal.outColoured(`${attemptLine(attempt, state, terminal)}\n`);
  if (attempt.hypothesis !== undefined) terminal.out(`\n${attempt.hypothesis}\n`);
  const { evidence } = attempt;
  // Where a run of the scorer decided it, the reason stands with that run.
  if (evidence !== undefined && !allRuns(attempt).some(({ why }) => why === evidence.reason)) terminal.out(`\n${reasonWords(attempt, state)}\n`);
  for (const line of evidenceLines(attempt, state)) terminal.out(`${line}\n`);
  terminal.out(heldOut(state, attempt) + caseTable(state, attempt));
  const own = ownRuns(attempt);
  const printed = new Set<string>();
  for (const measured of allRuns(attempt)) {
    // Ten runs of the start file print the same ten times, where nothing varies.
    if (printed.has(measured.output)) continue;
    printed.add(measured.output);
    terminal.out(`\n--- what ${own.includes(measured) ? 'the scorer' : printedBy(measured)} printed (${measured.why}) ---\n${await orWhyNot(store.blob(measured.output))}\n`);
  }
  for (const { uncounted } of attempt.uncounted ?? []) terminal.out(`\n--- a run that doesn't count --- ${cleanLine(uncounted ?? '', MAX_LINE_CHARS)}\n`);
  if (attempt.candidate !== undefined) terminal.out(`\n${await orWhyNot(attemptPatch(store, state, attempt))}`);
  return EXIT.done;
}

/** `ratchet diff RUN [N]`: what an attempt changed against its parent; without N, what the best so far changed against the start file. */
export async function diff(terminal: Terminal, run: string, number: number | undefined): Promise<number> {
  const { store } = await placeOfFolder(terminal);
  const state = await loadRun(terminal, store, run, 'diff');
  terminal.out(await (number === undefined ? championPatch(store, state) : attemptPatch(store, state, attemptNamed(state, number))));
  return EXIT.done;
}

/** A text; where it is missing, a sentence that says why: the rest of the attempt is shown all the same. */
function orWhyNot(text: Promise<string>): Promise<string> {
  return text.catch((error: unknown) => {
    if (error instanceof HumanError && error.reason === 'missing-text') return `${error.message}\n`;
    throw error;
  });
}

/** What the held-out scorer said: for the person alone. */
function heldOut({ plan }: RunState, { evidence }: AttemptState): string {
  const { holdout } = evidence ?? {};
  if (holdout?.score === undefined || plan.holdout === undefined) return '';
  return `\nHoldout: ${holdout.parentScore === undefined ? formatScore(holdout.score, plan.holdout.metric) : formatChange(holdout.parentScore, holdout.score, plan.holdout.metric)}\n`;
}

function printedBy({ role, name }: Measured): string {
  if (role === 'parent') return 'the scorer, on the parent,';
  return role === 'gate' || role === 'stage' || role === 'holdout' ? `the ${role} ${cleanLine(name ?? '', MAX_LINE_CHARS)}` : 'the scorer';
}

/** The cases that got better and worse against the parent, one a line. */
function caseTable(state: RunState, attempt: AttemptState): string {
  const changes = caseChanges(state, attempt);
  if (changes === undefined) return '';
  const { better, worse, same } = changes;
  const row = (sign: string) => (change: CaseChange): string => `  ${sign} ${cleanLine(changeWords(change), MAX_LINE_CHARS)}${change.note === undefined ? '' : ` | ${cleanLine(change.note, MAX_LINE_CHARS)}`}\n`;
  return `\nCases: ${better.length} better, ${worse.length} worse, ${same} the same\n${[...better.map(row('+')), ...worse.map(row('-'))].slice(0, MAX_CASES).join('')}`;
}

const MAX_LINE_CHARS = 300;
const MAX_CASES = 60;

function summary(state: RunState): object {
  const { id, plan, startedAt, champion, attempts, end } = state;
  return { id, target: plan.target, startedAt, champion, attempts: attempts.length, end: end ?? null };
}
