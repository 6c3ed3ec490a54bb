import { leftOutBy, whyNotKeepable } from '../../loop/choice.ts';
import { HumanError } from '../../errors.ts';
import { engineOf } from '../engine.ts';
import { EXIT } from '../exit.ts';
import { loadRun } from '../ledgers.ts';
import { placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** `ratchet keep RUN N`: a person makes an attempt the best so far, whatever the verifier said of it. */
export async function keep(terminal: Terminal, run: string, attempt: number, flags: { readonly yes?: boolean }): Promise<number> {
  const place = await placeOfFolder(terminal);
  const state = await loadRun(terminal, place.store, run, 'keep');
  const why = whyNotKeepable(state, attempt);
  if (why !== undefined) throw new HumanError('no-such-attempt', why);
  const lost = leftOutBy(state, attempt);
  if (lost.length > 0 && flags.yes !== true) {
    const which = `${lost.length === 1 ? 'attempt' : 'attempts'} ${lost.join(', ')}`;
    throw new HumanError('bad-use', `Attempt ${attempt} doesn't build on ${which}, which the best so far holds: keeping it leaves that out. If you mean it, add --yes.`);
  }
  const client = await engineOf(place);
  try {
    const when = await client.request('ratchet/keep', { run: state.id, attempt });
    terminal.out(when === 'now' ? `Attempt ${attempt} of ${state.id} is the best so far now, by your word.\n` : `Attempt ${attempt} becomes the best so far, by your word, when the attempt in flight is over.\n`);
    return EXIT.done;
  } finally {
    client.close();
  }
}
