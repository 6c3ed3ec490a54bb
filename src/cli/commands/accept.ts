import { HumanError } from '../../errors.ts';
import { VERDICT_WORDS } from '../../loop/format.ts';
import { acceptedTexts, textOf, type AttemptState, type RunState } from '../../loop/ledger.ts';
import { mergeInto, type Merge } from '../../loop/merge.ts';
import type { Requests } from '../../protocol.ts';
import { landingOf } from '../../wire/landing.ts';
import { engineOf, runningEngine } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { attemptNamed, loadRun } from '../ledgers.ts';
import { isMeant } from '../meant.ts';
import { replaceText } from '../replace.ts';
import { placeOfFolder, type Place } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet accept RUN [N]`: puts the best so far (or attempt N) into the person's file, by a three-way merge where it changed meanwhile. */
export async function accept(terminal: Terminal, run: string, number: number | undefined, flags: { readonly yes?: boolean }): Promise<number> {
  const place = await placeOfFolder(terminal);
  const state = await loadRun(terminal, place.store, run, 'accept');
  const attempt = attemptNamed(state, number);
  if (attempt.number === 0) {
    terminal.err(number === 0 ? 'Attempt 0 is the start file, so there is nothing to accept.\n' : 'Nothing was kept in this run, so there is nothing to accept.\n');
    return EXIT.noImprovement;
  }
  if (attempt.candidate === undefined) throw new HumanError('no-such-attempt', `Attempt ${attempt.number} changed nothing, so there is nothing to accept.`);
  if (attempt.verdict === 'flagged' && attempt.keptByPerson !== true)
    throw new HumanError('untrusted', `Attempt ${attempt.number} is suspicious (${reasonOf(attempt)}) and must be confirmed first. Look at it with: ratchet diff ${state.id} ${attempt.number}   Then confirm it with: ratchet keep ${state.id} ${attempt.number}`);
  const path = await targetOf(place, state);
  const doubts = isBroken(attempt) ? [`Attempt ${attempt.number} gave no score that counts (${reasonOf(attempt)}), so nothing shows that it works.`] : [];
  if (!(await isMeant(terminal, flags, { doubts, question: 'Put it into your file all the same?', yes: 'add --yes to put it into your file all the same' }))) return EXIT.refused;
  await refuseUnsaved(place, path, state);

  const [baseline, candidate] = await Promise.all([place.store.blob(state.baseline), place.store.blob(textOf(state, attempt.number))]);
  const accepted = await Promise.all(acceptedTexts(state).map((blob) => place.store.blob(blob)));
  // Only an attempt that a person named can be one that was not kept.
  if (attempt.verdict !== 'kept' && attempt.keptByPerson !== true) terminal.err(`Attempt ${attempt.number} was not kept (${reasonOf(attempt)}). You named it, so it is taken all the same.\n`);
  const text = await replaceText(path, (current) => merged(mergeInto(current, baseline, candidate, accepted), state));
  terminal.out(`${path} now holds attempt ${attempt.number}.\n`);
  await record(place, { run: state.id, attempt: attempt.number, text }).catch((error: unknown) => {
    terminal.err(`ratchet: written, but not recorded: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  return EXIT.done;
}

/** Whether its last run brought no score: it may not even start. */
function isBroken({ verdict, keptByPerson }: AttemptState): boolean {
  return keptByPerson !== true && (verdict === 'crashed' || verdict === 'timed-out' || verdict === 'no-score' || verdict === 'invalid-score');
}

function reasonOf({ verdict, evidence }: AttemptState): string {
  if (verdict === undefined) return 'it has no verdict yet';
  return evidence === undefined ? VERDICT_WORDS[verdict] : `${VERDICT_WORDS[verdict]}: ${evidence.reason.replace(/\.$/, '')}`;
}

/** The real path of the run's target. */
async function targetOf({ root }: Place, { id, plan }: RunState): Promise<string> {
  const landing = await landingOf(root, plan.target);
  if (!landing.ok) throw new HumanError(landing.reason, `${landing.why} See what the run changed with: ratchet diff ${id}`);
  return landing.path;
}

async function refuseUnsaved(place: Place, path: string, { plan }: RunState): Promise<void> {
  const engine = await runningEngine(place);
  const unsaved = await engine?.request('ratchet/unsaved', { path }).finally(() => engine.close());
  if (unsaved === true) throw new HumanError('unsaved', `An editor holds unsaved text of ${plan.target}. Save it, or accept in the editor.`);
}

function merged(merge: Merge, { id, plan }: RunState): string {
  if (merge.ok) return merge.text;
  throw new HumanError('conflict', `${plan.target} changed since the run began, and ${merge.conflicts} of its changes meet the run's. Nothing was written. Accept in the editor to solve them there, or look at: ratchet diff ${id}`);
}

async function record(place: Place, accepted: Requests['ratchet/accepted']['params']): Promise<void> {
  const client = await engineOf(place);
  try {
    await client.request('ratchet/accepted', accepted);
  } finally {
    client.close();
  }
}
