import { lineFinder, textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import { oneLine } from '../one-line.ts';
import type { Region } from './region.ts';
import { pythonPieces } from './python.ts';
import { scriptPieces } from './script.ts';

/** A region with the nodes that it was made from. */
export interface Part {
  readonly region: Region;
  /** The whole part; of `statements` the first. */
  readonly nodes: readonly SyntaxNode[];
  /** Of a function, method or class: what can be emptied. Of a constant: its value. */
  readonly body?: SyntaxNode;
}

const MAX_NAME_CHARS = 60;

/** The parts of a file without syntax errors, in the order of the text. */
export function partsOf(tree: SyntaxTree): readonly Part[] {
  const lineAt = lineFinder(tree.text);
  const used = new Map<string, number>();
  return (tree.language === 'python' ? pythonPieces(tree) : scriptPieces(tree)).flatMap(({ name, ...piece }) => {
    const [first, last] = [piece.nodes[0], piece.nodes.at(-1)];
    if (first === undefined || last === undefined) return [];
    const plain = oneLine(name ?? textOf(tree, first).split(/[\r\n]/, 1)[0] ?? '', MAX_NAME_CHARS);
    const count = (used.get(plain) ?? 0) + 1;
    used.set(plain, count);
    const region = { name: count === 1 ? plain : `${plain}#${count}`, kind: piece.kind, from: lineAt(first.start), to: lineAt(Math.max(first.start, last.end - 1)) };
    return [{ region, nodes: piece.nodes, ...(piece.body === undefined ? {} : { body: piece.body }) }];
  });
}
