import { bareDiffEnd, startsDiff } from './diff-lines.ts';
import { closesFence, containersOf, dropColumns, nestsIn, openedFence, within, type Container, type FenceOpening, type Rest } from './fences.ts';
import type { Refusal } from './refusal.ts';
import { afterThinking, isThinkingEnd, opensThinking } from './thinking.ts';

export const SEARCH_MARKER = '<<<<<<< SEARCH';
export const DIVIDER = '=======';
export const REPLACE_MARKER = '>>>>>>> REPLACE';

export interface Fence {
  readonly kind: 'fence';
  readonly opening: FenceOpening;
  /** Its content, without the lines of blocks. */
  readonly lines: readonly string[];
  /** False where the reply, or the list item or quote around it, ends first. */
  readonly closed: boolean;
  /** It holds a line that would open such a fence, so that its end may be that of an inner one. */
  readonly nested: boolean;
  /** The last line of prose before it that isn't blank. */
  readonly lead: string;
}

/** A search/replace block. */
export interface Block {
  readonly kind: 'block';
  /** All between its first and its last marker. More than one line may look like its divider: the target may have such lines. */
  readonly body: readonly string[];
  /** The fence that it stands in. */
  readonly fence?: Fence;
}

/** A unified diff outside of any fence. */
export interface BareDiff {
  readonly kind: 'diff';
  readonly lines: readonly string[];
}

export type Part = Fence | Block | BareDiff;

/** A reply without its thinking part. */
export interface Reply {
  readonly blocks: readonly Block[];
  readonly fences: readonly Fence[];
  readonly diffs: readonly BareDiff[];
  /** Why it can't be an edit, whatever else it holds. */
  readonly problem?: Refusal;
  /** All lines, and what each belongs to; lines of a block belong to the block and not to its fence. */
  readonly outline: readonly OutlineLine[];
}

export interface OutlineLine {
  readonly text: string;
  readonly part?: Part;
}

/** A place in a reply: the line, and the character in it. */
interface Place {
  readonly line: number;
  readonly char: number;
}

interface OpenFence extends Fence {
  readonly lines: string[];
  closed: boolean;
  nested: boolean;
}

interface OpenBlock extends Block {
  readonly body: string[];
}

const UNTERMINATED_THOUGHT: Refusal = {
  code: 'unterminated',
  reason: 'The reply is unterminated: it ends within its thinking part, before any edit.',
};
const UNTERMINATED_BLOCK: Refusal = {
  code: 'unterminated',
  reason: `A search/replace block is unterminated: its closing line "${REPLACE_MARKER}" is missing. Write every block out to its end.`,
};
const STRAY_MARKER: Refusal = {
  code: 'malformed',
  reason: `A line "${REPLACE_MARKER}" stands outside of a block. A block starts with "${SEARCH_MARKER}" alone on its line and ends with the first "${REPLACE_MARKER}".`,
};

/** Reads the lines of a reply. Everything up to `</think>` is dropped, unless that is text within an edit. */
export function readReply(lines: readonly string[]): Reply {
  let from: Place = { line: 0, char: 0 };
  for (;;) {
    const read = new ReplyReader(lines, from).read();
    if ('outline' in read) return read;
    from = read;
  }
}

/** One pass over a reply from a place on. It ends early after a `</think>`, where the next pass starts. */
class ReplyReader {
  readonly #lines: readonly string[];
  readonly #from: Place;
  readonly #outline: OutlineLine[] = [];
  readonly #blocks: Block[] = [];
  readonly #fences: Fence[] = [];
  readonly #diffs: BareDiff[] = [];
  #problem: Refusal | undefined;
  #containers: readonly Container[] = [];
  #fence: OpenFence | undefined;
  #block: OpenBlock | undefined;
  #lead = '';
  #started = false;
  #thinking = false;
  /** After a `</think>` in a fence or block that is still open. It is the end of the thinking if that never ends as it should. */
  #doubtful: Place | undefined;

  constructor(lines: readonly string[], from: Place) {
    this.#lines = lines;
    this.#from = from;
  }

