import type { Mask } from '../secrets.ts';
import { openKey } from './key-blocks.ts';

/** More is not held back: a line that long is masked as it is. */
const MOST_HELD_CHARS = 64 * 1024;

/** A text that comes in pieces, masked as if it had come whole: what is not yet a line, or a key without its end, is held back. */
export class MaskedStream {
  readonly #mask: Mask;
  #held = '';

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** What can be shown now, masked. */
  push(piece: string): string {
    this.#held += piece;
    // Nothing ends with this piece.
    if (!/[\r\n]/.test(piece) && this.#held.length <= MOST_HELD_CHARS) return '';
    const end = this.#held.length > MOST_HELD_CHARS ? this.#held.length : this.#safeEnd();
    const whole = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    return this.#mask(whole);
  }

  /** The rest, when nothing more comes. */
  rest(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#mask(rest);
  }

  #safeEnd(): number {
    // A key's own lines end no line of the text; another one may have ended in the line in which it begins.
    for (let end = this.#held.length; ;) {
      const whole = this.#held.slice(0, lastLineEnd(this.#held, end));
      const open = openKey(whole);
      if (open === undefined) return whole.length;
      end = open;
    }
  }
}

/** Where the line ends that is whole before a place. */
function lastLineEnd(text: string, before: number): number {
  if (before === 0) return 0;
  return Math.max(text.lastIndexOf('\n', before - 1), text.lastIndexOf('\r', before - 1)) + 1;
}
