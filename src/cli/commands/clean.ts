import { HumanError } from '../../errors.ts';
import { bytesInWords } from '../../loop/bytes.ts';
import { drop, droppable } from '../../engine/store/drop.ts';
import { sizeOf } from '../../engine/store/size.ts';
import { EXIT } from '../exit.ts';
import { isMeant } from '../meant.ts';
import { noRuns, placeOfFolder } from '../root.ts';
import type { Terminal } from '../terminal.ts';

/** Texts of attempts are of use for so many days, unless another number is given. */
export const CLEAN_DAYS = 30;

const DAY_MS = 24 * 3_600_000;

/** `ratchet clean`: drops the texts of attempts that came to nothing long ago. Their record stays, and so does all that was kept. */
export async function clean(terminal: Terminal, { days = CLEAN_DAYS, yes }: { readonly days?: number; readonly yes?: boolean }): Promise<number> {
  if (!(days >= 0)) throw new HumanError('bad-use', '--days must be a number, 0 or more.');
  const { store } = await placeOfFolder(terminal);
  if ((await store.runs()).length === 0) {
    terminal.out(`${noRuns(store)}\n`);
    return EXIT.done;
  }
  const now = new Date();
  const found = await droppable(store, now.getTime() - days * DAY_MS);
  const held = `${store.folder} holds ${bytesInWords(await sizeOf(store.folder))}`;
  if (found.ids.length === 0) {
    terminal.out(`${held}; no attempt that came to nothing more than ${days} days ago has a text left.\n`);
    return EXIT.done;
  }
  const texts = `${found.ids.length} ${found.ids.length === 1 ? 'text' : 'texts'} (${bytesInWords(found.bytes)})`;
  const doubts = [`${held}. ${texts} of attempts that came to nothing more than ${days} days ago can go: what they asked, what was answered and printed, and their changes. Scores, reasons and verdicts stay, and all that was kept.`];
  if (!(await isMeant(terminal, { ...(yes === undefined ? {} : { yes }) }, { doubts, question: 'Drop them?', yes: 'add --yes to drop them' }))) return EXIT.refused;
  await drop(store, found, now);
  terminal.out(`Dropped ${texts}.\n`);
  return EXIT.done;
}