  read(): Reply | Place {
    for (let at = this.#from.line; at < this.#lines.length;) {
      const next = this.#step(at);
      if (typeof next !== 'number') return next;
      at = next;
    }
    if (this.#doubtful !== undefined) return this.#doubtful;
    if (this.#thinking) this.#problem = UNTERMINATED_THOUGHT;
    else if (this.#block !== undefined) this.#problem ??= UNTERMINATED_BLOCK;
    return {
      blocks: this.#blocks,
      fences: this.#fences,
      diffs: this.#diffs,
      outline: this.#thinking ? [] : this.#outline,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  /** Reads the line at `at`; gives the number of the next one, or the place to start anew from. */
  #step(at: number): number | Place {
    const line = this.#lines[at] ?? '';
    const cut = at === this.#from.line ? this.#from.char : 0;
    const text = line.slice(cut);
    const after = afterThinking(text);
    const end = after === undefined ? undefined : { line: at, char: cut + after };

    const fence = this.#fence;
    if (fence === undefined) return this.#block === undefined ? this.#prose(at, text, end) : this.#blockLine(at, text, text, end);
    const rest = within(text, this.#containers);
    if (rest === undefined) {
      // The list item or the quote around the fence ended, and the fence with it.
      if (this.#doubtful !== undefined) return this.#doubtful;
      if (this.#block !== undefined) this.#problem ??= UNTERMINATED_BLOCK;
      this.#fence = this.#block = undefined;
      return this.#prose(at, text, end);
    }
    if (this.#block !== undefined) return this.#blockLine(at, text, dropColumns(rest, fence.opening.indent).text, end);
    return this.#fenceLine(at, text, rest, fence, end);
  }

  #prose(at: number, text: string, end: Place | undefined): number | Place {
    if (end !== undefined) return end;
    if (opensThinking(text, !this.#started)) this.#thinking = true;
    if (text.trim() !== '') this.#started = true;
    if (text === SEARCH_MARKER) return this.#openBlock(at, text);
    if (text === REPLACE_MARKER) this.#problem ??= STRAY_MARKER;

    const diffEnd = bareDiffEnd(this.#lines, at);
    if (diffEnd !== undefined) {
      const diff: BareDiff = { kind: 'diff', lines: this.#lines.slice(at, diffEnd) };
      this.#diffs.push(diff);
      for (const line of diff.lines) this.#outline.push({ text: line, part: diff });
      return diffEnd;
    }

    const { containers, rest } = containersOf(text, this.#containers);
    // A blank line ends no list item.
    if (text.trim() !== '') this.#containers = containers;
    const opening = openedFence(rest);
    if (opening === undefined) {
      this.#outline.push({ text });
      if (text.trim() !== '') this.#lead = text;
      return at + 1;
    }
    this.#fence = { kind: 'fence', opening, lines: [], closed: false, nested: false, lead: this.#lead };
    this.#fences.push(this.#fence);
    this.#outline.push({ text, part: this.#fence });
    return at + 1;
  }

  #fenceLine(at: number, text: string, rest: Rest, fence: OpenFence, end: Place | undefined): number | Place {
    const content = dropColumns(rest, fence.opening.indent).text;
    if (end !== undefined) {
      if (this.#thinking && isThinkingEnd(text)) return end;
      this.#doubtful = end;
    }
    if (content === SEARCH_MARKER) return this.#doubtful ?? this.#openBlock(at, text);
    if (content === REPLACE_MARKER) this.#problem ??= STRAY_MARKER;
    this.#outline.push({ text, part: fence });
    // In a diff, a fence after a space is the target's.
    if (closesFence(rest, fence.opening) && !(rest.text.startsWith(' ') && fence.opening.indent === 0 && holdsDiff(fence))) {
      fence.closed = true;
      this.#fence = this.#doubtful = undefined;
      return at + 1;
    }
    if (nestsIn(rest, fence.opening)) {
      if (this.#doubtful !== undefined) return this.#doubtful;
      fence.nested = true;
    }
    fence.lines.push(content);
    return at + 1;
  }

  #openBlock(at: number, text: string): number {
    this.#block = { kind: 'block', body: [], ...(this.#fence === undefined ? {} : { fence: this.#fence }) };
    this.#outline.push({ text, part: this.#block });
    return at + 1;
  }

  /** A line of a block. It ends at its own marker alone: fences in it are text of the target. */
  #blockLine(at: number, text: string, content: string, end: Place | undefined): number | Place {
    const block = this.#block;
    if (block === undefined) return at + 1;
    if (end !== undefined) this.#doubtful = end;
    if (content === SEARCH_MARKER) {
      this.#problem ??= UNTERMINATED_BLOCK;
      return this.#doubtful ?? this.#openBlock(at, text);
    }
    this.#outline.push({ text, part: block });
    if (content !== REPLACE_MARKER) {
      block.body.push(content);
      return at + 1;
    }
    this.#blocks.push(block);
    this.#block = this.#doubtful = undefined;
    return at + 1;
  }
}

/** Whether a fence is meant as a unified diff, by its info string or by how it starts. */
export function holdsDiff(fence: Fence): boolean {
  return /^u?(?:diff|patch)\b/i.test(fence.opening.info) || startsDiff(fence.lines, fence.lines.findIndex((line) => line.trim() !== ''));
}
