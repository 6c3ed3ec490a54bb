import { descendantsOf, fieldOf, textOf, type SyntaxNode, type SyntaxTree } from '../syntax.ts';

/** A function that a script can call. */
export interface CallableFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** Its annotation as written, without the colon. */
  readonly type: string | undefined;
  /** Whether a call can leave it out. */
  readonly optional: boolean;
}

/** The functions that other files can call, in the order of the text: exported ones of JavaScript, top-level public ones of Python. */
export function callableFunctions(tree: SyntaxTree): readonly CallableFunction[] {
  const functions = new Map<string, SyntaxNode>();
  for (const node of tree.root.children.flatMap(declarationsIn)) collect(tree, node, functions);
  const isCallable = tree.language === 'python' ? (name: string) => !name.startsWith('_') : isAmong(exportedNames(tree));
  const found = [...functions].filter(([name]) => isCallable(name)).map(([name, node]) => ({ name, parameters: parametersOf(tree, node) }));
  const byDefault = tree.language === 'python' ? undefined : defaultFunction(tree);
  return byDefault === undefined ? found : [...found, { name: 'default', parameters: parametersOf(tree, byDefault) }];
}

/** Names of the functions of a shell script; there is no parser for it. */
export function shellFunctions(text: string): readonly CallableFunction[] {
  return [...text.matchAll(/^[ \t]*(?:function[ \t]+([\w-]+)[ \t]*(?:\(\))?|([A-Za-z]\w*)[ \t]*\(\))[ \t]*[{(\n]/gm)]
    .map(([, word, plain]) => ({ name: word ?? plain ?? '', parameters: [] }));
}

/** A top-level statement, or what it exports or decorates. */
function declarationsIn(node: SyntaxNode): readonly SyntaxNode[] {
  return node.type === 'export_statement' || node.type === 'decorated_definition' ? node.children : [node];
}

const VALUES = new Set(['arrow_function', 'function_expression', 'function']);

function collect(tree: SyntaxTree, node: SyntaxNode, functions: Map<string, SyntaxNode>): void {
  if (node.type === 'function_declaration' || (node.type === 'function_definition' && !textOf(tree, node).startsWith('async'))) {
    const name = fieldOf(node, 'name');
    if (name !== undefined) functions.set(textOf(tree, name), node);
  } else if (node.type === 'lexical_declaration' || node.type === 'variable_declaration') {
    for (const declarator of node.children) {
      const [name, value] = [fieldOf(declarator, 'name'), fieldOf(declarator, 'value')];
      if (name !== undefined && value !== undefined && VALUES.has(value.type)) functions.set(textOf(tree, name), value);
    }
  }
}

/** Names under which a file's own functions are exported; those that are renamed are left out. */
function exportedNames(tree: SyntaxTree): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of tree.root.children) {
    if (node.type === 'export_statement') {
      if (node.children.some(({ type }) => type === 'default')) continue;
      for (const declaration of node.children.flatMap((child) => [child, ...child.children])) {
        const name = fieldOf(declaration, 'name');
        if (name !== undefined && fieldOf(declaration, 'alias') === undefined) names.add(textOf(tree, name));
      }
      for (const specifier of descendantsOf(node)) {
        const name = specifier.type === 'export_specifier' && fieldOf(specifier, 'alias') === undefined ? fieldOf(specifier, 'name') : undefined;
        if (name !== undefined) names.add(textOf(tree, name));
      }
    } else for (const name of commonJsNames(tree, node)) names.add(name);
  }
  return names;
}

/** `exports.slug = slug`, `module.exports = { slug, other }`. */
function commonJsNames(tree: SyntaxTree, statement: SyntaxNode): readonly string[] {
  const assignment = statement.children.find(({ type }) => type === 'assignment_expression');
  const [left, right] = assignment === undefined ? [] : [fieldOf(assignment, 'left'), fieldOf(assignment, 'right')];
  if (left === undefined || right === undefined) return [];
  const single = /^(?:module\.)?exports\.(\w+)$/.exec(textOf(tree, left))?.[1];
  if (single !== undefined) return [single];
  if (textOf(tree, left) !== 'module.exports' || right.type !== 'object') return [];
  return right.children.flatMap((child) => {
    if (child.type === 'shorthand_property_identifier') return [textOf(tree, child)];
    const key = child.type === 'pair' ? fieldOf(child, 'key') : undefined;
    return key === undefined ? [] : [textOf(tree, key)];
  });
}

/** `export default function …`, `export default (a) => …`, `module.exports = function …`. */
function defaultFunction(tree: SyntaxTree): SyntaxNode | undefined {
  for (const node of tree.root.children) {
    if (node.type === 'export_statement' && node.children.some(({ type }) => type === 'default'))
      return node.children.find(({ type }) => VALUES.has(type) || type === 'function_declaration');
    const assignment = node.children.find(({ type }) => type === 'assignment_expression');
    const [left, right] = assignment === undefined ? [] : [fieldOf(assignment, 'left'), fieldOf(assignment, 'right')];
    if (left !== undefined && right !== undefined && textOf(tree, left) === 'module.exports' && VALUES.has(right.type)) return right;
  }
  return undefined;
}

function parametersOf(tree: SyntaxTree, node: SyntaxNode): readonly Parameter[] {
  const single = fieldOf(node, 'parameter');
  if (single !== undefined) return [{ name: textOf(tree, single), type: undefined, optional: false }];
  return (fieldOf(node, 'parameters')?.children ?? []).filter(({ named, type }) => named && type !== 'comment').map((parameter) => {
    const text = textOf(tree, parameter);
    const [, name = text] = /^[\s(]*(\w+)/.exec(text) ?? [];
    const annotation = fieldOf(parameter, 'type');
    const optional = parameter.type === 'optional_parameter' || fieldOf(parameter, 'value') !== undefined || parameter.type === 'assignment_pattern' || /^(?:\.\.\.|\*)/.test(text);
    return { name, type: annotation === undefined ? undefined : textOf(tree, annotation).replace(/^:\s*/, ''), optional };
  });
}

function isAmong(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => names.has(name);
}
