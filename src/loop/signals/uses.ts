import { bindingsOf } from '../python-bindings.ts';
import { ancestorsOf, fieldOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';
import { isBoundName } from './script-bindings.ts';
import { aliasesOf, loadedModule, LONGEST_CHAIN } from './aliases.ts';

/** A place where code calls, reads or writes something, or loads a module, by its full name whatever it is called there. */
export interface Use {
  readonly how: 'call' | 'read' | 'write' | 'import';
  /** "os._exit" for `from os import _exit as bye; bye()`; "pathlib.Path().write_text"; a module's name for an import. */
  readonly name: string;
  readonly node: SyntaxNode;
}

const CALLS: ReadonlySet<string> = new Set(['call', 'call_expression', 'new_expression']);
const MEMBERS: ReadonlySet<string> = new Set(['attribute', 'member_expression']);
const ITEMS: ReadonlySet<string> = new Set(['subscript', 'subscript_expression']);
const FUNCTIONS: ReadonlySet<string> = new Set([
  'function_definition', 'lambda', 'function_declaration', 'function_expression', 'arrow_function', 'method_definition', 'generator_function_declaration', 'generator_function',
]);

/** Names of what a file uses. What a file defines itself gets a `~` before its name, so it's never taken for the built-in of that name. */
export function usesOf(tree: SyntaxTree): readonly Use[] {
  const names = new FullNames(tree);
  return tree.nodes.flatMap((node): readonly Use[] => {
    if (CALLS.has(node.type)) return [{ how: 'call', name: names.callee(node), node }];
    const module = moduleOf(tree, node);
    if (module !== undefined) return [{ how: 'import', name: module, node }];
    if (!MEMBERS.has(node.type) && !ITEMS.has(node.type) && node.type !== 'identifier') return [];
    // Only the whole chain: `a.b` in `a.b.c` is no use of its own.
    const { parent, field } = node;
    if (parent !== undefined && (MEMBERS.has(parent.type) || ITEMS.has(parent.type)) && (field === 'object' || field === 'value' || field === 'attribute' || field === 'property')) return [];
    if (field === 'function' || field === 'constructor') return [];
    return isWritten(node) ? [{ how: 'write', name: names.written(node), node }] : [{ how: 'read', name: names.of(node), node }];
  });
}

/** A node's argument nodes, of a call. */
export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return fieldOf(call, 'arguments')?.children.filter(({ named, type }) => named && type !== 'comment') ?? [];
}

/** The function around a node, where there is one. */
export function functionAround(node: SyntaxNode): SyntaxNode | undefined {
  return ancestorsOf(node).find(({ type }) => FUNCTIONS.has(type));
}

export function isFunction(node: SyntaxNode): boolean {
  return FUNCTIONS.has(node.type);
}

/** Whether a node runs only when the file is the program itself. */
export function isInMainGuard(tree: SyntaxTree, node: SyntaxNode): boolean {
  return ancestorsOf(node).some((around) => {
    const condition = around.type === 'if_statement' ? fieldOf(around, 'condition') : undefined;
    return condition !== undefined && /__name__|require\.main|import\.meta\.(?:main|url|filename)/.test(textOf(tree, condition));
  });
}

class FullNames {
  readonly #tree: SyntaxTree;
  readonly #aliases: ReadonlyMap<string, string>;
  /** Scopes in which a name is the file's own; undefined stands for the whole file. */
  readonly #own = new Map<string, (SyntaxNode | undefined)[]>();

  constructor(tree: SyntaxTree) {
    this.#tree = tree;
    this.#aliases = aliasesOf(tree);
    const bound = tree.language === 'python'
      ? tree.nodes.flatMap((node) => bindingsOf(node).filter(({ how, target }) => how !== 'import' && target.type === 'identifier').map(({ target }) => target))
      : tree.nodes.filter(isBoundName);
    for (const node of bound) {
      const isName = node.field === 'name' && node.parent !== undefined && isFunction(node.parent);
      const scope = functionAround(isName && node.parent !== undefined ? node.parent : node);
      // Names of a class body are reached through the class alone.
      if (ancestorsOf(node).find(({ type }) => type === 'class_definition' || FUNCTIONS.has(type))?.type === 'class_definition') continue;
      const name = textOf(tree, node);
      const scopes = this.#own.get(name) ?? [];
      if (!scopes.includes(scope)) scopes.push(scope);
      this.#own.set(name, scopes);
    }
  }

