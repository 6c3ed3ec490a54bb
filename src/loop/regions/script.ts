import { fieldOf, isComment, textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import { isText, Statements, type Piece } from './pieces.ts';

const COMPOUND = new Set([
  'if_statement', 'for_statement', 'for_in_statement', 'while_statement', 'do_statement', 'try_statement', 'switch_statement', 'labeled_statement', 'statement_block',
]);
/** What the interpreter never runs, or what only names other things. */
const SILENT = new Set([
  'import_statement', 'empty_statement', 'hash_bang_line', 'interface_declaration', 'type_alias_declaration', 'ambient_declaration', 'function_signature',
]);
const FUNCTIONS = new Set(['function_declaration', 'generator_function_declaration', 'function_expression', 'generator_function', 'arrow_function', 'method_definition']);
const CLASSES = new Set(['class_declaration', 'abstract_class_declaration', 'class']);

/** The parts of a JavaScript or TypeScript file. */
export function scriptPieces(tree: SyntaxTree): readonly Piece[] {
  const found = new Statements();
  for (const node of tree.root.children) {
    if (isComment(node) || SILENT.has(node.type) || isText(node)) continue;
    const pieces = declared(tree, node);
    if (pieces.length > 0) found.put(...pieces);
    else if (node.type !== 'export_statement') found.add(node, COMPOUND.has(node.type));
  }
  found.close();
  return found.pieces;
}

function declared(tree: SyntaxTree, node: SyntaxNode): readonly Piece[] {
  if (node.type === 'export_statement') {
    const inner = fieldOf(node, 'declaration') ?? fieldOf(node, 'value');
    if (inner === undefined) return [];
    return inner.type.endsWith('_declaration') ? declared(tree, inner) : valuePieces(tree, node, 'default', inner);
  }
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') {
    const declarators = node.children.filter(({ type }) => type === 'variable_declarator');
    return declarators.flatMap((declarator) => {
      const [name, value] = [fieldOf(declarator, 'name'), fieldOf(declarator, 'value')];
      if (name === undefined || value === undefined) return [];
      return valuePieces(tree, declarators.length === 1 ? node : declarator, textOf(tree, name), value);
    });
  }
  if (FUNCTIONS.has(node.type) || CLASSES.has(node.type)) return valuePieces(tree, node, nameOf(tree, node) ?? 'default', node);
  return exportedByAssignment(tree, node);
}

/** `module.exports = …`, `exports.slug = …`. */
function exportedByAssignment(tree: SyntaxTree, node: SyntaxNode): readonly Piece[] {
  const assignment = node.type === 'expression_statement' ? node.children.find(({ type }) => type === 'assignment_expression') : undefined;
  const [left, right] = assignment === undefined ? [] : [fieldOf(assignment, 'left'), fieldOf(assignment, 'right')];
  if (left === undefined || right === undefined) return [];
  const name = textOf(tree, left);
  return /^(?:module\.)?exports\b/.test(name) ? valuePieces(tree, node, name.replace(/^(?:module\.)?exports\./, ''), right) : [];
}

/** A name and what it stands for. Methods of a class or an object are parts of their own. */
function valuePieces(tree: SyntaxTree, whole: SyntaxNode, name: string, value: SyntaxNode): readonly Piece[] {
  const called = functionIn(value);
  if (called !== undefined) {
    const body = fieldOf(called, 'body');
    return body === undefined ? [] : [{ kind: 'function', name, nodes: [whole], body }];
  }
  const members = CLASSES.has(value.type) ? (fieldOf(value, 'body')?.children ?? []) : value.type === 'object' ? value.children : [];
  const methods = members.flatMap((member) => methodPiece(tree, name, member));
  if (CLASSES.has(value.type)) {
    const body = fieldOf(value, 'body');
    return [{ kind: 'class', name, nodes: [whole], ...(methods.length === 0 && body !== undefined ? { body } : {}) }, ...methods];
  }
  return [{ kind: 'constant', name, nodes: [whole], ...(methods.length === 0 ? { body: value } : {}) }, ...methods];
}

function methodPiece(tree: SyntaxTree, owner: string, member: SyntaxNode): readonly Piece[] {
  const value = member.type === 'method_definition' ? member : functionIn(fieldOf(member, 'value'));
  const body = value === undefined ? undefined : fieldOf(value, 'body');
  const name = fieldOf(member, 'name') ?? fieldOf(member, 'key') ?? fieldOf(member, 'property');
  return body === undefined || name === undefined ? [] : [{ kind: 'method', name: `${owner}.${textOf(tree, name)}`, nodes: [member], body }];
}

/** A function, also one that is handed to another that wraps it: `memo(() => …)`. */
function functionIn(value: SyntaxNode | undefined): SyntaxNode | undefined {
  if (value === undefined || FUNCTIONS.has(value.type)) return value;
  const given = value.type === 'call_expression' ? (fieldOf(value, 'arguments')?.children ?? []).filter(({ named }) => named) : [];
  const functions = given.filter(({ type }) => FUNCTIONS.has(type));
  return functions.length === 1 ? functions[0] : undefined;
}

function nameOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const name = fieldOf(node, 'name');
  return name === undefined ? undefined : textOf(tree, name);
}
