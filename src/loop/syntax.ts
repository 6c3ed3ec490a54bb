/**
 * What the pure stages know about a parsed file. The parser is handed in (engine/parsers.ts): a tree is plain data,
 * owns nothing that must be freed, and is the same whatever made it.
 */

import { splitLines } from './edit/lines.ts';

/** The languages that come with a parser. */
export const LANGUAGES = ['python', 'javascript', 'typescript', 'tsx'] as const;
export type Language = (typeof LANGUAGES)[number];

/** One node. Types and fields are those of the language's tree-sitter grammar. */
export interface SyntaxNode {
  readonly type: string;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** The parser put it in to go on after an error; it has no text. */
  readonly missing: boolean;
  /** The role in the parent ("left", "condition"), where the grammar names one. */
  readonly field: string | undefined;
  /** Offset of the first UTF-16 unit, and of the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly parent: SyntaxNode | undefined;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly language: Language;
  readonly text: string;
  readonly root: SyntaxNode;
  /** All nodes, each before its children, in the order of the text: most rules are one loop over it. */
  readonly nodes: readonly SyntaxNode[];
  /** Whether the text has a syntax error somewhere. */
  readonly hasError: boolean;
}

const LANGUAGE_OF_ENDING: Readonly<Record<string, Language>> = {
  py: 'python', pyw: 'python', pyi: 'python',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript',
  ts: 'typescript', mts: 'typescript', cts: 'typescript',
  tsx: 'tsx',
};

/** The language of a file by the ending of its name; undefined where there is no parser for it. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : LANGUAGE_OF_ENDING[ending.toLowerCase()];
}

/** The text of a node. */
export function textOf(tree: SyntaxTree, node: SyntaxNode): string {
  return tree.text.slice(node.start, node.end);
}

/** The child in that role, or undefined. */
export function fieldOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

/** The nodes around a node, nearest first. */
export function ancestorsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) found.push(at);
  return found;
}

/** All nodes inside a node and itself, each before its children. */
export function descendantsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    found.push(at);
    for (let i = at.children.length - 1; i >= 0; i--) {
      const child = at.children[i];
      if (child !== undefined) open.push(child);
    }
  }
  return found;
}

/** Whether the interpreter never sees the node. */
export function isComment(node: SyntaxNode): boolean {
  return node.type === 'comment' || node.type === 'html_comment';
}

/** Says on which line an offset lies, counted from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  let at = 0;
  for (const line of splitLines(text)) {
    at += line.text.length + line.end.length;
    if (line.end !== '') starts.push(at);
  }
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