  of(node: SyntaxNode, depth = 0): string {
    if (depth > LONGEST_CHAIN) return '?';
    if (node.type === 'identifier') return this.#ofIdentifier(node);
    const inner = fieldOf(node, MEMBERS.has(node.type) ? 'object' : node.type === 'subscript' ? 'value' : node.type === 'subscript_expression' ? 'object' : node.type === 'new_expression' ? 'constructor' : 'function');
    if (MEMBERS.has(node.type)) {
      const last = fieldOf(node, 'attribute') ?? fieldOf(node, 'property');
      return `${inner === undefined ? '?' : this.of(inner, depth + 1)}.${last === undefined ? '?' : textOf(this.#tree, last)}`;
    }
    if (ITEMS.has(node.type)) return `${inner === undefined ? '?' : this.of(inner, depth + 1)}[]`;
    if (CALLS.has(node.type)) return loadedModule(textOf(this.#tree, node)) ?? `${inner === undefined ? '?' : this.of(inner, depth + 1)}()`;
    const only = node.type === 'parenthesized_expression' || node.type === 'non_null_expression' || node.type === 'as_expression' ? node.children.find(({ named }) => named) : undefined;
    return only === undefined ? node.children.length === 0 ? textOf(this.#tree, node) : '?' : this.of(only, depth + 1);
  }

  /** What a call calls. */
  callee(call: SyntaxNode): string {
    const callee = fieldOf(call, call.type === 'new_expression' ? 'constructor' : 'function');
    return callee === undefined ? '?' : this.of(callee);
  }

  /** What gets a new value: a plain name is meant itself, not what it stands for. */
  written(target: SyntaxNode): string {
    return target.type === 'identifier' ? this.#byScope(target) : this.of(target);
  }

  #ofIdentifier(node: SyntaxNode): string {
    return this.#aliases.get(textOf(this.#tree, node)) ?? this.#byScope(node);
  }

  #byScope(node: SyntaxNode): string {
    const name = textOf(this.#tree, node);
    const scopes = this.#own.get(name) ?? [];
    const isIn = (scope: SyntaxNode | undefined): boolean => scope === undefined || (scope.start <= node.start && node.end <= scope.end);
    return scopes.some(isIn) ? `~${name}` : name;
  }
}

function isWritten(node: SyntaxNode): boolean {
  const { parent, field } = node;
  if (parent === undefined) return false;
  return (field === 'left' && /assignment/.test(parent.type)) || parent.type === 'delete_statement' || parent.type === 'update_expression'
    || (parent.type === 'unary_expression' && parent.children[0]?.type === 'delete');
}

/** The module that a node loads: `import x`, `from x import`, `import … from 'x'`, `require('x')`, `import('x')`. */
function moduleOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  if (tree.language === 'python') {
    if (node.type === 'import_from_statement') return moduleText(tree, fieldOf(node, 'module_name'));
    return node.parent?.type === 'import_statement' && node.field === 'name' ? moduleText(tree, fieldOf(node, 'name') ?? node) : undefined;
  }
  if (node.type !== 'string') return undefined;
  const call = node.parent?.parent;
  const isLoad = call?.type === 'call_expression' && /^(?:require|import|require\.resolve)$/.test(textOf(tree, fieldOf(call, 'function') ?? call));
  return node.field === 'source' || isLoad ? moduleText(tree, node) : undefined;
}

function moduleText(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  return node === undefined ? undefined : textOf(tree, node).replace(/^["'`]|["'`]$/g, '').replace(/^node:/, '');
}
