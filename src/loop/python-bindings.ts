import { fieldOf } from './syntax.ts';
import type { SyntaxNode } from './syntax.ts';

/** A place of a Python file that gives a name, an attribute or an item a new meaning. */
export interface Binding {
  /** An identifier, an attribute or a subscript. */
  readonly target: SyntaxNode;
  /** What it gets, where that is one expression. */
  readonly value: SyntaxNode | undefined;
  /** `write` is everything that is none of the others: assignments, loops, `with`, `except`, `match`, `del`. */
  readonly how: 'write' | 'definition' | 'import' | 'parameter';
}

/** What one node binds, its children not counted: each binding belongs to exactly one node. */
export function bindingsOf(node: SyntaxNode): readonly Binding[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
      return assigned(fieldOf(node, 'left'), fieldOf(node, 'right'));
    case 'named_expression':
      return assigned(fieldOf(node, 'name'), fieldOf(node, 'value'));
    case 'for_statement':
    case 'for_in_clause': {
      const left = fieldOf(node, 'left');
      const right = fieldOf(node, 'right');
      // One name takes each of many values; of several names, each takes part in what is looped over.
      return written(left, left?.type === 'identifier' || left?.type === 'attribute' ? undefined : right);
    }
    case 'as_pattern_target':
      return written(node, undefined);
    case 'delete_statement':
      return node.children.filter(({ named }) => named).flatMap((child) => written(child, undefined));
    case 'type_alias_statement':
      return written(fieldOf(node, 'left')?.children[0], undefined);
    case 'function_definition':
    case 'class_definition':
      return bound(fieldOf(node, 'name'), 'definition');
    case 'import_statement':
    case 'import_from_statement':
      return node.children.filter(({ field }) => field === 'name').flatMap((name) => bound(fieldOf(name, 'alias') ?? name.children[0], 'import'));
    case 'parameters':
    case 'lambda_parameters':
      return node.children.filter(({ named }) => named).flatMap((parameter) => bound(parameterName(parameter), 'parameter'));
    default:
      return captured(node);
  }
}

/** Names that a case of a `match` gives to what it meets: a bare name, `*rest`, `**rest`, `… as name`. */
function captured(node: SyntaxNode): readonly Binding[] {
  if (node.type === 'splat_pattern') return written(node.children.find(({ type }) => type === 'identifier'), undefined);
  if (node.type === 'as_pattern' && node.parent?.type === 'case_pattern') return written(node.children.findLast(({ type }) => type === 'identifier'), undefined);
  // A dotted name is a constant that is compared with.
  const isCapture = node.type === 'dotted_name' && node.children.length === 1 && /^(?:case|union|keyword)_pattern$/.test(node.parent?.type ?? '');
  return isCapture ? written(node.children[0], undefined) : [];
}

function bound(target: SyntaxNode | undefined, how: Binding['how']): readonly Binding[] {
  return target?.type === 'identifier' ? [{ target, value: undefined, how }] : [];
}

function parameterName(parameter: SyntaxNode): SyntaxNode | undefined {
  if (parameter.type === 'identifier') return parameter;
  const inner = fieldOf(parameter, 'name') ?? parameter.children.find(({ named }) => named);
  return inner === undefined || inner.type === 'identifier' ? inner : parameterName(inner);
}

/** `a, b = 1, 2` gives each its own; `a, b = pair` gives both a part of it. */
function assigned(left: SyntaxNode | undefined, value: SyntaxNode | undefined): readonly Binding[] {
  if (left === undefined || !isSeveral(left)) return written(left, value);
  const parts = left.children.filter(({ named }) => named);
  const values = value?.children.filter(({ named }) => named) ?? [];
  const isPaired = (value?.type === 'expression_list' || value?.type === 'tuple') && values.length === parts.length
    && !parts.some(({ type }) => type === 'list_splat_pattern');
  return parts.flatMap((part, i) => written(part, isPaired ? values[i] : value));
}

function written(target: SyntaxNode | undefined, value: SyntaxNode | undefined): readonly Binding[] {
  if (target === undefined) return [];
  if (target.type === 'identifier' || target.type === 'attribute' || target.type === 'subscript') return [{ target, value, how: 'write' }];
  return isSeveral(target) ? target.children.filter(({ named }) => named).flatMap((part) => written(part, value)) : [];
}

function isSeveral(target: SyntaxNode): boolean {
  return /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list|list_splat|list_splat_pattern|parenthesized_expression|as_pattern_target)$/.test(target.type);
}
