import { bindingsOf } from '../python-bindings.ts';
import { ancestorsOf, fieldOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';

/** What names of a file stand for in other modules: `e` is "os._exit" after `from os import _exit as e` or `e = os._exit`. */
export function aliasesOf(tree: SyntaxTree): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const node of tree.nodes) {
    if (tree.language === 'python') pythonAlias(tree, node, aliases);
    else scriptAlias(tree, node, aliases);
  }
  return aliases;
}

type Aliases = Map<string, string>;

function pythonAlias(tree: SyntaxTree, node: SyntaxNode, aliases: Aliases): void {
  for (const { target, value, how } of bindingsOf(node)) {
    const name = textOf(tree, target);
    if (how === 'import') {
      const imported = fieldOf(node, 'module_name');
      const own = target.parent?.type === 'aliased_import' ? fieldOf(target.parent, 'name') : target.parent;
      const full = own === undefined ? name : textOf(tree, own);
      // `import a.b` binds `a`.
      if (imported === undefined) aliases.set(name, target.field === 'alias' ? full : name);
      else aliases.set(name, `${textOf(tree, imported)}.${full}`);
    } else if (value !== undefined && target.type === 'identifier') {
      const stands = chainOf(tree, value, aliases);
      if (stands !== undefined) aliases.set(name, stands);
    }
  }
}

function scriptAlias(tree: SyntaxTree, node: SyntaxNode, aliases: Aliases): void {
  if (node.type === 'import_specifier' || node.type === 'namespace_import' || (node.type === 'identifier' && node.parent?.type === 'import_clause')) {
    const source = ancestorsOf(node).find(({ type }) => type === 'import_statement');
    const module = moduleIn(tree, source === undefined ? undefined : fieldOf(source, 'source'));
    const own = node.type === 'import_specifier' ? fieldOf(node, 'name') : undefined;
    const name = node.type === 'identifier' ? node : fieldOf(node, 'alias') ?? own ?? node.children.find(({ type }) => type === 'identifier');
    if (module !== undefined && name !== undefined) aliases.set(textOf(tree, name), own === undefined ? module : `${module}.${textOf(tree, own)}`);
    return;
  }
  if (node.type !== 'variable_declarator') return;
  const name = fieldOf(node, 'name');
  const value = fieldOf(node, 'value');
  const stands = value === undefined ? undefined : chainOf(tree, value, aliases);
  if (name === undefined || stands === undefined) return;
  if (name.type === 'identifier') aliases.set(textOf(tree, name), stands);
  for (const part of name.type === 'object_pattern' ? name.children : []) {
    const key = part.type === 'pair_pattern' ? fieldOf(part, 'key') : part;
    const own = part.type === 'pair_pattern' ? fieldOf(part, 'value') : part;
    if (key !== undefined && own !== undefined && part.named) aliases.set(textOf(tree, own), `${stands}.${textOf(tree, key)}`);
  }
}

/** The module that a call such as `require('fs/promises')` gives, as "fs.promises". */
export function loadedModule(call: string): string | undefined {
  return /^(?:require|import|(?:importlib\.)?import_module|__import__)\(\s*["'`](?:node:)?([^"'`]+)["'`]\s*\)$/.exec(call)?.[1]?.replaceAll('/', '.');
}

/** Globals whose members are worth following. */
const GLOBAL = /^(?:process|globalThis|global|Math|Date|performance|console|Deno|Bun|exec|eval|open|setattr|print|builtins)$/;

/** No name that matters has more parts. */
export const LONGEST_CHAIN = 40;

/** The full name of `a.b`, `require('m').b` or `import_module("m")`; undefined where its beginning is a variable of the file. */
function chainOf(tree: SyntaxTree, node: SyntaxNode, aliases: Aliases, depth = 0): string | undefined {
  if (depth > LONGEST_CHAIN) return undefined;
  const text = textOf(tree, node);
  if (node.type === 'identifier') return aliases.get(text) ?? (GLOBAL.test(text) ? text : undefined);
  if (node.type === 'attribute' || node.type === 'member_expression') {
    const object = fieldOf(node, 'object');
    const last = fieldOf(node, 'attribute') ?? fieldOf(node, 'property');
    const start = object === undefined ? undefined : chainOf(tree, object, aliases, depth + 1);
    return start === undefined || last === undefined ? undefined : `${start}.${textOf(tree, last)}`;
  }
  if (node.type === 'await_expression' || node.type === 'parenthesized_expression') {
    const inner = node.children.find(({ named }) => named);
    return inner === undefined ? undefined : chainOf(tree, inner, aliases, depth + 1);
  }
  return loadedModule(text);
}

function moduleIn(tree: SyntaxTree, source: SyntaxNode | undefined): string | undefined {
  return source === undefined ? undefined : textOf(tree, source).replace(/^["'`](?:node:)?|["'`]$/g, '').replaceAll('/', '.');
}
