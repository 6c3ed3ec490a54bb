import { PythonNames } from './python-names.ts';
import type { NameUse } from './python-names.ts';
import { descendantsOf, fieldOf, lineFinder, textOf } from './syntax.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** Why a line of a train.py is protected, each to follow "because it is". */
export const TRAIN_REASONS = {
  import: 'an import of another file of the project',
  evaluation: 'part of the evaluation',
  summary: 'part of the summary that is printed',
  seed: 'a seed',
  clock: 'a line of the training clock',
  rebinding: 'another meaning for what measures the script',
} as const;

/** What evaluations and their results are called. */
export const EVALUATION_NAME = /eval|bpb|valid|^val_|_val$/i;

/** Functions whose result is one of their arguments, or nearly. */
export const KEEPS_MEANING: ReadonlySet<string> = new Set(['max', 'min', 'abs', 'float', 'int', 'round']);

/** Methods of a variable whose result is what it holds, or nearly. */
const KEEPS_VALUE = /^\w+\.(?:item|mean|sum|cpu|detach|float|double|numpy|tolist)$/;

const COMPOUND: ReadonlySet<string> = new Set([
  'if_statement', 'elif_clause', 'else_clause', 'while_statement', 'for_statement', 'with_statement', 'try_statement', 'except_clause',
  'finally_clause', 'function_definition', 'class_definition', 'match_statement', 'case_clause',
]);

/** The script, its names, and the lines that were marked so far. The first reason of a line stays. */
export class Script {
  readonly tree: SyntaxTree;
  readonly names: PythonNames;
  readonly lines = new Map<number, string>();
  readonly #lineAt: (offset: number) => number;

  constructor(tree: SyntaxTree) {
    this.tree = tree;
    this.names = new PythonNames(tree);
    this.#lineAt = lineFinder(tree.text);
  }

  text(node: SyntaxNode): string {
    return textOf(this.tree, node);
  }

  /** What is called, as written: "torch.manual_seed". */
  callee(call: SyntaxNode): string {
    const callee = fieldOf(call, 'function');
    return callee === undefined ? '' : this.text(callee);
  }

  /** The variables whose values a node's value is made of; what goes into a call comes out as something else. */
  valuesIn(node: SyntaxNode): readonly NameUse[] {
    const inCalls = descendantsOf(node)
      .filter((inner) => inner.type === 'call' && !KEEPS_MEANING.has(this.callee(inner)) && !KEEPS_VALUE.test(this.callee(inner)))
      .map(({ start, end }) => ({ start, end }));
    return this.names.readIn(node).filter((use) => !inCalls.some(({ start, end }) => start <= use.node.start && use.node.end <= end));
  }

  /** All lines from the first to the last of a node. */
  markAll(node: SyntaxNode, why: string): void {
    this.#mark(node.start, Math.max(node.start, node.end - 1), why);
  }

  /** Why the line on which a node begins was marked, if it was. */
  reasonAt(node: SyntaxNode): string | undefined {
    return this.lines.get(this.#lineAt(node.start));
  }

  /** The lines of the simple statement around a node, or of the head of the `if`, `while`, `def` around it. */
  mark(node: SyntaxNode, why: string): void {
    let at = node;
    while (at.parent !== undefined) {
      if (at.parent.type === 'block' || at.parent.type === 'module' || at.type === 'decorator') return this.markAll(at, why);
      if (COMPOUND.has(at.parent.type)) return this.markHead(at.parent, why);
      at = at.parent;
    }
  }

  /** All places that give one of these variables a value. */
  markWrites(keys: Iterable<string>, why: string): void {
    for (const key of keys) for (const write of this.names.writesOf(key)) this.mark(write.node, why);
  }

  markHead(compound: SyntaxNode, why: string): void {
    const body = compound.children.findIndex((child) => child.type === 'block');
    const head = compound.children.slice(0, body < 0 ? undefined : body).filter((child) => child.type !== 'comment');
    this.#mark(compound.start, Math.max(compound.start, (head.at(-1)?.end ?? compound.end) - 1), why);
  }

  #mark(start: number, last: number, why: string): void {
    for (let line = this.#lineAt(start); line <= this.#lineAt(last); line++) {
      if (!this.lines.has(line)) this.lines.set(line, why);
    }
  }
}
