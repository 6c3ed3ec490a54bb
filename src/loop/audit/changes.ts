import { isText } from '../regions/pieces.ts';
import type { Part } from '../regions/parts.ts';
import { fieldOf, lineFinder, textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import type { Change } from './mutant.ts';
import { changedLiteral } from './literals.ts';

/** Code that is read before it runs, or never: a change there breaks the file, or nothing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'import_statement', 'import_from_statement', 'future_import_statement', 'decorator', 'type', 'type_annotation', 'type_arguments', 'type_parameters',
  'type_alias_declaration', 'interface_declaration', 'ambient_declaration', 'literal_type', 'as_expression_type', 'type_predicate_annotation', 'lookup_type',
  'extends_type_clause', 'implements_clause', 'function_signature', 'abstract_method_signature', 'method_signature', 'export_clause', 'import_attribute',
]);

const OPPOSITE: Readonly<Record<string, string>> = {
  '<': '>=', '>': '<=', '<=': '>', '>=': '<', '==': '!=', '!=': '==', '===': '!==', '!==': '===',
  '+': '-', '-': '+', '*': '+', '/': '-', '//': '-', '%': '+', '**': '*', '&&': '||', '||': '&&',
};
/** Words that are operators in Python; another language's `in` has no opposite. */
const OPPOSITE_WORD: Readonly<Record<string, string>> = { in: 'not in', is: 'is not', and: 'or', or: 'and' };
const BINARY: ReadonlySet<string> = new Set(['binary_expression', 'binary_operator', 'boolean_operator', 'comparison_operator']);

/** Branches inverted, operators swapped and constants changed, each with the innermost part that it lies in. */
export function changesIn(tree: SyntaxTree, parts: readonly Part[]): ReadonlyMap<Part, readonly Change[]> {
  const lineAt = lineFinder(tree.text);
  const partAt = new Map(parts.flatMap((part) => part.nodes.map((node) => [node, part] as const)));
  const owners = new Map<SyntaxNode, Part>();
  const leftOut = new Set<SyntaxNode>();
  const found = new Map<Part, Change[]>();
  for (const node of tree.nodes) {
    const owner = partAt.get(node) ?? (node.parent === undefined ? undefined : owners.get(node.parent));
    if (owner !== undefined) owners.set(node, owner);
    if (LEFT_OUT.has(node.type) || isText(node) || node.field === 'source' || (node.parent !== undefined && leftOut.has(node.parent))) {
      leftOut.add(node);
      continue;
    }
    if (owner === undefined) continue;
    const changes = [...inverted(tree, node), ...swapped(tree, node), ...changedLiteral(tree, node)];
    if (changes.length === 0) continue;
    const list = found.get(owner) ?? [];
    found.set(owner, list);
    for (const change of changes) list.push({ ...change, what: `${change.what} in line ${lineAt(change.start)}` });
  }
  return found;
}

function inverted(tree: SyntaxTree, node: SyntaxNode): readonly Change[] {
  const condition = conditionOf(tree, node);
  if (condition === undefined) return [];
  const text = textOf(tree, condition);
  const by = tree.language === 'python' ? ` not (${text})` : node.type === 'if_statement' ? `(!${text})` : `!(${text})`;
  return [{ kind: 'branch', what: 'a branch inverted', start: condition.start, end: condition.end, by }];
}

/** What decides a branch. A loop's condition is left alone: it would never end. */
function conditionOf(tree: SyntaxTree, node: SyntaxNode): SyntaxNode | undefined {
  switch (node.type) {
    case 'if_statement':
    case 'elif_clause':
    case 'ternary_expression': {
      const condition = fieldOf(node, 'condition');
      return condition === undefined || textOf(tree, condition).includes('__name__') ? undefined : condition;
    }
    case 'conditional_expression':
      return node.children.filter(({ named, type }) => named && type !== 'comment')[1];
    default:
      return undefined;
  }
}

function swapped(tree: SyntaxTree, node: SyntaxNode): readonly Change[] {
  if (!BINARY.has(node.type)) return [];
  const operator = node.children.find(({ named, field }) => !named && (field === 'operator' || field === 'operators'));
  const written = operator === undefined ? '' : textOf(tree, operator);
  const known = tree.language === 'python' ? { ...OPPOSITE, ...OPPOSITE_WORD } : OPPOSITE;
  const by = Object.hasOwn(known, written) ? known[written] : undefined;
  return operator === undefined || by === undefined ? [] : [{ kind: 'operator', what: `\`${written}\` made \`${by}\``, start: operator.start, end: operator.end, by: ` ${by} ` }];
}
