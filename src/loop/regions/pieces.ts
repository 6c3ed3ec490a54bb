import { isComment, type SyntaxNode } from '../syntax.ts';
import type { RegionKind } from './region.ts';

/** A part as a language's rules find it. */
export interface Piece {
  readonly kind: RegionKind;
  /** Absent for statements: their first line names them. */
  readonly name?: string;
  readonly nodes: readonly SyntaxNode[];
  readonly body?: SyntaxNode;
}

/** Statements of a file's top, with simple neighbours as one piece and each loop, branch or the like as its own. */
export class Statements {
  readonly pieces: Piece[] = [];
  private open: SyntaxNode[] = [];

  add(node: SyntaxNode, isCompound: boolean): void {
    if (isComment(node)) return;
    if (isCompound) this.close();
    this.open.push(node);
    if (isCompound) this.close();
  }

  /** Ends a group, and adds a piece that is something else. */
  put(...pieces: readonly Piece[]): void {
    this.close();
    this.pieces.push(...pieces);
  }

  close(): void {
    if (this.open.length > 0) this.pieces.push({ kind: 'statements', nodes: this.open });
    this.open = [];
  }
}

/** A string that stands alone: a docstring, a directive, or text that was put aside. */
export function isText(node: SyntaxNode): boolean {
  const [only, ...rest] = node.children.filter(({ named }) => named);
  return node.type === 'expression_statement' && only?.type === 'string' && rest.length === 0;
}
