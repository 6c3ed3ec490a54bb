import { isProtected, type ProtectedRange } from '../loop/protect.ts';
import { splitLines } from '../loop/edit/lines.ts';
import { isComment, lineFinder, textOf } from '../loop/syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../loop/syntax.ts';
import { alternativesIn } from './literal-choices.ts';
import { FIXED_NAME, placeOf, reassignedNames } from './literal-places.ts';
import { numberOf } from './literal-values.ts';

/** A value written in the target that can be varied. */
export interface Literal {
  /** What it is called, without blanks, the same whatever its value: "ADAM_BETAS#2", "Config.depth", "train.rate". */
  readonly path: string;
  readonly kind: 'number' | 'switch' | 'choice';
  /** As written. */
  readonly text: string;
  /** Offset in the text. */
  readonly start: number;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** 1: it has a name (constant, default, keyword argument, property). 2: a number within an expression. */
  readonly tier: 1 | 2;
  /** Outside any function. */
  readonly topLevel: boolean;
  /** All alternatives of a switch or a choice as they would be written, its own among them; empty for a number. */
  readonly choices: readonly string[];
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'number']);
const SWITCHES: ReadonlySet<string> = new Set(['true', 'false']);

/**
 * The values that can be varied, in the order of the text. Left out: what is protected, imports, indexes, keys, types,
 * seeds, versions, exit codes, strings, and 0 and 1 within expressions. A string is one where a comment on its line lists
 * alternatives ("one of: relu, gelu"), and such a comment binds a number to its list, too.
 * Without a tree only lines of the form `name = value` and `name: value` count.
 */
export function findLiterals(text: string, tree: SyntaxTree | undefined, protectedRanges: readonly ProtectedRange[]): readonly Literal[] {
  const found = tree === undefined ? literalsOfLines(text) : literalsOfTree(tree);
  return found.filter(({ line, start, text: written }) => !isProtected(protectedRanges, { from: line, to: line }, { start, end: start + written.length }));
}

/** "7 numbers, 2 switches and 1 choice in this file". */
export function describeLiterals(literals: readonly Literal[]): string {
  const count = (kind: Literal['kind'], one: string, many: string): readonly string[] => {
    const number = literals.filter((literal) => literal.kind === kind).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  };
  const parts = [...count('number', 'number', 'numbers'), ...count('switch', 'switch', 'switches'), ...count('choice', 'choice', 'choices')];
  const last = parts.at(-1);
  if (last === undefined) return 'no numbers, switches or choices in this file';
  return `${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ` : ''}${last} in this file`;
}

function literalsOfTree(tree: SyntaxTree): readonly Literal[] {
  const lineAt = lineFinder(tree.text);
  const reassigned = reassignedNames(tree);
  const comments = new Map<number, string>();
  for (const node of tree.nodes) if (isComment(node)) comments.set(lineAt(node.start), textOf(tree, node));
  /** Literals of each line that its comment could mean. */
  const named = new Map<number, number>();
  const used = new Map<string, number>();
  const found: Literal[] = [];
  for (const node of tree.nodes) {
    if (!NUMBERS.has(node.type) && !SWITCHES.has(node.type) && node.type !== 'string') continue;
    if (node.type === 'string' && !comments.has(lineAt(node.end))) continue;
    const place = placeOf(tree, node, reassigned);
    // Counted before anything is left out: a name must not depend on a value.
    const index = (used.get(place.name) ?? 0) + 1;
    if (node.type !== 'string') used.set(place.name, index);
    const line = lineAt(node.start);
    const written = textOf(tree, node);
    const options = alternativesIn(comments.get(line) ?? '', written);
    if (options.length > 0) named.set(line, (named.get(line) ?? 0) + 1);
    if (place.tier === undefined) continue;
    const base = {
      path: node.type === 'string' || index === 1 ? place.name : `${place.name}#${index}`,
      text: written, start: node.start, line, column: columnOf(tree.text, node), tier: place.tier, topLevel: place.topLevel,
    };
    if (options.length > 0) found.push({ ...base, kind: 'choice', choices: options });
    else if (NUMBERS.has(node.type) && numberOf(written) !== undefined) found.push({ ...base, kind: 'number', choices: [] });
    else if (SWITCHES.has(node.type) && place.tier === 1) {
      found.push({ ...base, kind: 'switch', choices: tree.language === 'python' ? ['True', 'False'] : ['true', 'false'] });
    }
  }
  // A list beside two values that are both in it says nothing about either.
  return found.filter((literal) => literal.kind !== 'choice' || named.get(literal.line) === 1);
}

function columnOf(text: string, node: SyntaxNode): number {
  return node.start - text.lastIndexOf('\n', node.start - 1);
}

/** Longer lines are data, not settings. */
const LONGEST_SETTING = 500;
const SETTING = /^(\s*(?:[-+]\s+)?(?:(?:const|let|var|export|static|final|pub|int|float|double|bool|auto)\s+)*["']?([A-Za-z_][\w.-]*)["']?\s*(?::=|[:=])\s*[-+]?)([\w.+-]+|"[^"]*"|'[^']*')\s*[,;]?\s*((?:#|\/\/|--).*)?$/;

/** For files without a parser: settings, one a line. */
function literalsOfLines(text: string): readonly Literal[] {
  const found: Literal[] = [];
  const used = new Map<string, number>();
  let offset = 0;
  for (const [i, { text: line, end }] of splitLines(text).entries()) {
    const [, head = '', name = '', written = '', comment = ''] = (line.length <= LONGEST_SETTING ? SETTING.exec(line) : null) ?? [];
    const start = offset + head.length;
    offset += line.length + end.length;
    if (written === '' || FIXED_NAME.test(name)) continue;
    const index = (used.get(name) ?? 0) + 1;
    used.set(name, index);
    const base = {
      path: index === 1 ? name : `${name}#${index}`,
      text: written, start, line: i + 1, column: head.length + 1, tier: 1 as const, topLevel: true,
    };
    const options = alternativesIn(comment, written);
    if (options.length > 0) found.push({ ...base, kind: 'choice', choices: options });
    else if (numberOf(written) !== undefined) found.push({ ...base, kind: 'number', choices: [] });
    else if (/^(?:true|false)$/i.test(written)) {
      found.push({ ...base, kind: 'switch', choices: /^[a-z]/.test(written) ? ['true', 'false'] : /^[A-Z]+$/.test(written) ? ['TRUE', 'FALSE'] : ['True', 'False'] });
    }
  }
  return found;
}
