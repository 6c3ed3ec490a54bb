import { fieldOf, isComment, textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';
import { isText, Statements, type Piece } from './pieces.ts';

const COMPOUND = new Set(['if_statement', 'for_statement', 'while_statement', 'with_statement', 'try_statement', 'match_statement']);
const IMPORTS = new Set(['import_statement', 'import_from_statement', 'future_import_statement']);

/** The parts of a Python file. */
export function pythonPieces(tree: SyntaxTree): readonly Piece[] {
  const found = new Statements();
  for (const node of tree.root.children) {
    if (isComment(node) || IMPORTS.has(node.type) || isText(node)) continue;
    const definition = definitionIn(node);
    const assigned = constantIn(tree, node);
    if (definition !== undefined) found.put(...definitionPieces(tree, node, definition, ''));
    else if (assigned !== undefined) found.put({ kind: 'constant', nodes: [node], ...assigned });
    else found.add(node, COMPOUND.has(node.type));
  }
  found.close();
  return found.pieces;
}

function definitionIn(node: SyntaxNode): SyntaxNode | undefined {
  const definition = node.type === 'decorated_definition' ? fieldOf(node, 'definition') : node;
  return definition?.type === 'function_definition' || definition?.type === 'class_definition' ? definition : undefined;
}

function definitionPieces(tree: SyntaxTree, whole: SyntaxNode, definition: SyntaxNode, owner: string): readonly Piece[] {
  const nameNode = fieldOf(definition, 'name');
  const body = fieldOf(definition, 'body');
  if (nameNode === undefined || body === undefined) return [];
  const name = `${owner}${textOf(tree, nameNode)}`;
  if (definition.type === 'function_definition') return [{ kind: owner === '' ? 'function' : 'method', name, nodes: [whole], body }];
  const methods = body.children.flatMap((child) => {
    const inner = definitionIn(child);
    return inner === undefined ? [] : definitionPieces(tree, child, inner, `${name}.`);
  });
  return [{ kind: 'class', name, nodes: [whole], ...(methods.length === 0 ? { body } : {}) }, ...methods];
}

/** `NAME = value`, with or without a type. */
function constantIn(tree: SyntaxTree, node: SyntaxNode): Pick<Piece, 'name' | 'body'> | undefined {
  const assignment = node.type === 'expression_statement' && node.children.length === 1 ? node.children[0] : undefined;
  const [left, right] = assignment?.type === 'assignment' ? [fieldOf(assignment, 'left'), fieldOf(assignment, 'right')] : [];
  if (left?.type !== 'identifier' || right === undefined || right.type === 'assignment') return undefined;
  return { name: textOf(tree, left), body: right };
}
