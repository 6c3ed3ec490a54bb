import { isText } from '../regions/pieces.ts';
import type { Part } from '../regions/parts.ts';
import { isComment, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import type { Change } from './mutant.ts';

/** A part without what it does, in a form that still parses; nothing for one that does nothing as it is. */
export function emptied(tree: SyntaxTree, { region, nodes, body }: Part): readonly Change[] {
  switch (region.kind) {
    case 'function':
    case 'method':
      return body === undefined || doesNothing(body) ? [] : [{ kind: 'emptied', what: 'its body emptied', ...span(body), by: emptyBody(tree, body) }];
    case 'class':
      return body === undefined || doesNothing(body) ? [] : [{ kind: 'emptied', what: 'its body emptied', ...span(body), by: tree.language === 'python' ? 'pass' : '{}' }];
    case 'statements': {
      const [first, last] = [nodes[0], nodes.at(-1)];
      return first === undefined || last === undefined ? [] : [{ kind: 'emptied', what: 'it taken out', start: first.start, end: last.end, by: tree.language === 'python' ? 'pass' : ';' }];
    }
    case 'constant':
      return body === undefined ? [] : withoutValue(tree, body);
    case 'block':
      return [];
  }
}

/** A value that is made of others, or called, is taken away as a whole; a plain one is changed (literals.ts). */
function withoutValue(tree: SyntaxTree, value: SyntaxNode): readonly Change[] {
  if (LITERALS.has(value.type) || ['none', 'undefined', 'null'].includes(value.type)) return [];
  return [{ kind: 'emptied', what: 'its value taken away', ...span(value), by: nothing(tree) }];
}

const LITERALS: ReadonlySet<string> = new Set(['integer', 'float', 'number', 'string', 'true', 'false', 'unary_operator', 'unary_expression']);

function emptyBody(tree: SyntaxTree, body: SyntaxNode): string {
  if (tree.language === 'python') return 'return None';
  return body.type === 'statement_block' ? `{ return ${nothing(tree)}; }` : nothing(tree);
}

/** Nothing, also for a type checker: an emptied function must not be noticed by its type alone. */
function nothing({ language }: SyntaxTree): string {
  switch (language) {
    case 'python':
      return 'None';
    case 'javascript':
      return 'undefined';
    case 'typescript':
    case 'tsx':
      return '(undefined as never)';
  }
}

const IDLE = new Set(['pass_statement', 'empty_statement', 'ellipsis']);

function doesNothing(body: SyntaxNode): boolean {
  if (body.type === 'undefined' || body.type === 'null') return true;
  if (body.type !== 'block' && body.type !== 'statement_block' && body.type !== 'class_body') return false;
  return body.children.every((node) => !node.named || isComment(node) || IDLE.has(node.type) || isText(node) || isIdle(node));
}

/** `...`, `return`, `return None`. */
function isIdle(node: SyntaxNode): boolean {
  const named = node.children.filter((child) => child.named);
  if (node.type === 'expression_statement') return named.length === 1 && named[0]?.type === 'ellipsis';
  return node.type === 'return_statement' && named.every(({ type }) => ['none', 'undefined', 'null'].includes(type));
}

function span({ start, end }: SyntaxNode): { readonly start: number; readonly end: number } {
  return { start, end };
}
