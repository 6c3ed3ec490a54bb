import { leftOutBy, whyNotKeepable, whyNotKept } from '../../loop/choice.ts';
import { HumanError } from '../../errors.ts';
import { engineOf } from '../engine.ts';
import type { RunState } from '../../loop/ledger.ts';
import { EXIT } from '../exit.ts';
import { loadRun } from '../ledgers.ts';
import { isMeant } from '../meant.ts';
import { placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** What speaks against a person's choice, a sentence each. */
function doubtsOf(state: RunState, attempt: number): readonly string[] {
  const why = whyNotKept(state, attempt);
  const lost = leftOutBy(state, attempt);
  return [
    ...(why === undefined ? [] : [`Attempt ${attempt} was not kept: ${why}`]),
    ...(lost.length === 0 ? [] : [`Attempt ${attempt} doesn't build on ${lost.length === 1 ? 'attempt' : 'attempts'} ${lost.join(', ')}, which the best so far holds: keeping it leaves that out.`]),
  ];
}

/** `ratchet keep RUN N`: a person makes an attempt the best so far, whatever the verifier said of it. */
export async function keep(terminal: Terminal, run: string, attempt: number, flags: { readonly yes?: boolean }): Promise<number> {
  const place = await placeOfFolder(terminal);
  const state = await loadRun(terminal, place.store, run, 'keep');
  const why = whyNotKeepable(state, attempt);
  if (why !== undefined) throw new HumanError('no-such-attempt', why);
  if (!(await isMeant(terminal, flags, { doubts: doubtsOf(state, attempt), question: 'Keep it all the same?', yes: 'add --yes to keep it all the same' }))) return EXIT.refused;
  const client = await engineOf(place);
  try {
    const when = await client.request('ratchet/keep', { run: state.id, attempt });
    terminal.out(when === 'now' ? `Attempt ${attempt} of ${state.id} is the best so far now, by your word.\n` : `Attempt ${attempt} becomes the best so far, by your word, when the attempt in flight is over.\n`);
    return EXIT.done;
  } finally {
    client.close();
  }
}
