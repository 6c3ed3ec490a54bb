import { descendantsOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';

const PLAIN: ReadonlySet<string> = new Set(['integer', 'float', 'number', 'true', 'false', 'none', 'null', 'undefined']);
const COLLECTIONS: ReadonlySet<string> = new Set(['list', 'tuple', 'set', 'dictionary', 'array', 'object', 'pair']);

/** A literal nested deeper is none that anybody wrote. */
const DEEPEST = 50;

/** Whether a node is written out to the last part: nothing in it is computed. */
export function isLiteral(node: SyntaxNode, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (PLAIN.has(node.type)) return true;
  if (node.type === 'string' || node.type === 'template_string') return !descendantsOf(node).some(({ type }) => type === 'interpolation' || type === 'template_substitution');
  if (node.type === 'unary_operator' || node.type === 'unary_expression') return node.children.at(-1)?.type !== 'string' && node.children.slice(-1).every((part) => isLiteral(part, depth + 1));
  if (node.type === 'parenthesized_expression' || COLLECTIONS.has(node.type)) return partsOf(node).every((part) => part.type === 'property_identifier' || isLiteral(part, depth + 1));
  return false;
}

/** What a collection or a pair of parentheses holds. */
export function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter(({ named, type }) => named && type !== 'comment');
}

/** The value in one spelling for all languages; a string without its quotes, other than a number. */
export function literalText(tree: SyntaxTree, node: SyntaxNode): { readonly text: string; readonly isString: boolean } {
  const text = textOf(tree, node);
  if (node.type === 'string' || node.type === 'template_string') return { text: text.replace(/^[a-zA-Z]{0,2}(?:"""|'''|["'`])|(?:"""|'''|["'`])$/g, ''), isString: true };
  if (node.type === 'property_identifier') return { text, isString: true };
  return { text: text.replace(/^\(|\)$|_(?=\d)/g, ''), isString: false };
}

/** The number that a literal is, or undefined. */
export function numberIn(text: string): number | undefined {
  const value = /^-?\s*\d/.test(text) ? Number(text.replaceAll(/[_\s]|n$/g, '')) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}
