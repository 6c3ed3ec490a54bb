import { splitLines } from './edit/lines.ts';
import { isSeedCall, isSeedCallOfText, isSeedName } from './seed-names.ts';
import { fieldOf, isComment, textOf } from './syntax.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** A value that starts a random stream, as it is written in the target. */
export interface SeedLiteral {
  /** What it belongs to: "SEED", "torch.manual_seed", "random_state". */
  readonly name: string;
  /** Offsets of the digits, or of what stands between the quotes. */
  readonly from: number;
  readonly to: number;
}

/** Where code says which seed it takes, whether as a literal or not. */
export interface SeedPlace {
  readonly name: string;
  readonly value: SyntaxNode;
}

/**
 * The seeds that are written in a target as literals, in the order of the text. Found by the parser: arguments of calls
 * that take a seed, values of names that are called a seed, and values of variables that such a call gets. Files without
 * a parser go by their text. `named`, the option `seed:`, says which one it is: its name, or the text right before it.
 */
export function seedLiterals(text: string, tree: SyntaxTree | undefined, named?: string): readonly SeedLiteral[] {
  const found = named !== undefined ? namedLiterals(text, tree, named)
    : tree === undefined ? literalsOfText(text) : seedPlaces(tree).flatMap(({ name, value }) => literalOf(tree, name, value));
  const byPlace = new Map(found.map((literal) => [literal.from, literal]));
  return [...byPlace.values()].sort((a, b) => a.from - b.from);
}

/** The text with another seed in each of these places. A place that has this number already stays as it is written. */
export function withSeed(text: string, literals: readonly SeedLiteral[], seed: number): string {
  let result = '';
  let at = 0;
  for (const { from, to } of [...literals].sort((a, b) => a.from - b.from)) {
    const written = text.slice(from, to);
    result += text.slice(at, from) + (seedValue(written) === String(seed) ? written : String(seed));
    at = to;
  }
  return result + text.slice(at);
}

/** What a seed is, however it is written: `1_000`, `1000` and `0x3e8` are one. */
export function seedValue(written: string): string {
  const number = Number(written.replaceAll('_', '').replace(/n$/, ''));
  return written === '' || Number.isNaN(number) ? written : String(number);
}

/** The expressions that are used as seeds. */
export function seedPlaces(tree: SyntaxTree): readonly SeedPlace[] {
  const places: SeedPlace[] = [];
  const add = (name: SyntaxNode | undefined, value: SyntaxNode | undefined): void => {
    if (name !== undefined && value !== undefined) places.push({ name: unquoted(textOf(tree, name)), value });
  };
  for (const node of tree.nodes) {
    const pair = pairOf(node);
    if (pair !== undefined && isSeedName(unquoted(textOf(tree, pair.name)))) add(pair.name, pair.value);
    const callee = fieldOf(node, node.type === 'new_expression' ? 'constructor' : 'function');
    if (callee === undefined || !isSeedCall(textOf(tree, callee))) continue;
    const argument = fieldOf(node, 'arguments')?.children.find(({ named, type }) => named && type !== 'comment' && type !== 'keyword_argument');
    add(callee, argument);
    // `random.seed(START)`: what START is.
    const variable = argument?.type === 'identifier' ? textOf(tree, argument) : undefined;
    for (const other of variable === undefined ? [] : tree.nodes) {
      const write = pairOf(other);
      if (write !== undefined && write.name.type === 'identifier' && textOf(tree, write.name) === variable) add(write.name, write.value);
    }
  }
  return places;
}

/** A node that gives a name a value: assignment, declaration, keyword argument, default, property. */
function pairOf(node: SyntaxNode): { readonly name: SyntaxNode; readonly value: SyntaxNode } | undefined {
  const roles = PAIRS[node.type];
  const name = roles === undefined ? undefined : fieldOf(node, roles[0]);
  const value = roles === undefined ? undefined : fieldOf(node, roles[1]);
  return name === undefined || value === undefined ? undefined : { name, value };
}

const PAIRS: Readonly<Record<string, readonly [string, string] | undefined>> = {
  assignment: ['left', 'right'], assignment_expression: ['left', 'right'], assignment_pattern: ['left', 'right'], named_expression: ['name', 'value'],
  variable_declarator: ['name', 'value'], public_field_definition: ['name', 'value'], field_definition: ['property', 'value'],
  keyword_argument: ['name', 'value'], default_parameter: ['name', 'value'], typed_default_parameter: ['name', 'value'], required_parameter: ['pattern', 'value'],
  pair: ['key', 'value'],
};
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'number']);

