import { bindingsOf } from './python-bindings.ts';
import type { Binding } from './python-bindings.ts';
import { ancestorsOf, descendantsOf, fieldOf, textOf } from './syntax.ts';
import type { SyntaxNode, SyntaxTree } from './syntax.ts';

/** A name as it is used at one place. Two uses with the same key mean the same variable. */
export interface NameUse {
  readonly key: string;
  /** As written: "dt", "self.total". */
  readonly text: string;
  readonly node: SyntaxNode;
}

export interface NameWrite extends NameUse {
  /** What is written, where it is one expression. */
  readonly value: SyntaxNode | undefined;
}

/** A binding with the variable that it gives a meaning; no key where the target is an item. */
export interface NameBinding extends Binding {
  readonly key: string | undefined;
}

/**
 * Which variable a name means in a Python file: that of the innermost function, class or comprehension that writes it
 * or takes it, else the module's. Attributes go by their text.
 */
export class PythonNames {
  readonly bindings: readonly NameBinding[];
  /** The bindings that are neither definitions, imports nor parameters, of variables and attributes. */
  readonly writes: readonly NameWrite[];
  readonly #tree: SyntaxTree;
  /** Names of each function, class and comprehension: what is bound in it. */
  readonly #locals = new Map<SyntaxNode, Set<string>>();
  readonly #writesByKey = new Map<string, NameWrite[]>();
  /** Modules by the name that stands for them here. */
  readonly #modules = new Map<string, string>();
  /** "module.name" by the name that stands for it here. */
  readonly #members = new Map<string, string>();
  readonly #functions = new Map<string, SyntaxNode>();

  constructor(tree: SyntaxTree) {
    this.#tree = tree;
    const bindings = tree.nodes.flatMap(bindingsOf);
    this.#collectLocals(bindings);
    this.bindings = bindings.map((binding) => ({ ...binding, key: this.#boundKey(binding.target) }));
    this.writes = this.bindings.flatMap(({ key, target, value, how }) => how === 'write' && key !== undefined ? [{ key, text: textOf(tree, target), node: target, value }] : []);
    for (const write of this.writes) this.#writesByKey.set(write.key, [...this.writesOf(write.key), write]);
    for (const node of tree.nodes) this.#collectDefinition(node);
  }

  writesOf(key: string): readonly NameWrite[] {
    return this.#writesByKey.get(key) ?? [];
  }

  /** Which variable a node is; undefined when it isn't a variable: a keyword, an attribute's own name, a definition's name. */
  keyOf(node: SyntaxNode): string | undefined {
    if (node.type === 'attribute') return `.${textOf(this.#tree, node)}`;
    if (node.type !== 'identifier' || isOnlyAName(node)) return undefined;
    return this.#variableAt(node, textOf(this.#tree, node));
  }

  /** The variable of that name as it would be read at a node. */
  #variableAt(node: SyntaxNode, name: string): string {
    let isInFunction = false;
    for (const around of ancestorsOf(node)) {
      // The body of a function doesn't see the names of the class around it.
      const isVisible = around.type !== 'class_definition' || !isInFunction;
      if (isVisible && (this.#locals.get(around)?.has(name) ?? false)) return `${around.start}:${name}`;
      isInFunction ||= around.type === 'function_definition' || around.type === 'lambda';
    }
    return `module:${name}`;
  }

  #boundKey(target: SyntaxNode): string | undefined {
    if (target.type !== 'identifier') return this.keyOf(target);
    // The name of a function or class belongs to what is around it.
    return this.#variableAt(isDefinitionName(target) ? target.parent ?? target : target, textOf(this.#tree, target));
  }

  /** The variables in a node and below it. */
  readIn(node: SyntaxNode): readonly NameUse[] {
    return descendantsOf(node).flatMap((inner) => {
      const key = this.keyOf(inner);
      return key === undefined ? [] : [{ key, text: textOf(this.#tree, inner), node: inner }];
    });
  }

  /** The function of this file that a call calls by its plain name. */
  functionOf(call: SyntaxNode): SyntaxNode | undefined {
    const callee = fieldOf(call, 'function');
    return callee?.type === 'identifier' ? this.#functions.get(this.keyOf(callee) ?? '') : undefined;
  }

  isModule(module: string, name: string): boolean {
    return this.#modules.get(name) === module;
  }

  /** What a name is called in the module that it was imported from. */
  importedFrom(module: string, name: string): string | undefined {
    const member = this.#members.get(name);
    return member?.startsWith(`${module}.`) === true ? member.slice(module.length + 1) : undefined;
  }

  #collectLocals(bindings: readonly Binding[]): void {
    const outer = new Map<SyntaxNode, Set<string>>();
    for (const node of this.#tree.nodes) {
      if (node.type !== 'global_statement' && node.type !== 'nonlocal_statement') continue;
      const scope = scopeOf(node);
      if (scope === undefined) continue;
      const names = outer.get(scope) ?? new Set();
      for (const child of node.children) if (child.type === 'identifier') names.add(textOf(this.#tree, child));
      outer.set(scope, names);
    }
    for (const { target } of bindings) {
      const scope = scopeOf(target);
      const name = textOf(this.#tree, target);
      if (scope === undefined || target.type !== 'identifier' || (outer.get(scope)?.has(name) ?? false)) continue;
      this.#locals.set(scope, (this.#locals.get(scope) ?? new Set()).add(name));
    }
  }

  #collectDefinition(node: SyntaxNode): void {
    if (node.type === 'function_definition') {
      const name = fieldOf(node, 'name');
      const key = name === undefined ? undefined : this.#boundKey(name);
      if (key !== undefined) this.#functions.set(key, node);
    }
    if (node.type !== 'import_statement' && node.type !== 'import_from_statement') return;
    const module = fieldOf(node, 'module_name');
    for (const child of node.children.filter((candidate) => candidate.field === 'name')) {
      const full = textOf(this.#tree, fieldOf(child, 'name') ?? child);
      const here = textOf(this.#tree, fieldOf(child, 'alias') ?? child);
      if (module === undefined) this.#modules.set(here, full);
      else this.#members.set(here, `${textOf(this.#tree, module)}.${full}`);
    }
  }
}

/** The function, class or comprehension that a name bound here belongs to; undefined for the module. */
function scopeOf(target: SyntaxNode): SyntaxNode | undefined {
  const around = ancestorsOf(isDefinitionName(target) ? target.parent ?? target : target);
  const clause = around.findIndex(({ type }) => type === 'for_in_clause');
  const isLoopName = clause >= 0 && (clause === 0 ? target : around[clause - 1])?.field === 'left';
  return around.find(({ type }) =>
    type === 'function_definition' || type === 'lambda' || type === 'class_definition' || (isLoopName && /_comprehension$|^generator_expression$/.test(type)));
}

function isDefinitionName({ parent, field }: SyntaxNode): boolean {
  return field === 'name' && (parent?.type === 'function_definition' || parent?.type === 'class_definition');
}

function isOnlyAName(node: SyntaxNode): boolean {
  const { parent, field } = node;
  if (parent === undefined) return false;
  if (parent.type === 'attribute') return field === 'attribute';
  if (parent.type === 'keyword_argument') return field === 'name';
  return isDefinitionName(node) || parent.type === 'dotted_name';
}
