import { textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import type { Change } from './mutant.ts';

/** A number, truth value or text with another value; nothing for any other node. */
export function changedLiteral(tree: SyntaxTree, node: SyntaxNode): readonly Change[] {
  switch (node.type) {
    case 'integer':
    case 'float':
    case 'number':
      return [changed(tree, node, otherNumber(textOf(tree, node)))];
    case 'true':
    case 'false': {
      const other = node.type === 'true' ? 'false' : 'true';
      return [changed(tree, node, tree.language === 'python' ? `${other.charAt(0).toUpperCase()}${other.slice(1)}` : other)];
    }
    case 'string':
      return changedText(tree, node);
    default:
      return [];
  }
}

/** 0 for what is not 0, as that ends loops sooner and not later; 1 for 0. Its ending stays: of a big integer, an imaginary number, a dot before a method. */
export function otherNumber(written: string): string {
  const isHex = /^0[xX]/.test(written);
  const ending = /[nN]$/.test(written) || !isHex ? (/[nNjJlL.]$/.exec(written)?.[0] ?? '') : '';
  const isZero = isHex ? !/[1-9a-fA-F]/.test(written.slice(2)) : !/[1-9]/.test(written.replace(/[eE][-+]?\d.*$/, ''));
  return `${isZero ? '1' : '0'}${ending}`;
}

function changedText(tree: SyntaxTree, node: SyntaxNode): readonly Change[] {
  const [open] = node.children;
  if (open === undefined || node.children.some(({ type }) => type === 'interpolation')) return [];
  const written = textOf(tree, node);
  const shown = written.length > 30 ? 'a text' : `\`${written}\``;
  return [{ kind: 'constant', what: `${shown} changed`, start: open.end, end: open.end, by: 'ratchet' }];
}

function changed(tree: SyntaxTree, node: SyntaxNode, by: string): Change {
  return { kind: 'constant', what: `\`${textOf(tree, node)}\` made \`${by}\``, start: node.start, end: node.end, by };
}
