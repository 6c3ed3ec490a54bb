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

/**
 * Which variable a name means in a Python file: that of the innermost function that writes it or takes it, else the
 * module's. Attributes go by their text.
 */
export class PythonNames {
  readonly writes: readonly NameWrite[];
  readonly #tree: SyntaxTree;
  /** Names of each function: its parameters and what it writes. */
  readonly #locals = new Map<SyntaxNode, Set<string>>();
  readonly #writesByKey = new Map<string, NameWrite[]>();
  /** Modules by the name that stands for them here. */
  readonly #modules = new Map<string, string>();
  /** "module.name" by the name that stands for it here. */
  readonly #members = new Map<string, string>();
  readonly #functions = new Map<string, SyntaxNode>();

  constructor(tree: SyntaxTree) {
    this.#tree = tree;
    const targets = tree.nodes.flatMap((node) => this.#targetsOf(node));
    this.#collectLocals(targets.map(({ target }) => target));
    this.writes = targets.flatMap(({ target, value }) => {
      const key = this.keyOf(target);
      return key === undefined ? [] : [{ key, text: textOf(tree, target), node: target, value }];
    });
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
    const name = textOf(this.#tree, node);
    const scope = ancestorsOf(node).find((around) => this.#locals.get(around)?.has(name) ?? false);
    return `${scope?.start ?? 'module'}:${name}`;
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
    return callee?.type === 'identifier' ? this.#functions.get(textOf(this.#tree, callee)) : undefined;
  }

  isModule(module: string, name: string): boolean {
    return this.#modules.get(name) === module;
  }

  /** What a name is called in the module that it was imported from. */
  importedFrom(module: string, name: string): string | undefined {
    const member = this.#members.get(name);
    return member?.startsWith(`${module}.`) === true ? member.slice(module.length + 1) : undefined;
  }

  #targetsOf(node: SyntaxNode): readonly { target: SyntaxNode; value: SyntaxNode | undefined }[] {
    const left = node.type === 'named_expression' ? fieldOf(node, 'name') : fieldOf(node, 'left');
    const isWrite = node.type === 'assignment' || node.type === 'augmented_assignment' || node.type === 'named_expression' || node.type === 'for_statement';
    if (!isWrite || left === undefined) return [];
    const value = node.type === 'named_expression' ? fieldOf(node, 'value') : fieldOf(node, 'right');
    if (left.type === 'identifier' || left.type === 'attribute') return [{ target: left, value: node.type === 'for_statement' ? undefined : value }];
    if (left.type !== 'pattern_list' && left.type !== 'tuple_pattern') return [];
    const parts = left.children.filter((child) => child.named);
    const values = value?.children.filter((child) => child.named) ?? [];
    const isPaired = (value?.type === 'expression_list' || value?.type === 'tuple') && values.length === parts.length;
    return parts.filter((part) => part.type === 'identifier' || part.type === 'attribute')
      .map((target) => ({ target, value: isPaired ? values[parts.indexOf(target)] : value }));
  }

  #collectLocals(targets: readonly SyntaxNode[]): void {
    for (const node of this.#tree.nodes) {
      if (node.type !== 'function_definition' && node.type !== 'lambda') continue;
      const parameters = fieldOf(node, 'parameters')?.children ?? [];
      this.#locals.set(node, new Set(parameters.map((parameter) => textOf(this.#tree, fieldOf(parameter, 'name') ?? parameter.children[0] ?? parameter))));
    }
    const outer = new Map<SyntaxNode, Set<string>>();
    for (const node of this.#tree.nodes) {
      if (node.type !== 'global_statement' && node.type !== 'nonlocal_statement') continue;
      const scope = functionAround(node);
      if (scope === undefined) continue;
      const names = outer.get(scope) ?? new Set();
      for (const child of node.children) if (child.type === 'identifier') names.add(textOf(this.#tree, child));
      outer.set(scope, names);
    }
    for (const target of targets) {
      const scope = functionAround(target);
      const name = textOf(this.#tree, target);
      if (scope !== undefined && target.type === 'identifier' && !(outer.get(scope)?.has(name) ?? false)) this.#locals.get(scope)?.add(name);
    }
  }

  #collectDefinition(node: SyntaxNode): void {
    if (node.type === 'function_definition') {
      const name = fieldOf(node, 'name');
      if (name !== undefined) this.#functions.set(textOf(this.#tree, name), node);
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

function functionAround(node: SyntaxNode): SyntaxNode | undefined {
  return ancestorsOf(node).find((around) => around.type === 'function_definition' || around.type === 'lambda');
}

function isOnlyAName(node: SyntaxNode): boolean {
  const { parent, field } = node;
  if (parent === undefined) return false;
  if (parent.type === 'attribute') return field === 'attribute';
  if (parent.type === 'keyword_argument') return field === 'name';
  if (parent.type === 'function_definition' || parent.type === 'class_definition') return field === 'name';
  return parent.type === 'dotted_name';
}
