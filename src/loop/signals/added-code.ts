import { diffArrays } from 'diff';
import { lineTexts } from '../edit/lines.ts';
import { lineFinder } from '../syntax.ts';
import type { SyntaxNode } from '../syntax.ts';
import type { EditSides } from './sides.ts';
import { usesOf, type Use } from './uses.ts';

/** A line of the candidate, counted from 1. */
export interface AddedLine {
  readonly line: number;
  readonly text: string;
}

/**
 * What an edit added. A line that only moved or was indented anew is not added, and an empty one isn't either.
 */
export class AddedCode {
  readonly added: readonly AddedLine[];
  /** What parent and candidate use; nothing without a parser. */
  readonly usesBefore: readonly Use[];
  readonly usesAfter: readonly Use[];
  readonly #lines: ReadonlySet<number>;
  readonly #lineAt: (offset: number) => number;

  constructor({ before, after, beforeTree, afterTree }: Pick<EditSides, 'before' | 'after' | 'beforeTree' | 'afterTree'>) {
    this.usesBefore = beforeTree === undefined ? [] : usesOf(beforeTree);
    this.usesAfter = afterTree === undefined ? [] : usesOf(afterTree);
    const added: AddedLine[] = [];
    const removed: string[] = [];
    let line = 0;
    for (const change of diffArrays([...lineTexts(before)], [...lineTexts(after)])) {
      for (const text of change.value) {
        if (change.removed) removed.push(text.trim());
        else line++;
        if (change.added && text.trim() !== '') added.push({ line, text });
      }
    }
    const left = new Map<string, number>();
    for (const text of removed) left.set(text, (left.get(text) ?? 0) + 1);
    this.added = added.filter(({ text }) => {
      const count = left.get(text.trim()) ?? 0;
      left.set(text.trim(), count - 1);
      return count <= 0;
    });
    this.#lines = new Set(this.added.map((each) => each.line));
    this.#lineAt = lineFinder(after);
  }

  lineOf(node: SyntaxNode): number {
    return this.#lineAt(node.start);
  }

  /** Whether a node of the candidate stands, in part at least, on added lines. */
  isAdded(node: SyntaxNode): boolean {
    const last = this.#lineAt(Math.max(node.start, node.end - 1));
    for (let line = this.lineOf(node); line <= last; line++) if (this.#lines.has(line)) return true;
    return false;
  }
}
