import { createHash } from 'node:crypto';
import { descendantsOf, isComment, textOf } from './syntax.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/**
 * Names the code of a file: two files with the same fingerprint differ at most in comments and layout. Structure is part
 * of it, so a statement that moves out of a Python loop changes it although every word stays.
 *
 * Only comments are left out. A docstring is a string that the program can read (`__doc__`, a command's help, doctest),
 * so it is code. A trailing comma or a pair of parentheses is a token too.
 *
 * A plain text stands for a file without a parser and goes by its characters; so does code with a syntax error, where
 * the structure is only a guess. Takes about 2 ms for 500 lines.
 */
export function codeFingerprint(code: SyntaxTree | string): string {
  if (typeof code === 'string') return digest(`text ${code}`);
  if (code.hasError) return digest(`text ${code.text}`);
  return digest(`${code.language} ${canonicalForm(code)}`);
}

/** How many tokens of code a file has. A string without inserted expressions is one token, whatever its length. */
export function countTokens(tree: SyntaxTree): number {
  let count = 0;
  /** Nodes that are counted, or not to be counted, together with all that is in them. */
  const done = new Set<SyntaxNode>();
  for (const node of tree.nodes) {
    if (isLayout(node) || (node.parent !== undefined && done.has(node.parent))) {
      done.add(node);
    } else if (isPlainString(node) || (node.children.length === 0 && node.end > node.start)) {
      done.add(node);
      count++;
    }
  }
  return count;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Each node's type and number of children, each token's text, in order: enough to build the same tree again. */
function canonicalForm(tree: SyntaxTree): string {
  const parts: string[] = [];
  /** Nodes that are left out, or written already, together with all that is in them. */
  const done = new Set<SyntaxNode>();
  // With the length before it, no text can be taken for two.
  const emit = (text: string): void => { if (text !== '') parts.push(`${text.length}:${text}`); };
  for (const node of tree.nodes) {
    if (isLayout(node) || (node.parent !== undefined && done.has(node.parent))) done.add(node);
    else if (isAtom(node)) {
      done.add(node);
      parts.push(node.type, ' ');
      emit(node.type === 'jsx_text' ? shownJsxText(textOf(tree, node)) : textOf(tree, node));
    } else {
      let size = 0;
      for (const child of node.children) if (!isLayout(child)) size++;
      parts.push(node.type, `/${size} `);
      for (const gap of gapsOf(tree, node)) emit(gap);
    }
  }
  return parts.join('');
}

/** Text of a node that no child covers: the grammars hide some, such as the format of an inserted expression. */
function gapsOf(tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  const gaps: string[] = [];
  let at = node.start;
  for (const child of node.children) {
    // Nothing but a blank between two tokens is the usual case, and quick to see.
    if (child.start - at > 0) {
      const gap = tree.text.slice(at, child.start);
      gaps.push(node.type === 'template_string' ? gap : gap.trim());
    }
    at = child.end;
  }
  if (node.end > at) gaps.push(tree.text.slice(at, node.end).trim());
  return gaps;
}

function isLayout(node: SyntaxNode): boolean {
  return isComment(node) || node.type === 'line_continuation';
}

/** Nodes that count by their text: what stands inside a string matters to the last blank. */
function isAtom(node: SyntaxNode): boolean {
  return node.children.length === 0 || node.type === 'string' || node.type === 'regex';
}

/** A string or regular expression whose parts are not tokens of their own. */
function isPlainString(node: SyntaxNode): boolean {
  if (node.type === 'regex') return true;
  if (node.type !== 'string' && node.type !== 'template_string') return false;
  return !descendantsOf(node).some((inner) => inner.type === 'interpolation' || inner.type === 'template_substitution');
}

/** JSX drops line breaks and the blanks around them. */
function shownJsxText(text: string): string {
  return text.split('\n')
    .map((line, i, lines) => {
      const left = i === 0 ? line : line.trimStart();
      return i === lines.length - 1 ? left : left.trimEnd();
    })
    .filter((line) => line !== '')
    .join(' ');
}