/** The literal of a seed; in a sum, such as `42 + rank`, the first number. */
function literalOf(tree: SyntaxTree, name: string, value: SyntaxNode): readonly SeedLiteral[] {
  const isSum = value.type === 'binary_operator' || value.type === 'binary_expression';
  const number = NUMBERS.has(value.type) ? value : isSum ? value.children.find(({ type }) => NUMBERS.has(type)) : undefined;
  if (number !== undefined) return /^[\dxXa-fA-F_]+n?$/.test(textOf(tree, number)) ? [{ name, from: number.start, to: number.end }] : [];
  const content = value.type === 'string' ? value.children.find(({ type }) => type === 'string_fragment' || type === 'string_content') : undefined;
  return content === undefined ? [] : [{ name, from: content.start, to: content.end }];
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '');
}

/** The literals that a person means: every number with that name or that text right before it. */
function namedLiterals(text: string, tree: SyntaxTree | undefined, named: string): readonly SeedLiteral[] {
  const found: SeedLiteral[] = [];
  const isFree = (at: number): boolean => !/[\w$]/.test(text.charAt(at));
  const isCode = (at: number): boolean => tree === undefined || !tree.nodes.some((node) => isComment(node) && node.start <= at && at < node.end);
  for (let at = text.indexOf(named); named !== '' && at >= 0; at = text.indexOf(named, at + 1)) {
    if (/^\w/.test(named) && at > 0 && !isFree(at - 1)) continue;
    const rest = text.slice(at + named.length);
    const number = /^(\s*(?::\s*\w+\s*)?[:=({]?\s*["']?)(0x[\da-f_]+n?|\d[\d_]*n?)(?![\w.])/i.exec(rest);
    if (number === null || (/\w$/.test(named) && number[1] === '') || !isCode(at)) continue;
    const from = at + named.length + (number[1] ?? '').length;
    found.push({ name: named, from, to: from + (number[2] ?? '').length });
  }
  return found;
}

const SEED_TEXT = /\b([\w.]*(?:[sS]eed\w*!?|SEED|srand|NewSource|mt19937\w*(?:\s+\w+)?))\s*(?::\s*\w+\s*)?([:=({]+)\s*(\d[\d_]*)(?![\w.])/g;
const COMMENT_LINE = /^\s*(?:#|\/\/|--|;|%)/;

function literalsOfText(text: string): readonly SeedLiteral[] {
  const found: SeedLiteral[] = [];
  let offset = 0;
  for (const { text: line, end } of splitLines(text)) {
    for (const match of COMMENT_LINE.test(line) ? [] : line.matchAll(SEED_TEXT)) {
      const [all, name = '', sign = '', digits = ''] = match;
      if (!(/[:=]/.test(sign) ? isSeedName(name) : isSeedCallOfText(name))) continue;
      const to = offset + match.index + all.length;
      found.push({ name, from: to - digits.length, to });
    }
    offset += line.length + end.length;
  }
  return found;
}

/** The statement around a seed that does nothing but set it: `random.seed(1)`, `SEED = 1`, `rng = Random(SEED)`. */
export function seedStatement(tree: SyntaxTree, { value }: SeedPlace): SyntaxNode | undefined {
  const call = value.parent?.parent;
  const callee = call === undefined ? undefined : fieldOf(call, call.type === 'new_expression' ? 'constructor' : 'function');
  const isArgument = callee !== undefined && isSeedCall(textOf(tree, callee));
  if (isArgument && value.parent?.children.filter(({ named, type }) => named && type !== 'comment').length !== 1) return undefined;
  let at = isArgument && call !== undefined ? call : value;
  while (at.parent !== undefined && /^(?:assignment|assignment_expression|variable_declarator)$/.test(at.parent.type)) at = at.parent;
  const statement = at.parent;
  const isAlone = statement?.type === 'expression_statement' || (/^(?:lexical|variable)_declaration$/.test(statement?.type ?? '') && statement?.children.filter(({ named }) => named).length === 1);
  return isAlone ? statement : undefined;
}
