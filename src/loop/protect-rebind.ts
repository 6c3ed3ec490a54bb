import type { NameBinding } from './python-names.ts';
import { fieldOf } from './syntax.ts';
import type { SyntaxNode } from './syntax.ts';
import { EVALUATION_NAME, TRAIN_REASONS } from './train-script.ts';
import type { Script } from './train-script.ts';

/** Functions that Python has by itself and that measuring lines call. */
const BUILTIN = /^(?:print|min|max|abs|float|int|round|sum|len|str|format|repr|range|zip|enumerate|sorted|list|dict|map|open|isinstance|getattr)$/;
/** Modules whose functions measure, whatever the script calls them. */
const MEASURING_MODULES = ['time', 'builtins'] as const;
/** Attributes through which a module or a function can be changed. */
const INNER_ATTRIBUTE = /^__(?:dict|code|globals|defaults|kwdefaults|closure|wrapped|setattr|delattr)__$/;
const SETTER = /(?:^|\.)(?:setattr|delattr|__setattr__|__delattr__)$|(?:^|\.)patch\.(?:object|dict)$/;
const NAMESPACE = /^(?:globals|locals|vars)\(\)$/;

/**
 * Marks every place that gives another meaning to what measures the script: to names imported from the project, to the
 * functions that the marked lines call, to their modules. In any form that Python has for it: assignment, loop, `with`,
 * `except`, `match`, `del`, definition, import, parameter, and writes of attributes and items of such a thing.
 *
 * `imported` are the names that stand for things of other project files. What no parser can decide (exec, computed names)
 * is left to the signals. A local variable of the same name in a function that measures nothing is another variable.
 */
export function markRebinding(script: Script, imported: ReadonlySet<string>, projectModules: ReadonlySet<string>): void {
  const names = new MeasuringNames(script, imported, projectModules);
  for (const binding of script.names.bindings) if (names.isRebound(binding)) script.mark(binding.target, TRAIN_REASONS.rebinding);
  for (const node of script.tree.nodes) if (names.isReachedInto(node)) script.mark(node, TRAIN_REASONS.rebinding);
}

class MeasuringNames {
  readonly #script: Script;
  readonly #projectModules: ReadonlySet<string>;
  /** Variables that must keep their meaning. */
  readonly #keys = new Set<string>();
  /** Those among them whose attributes must stay as well: modules and functions. */
  readonly #owners = new Set<string>();
  /** Functions of the script itself: their first definition is what they mean. */
  readonly #own = new Set<string>();
  /** Variables that a marked line writes. */
  readonly #written = new Set<string>();
  /** What measuring lines call through a module, as written: "torch.cuda.synchronize". */
  readonly #callees = new Set<string>();

  constructor(script: Script, imported: ReadonlySet<string>, projectModules: ReadonlySet<string>) {
    this.#script = script;
    this.#projectModules = projectModules;
    const { bindings } = script.names;
    const keysBound = (how: NameBinding['how']): ReadonlySet<string> => new Set(bindings.flatMap((binding) => binding.how === how && binding.key !== undefined ? [binding.key] : []));
    const fromImports = keysBound('import');
    const definitions = keysBound('definition');
    const called = new Set(script.tree.nodes.filter(({ type }) => type === 'call').map((call) => script.callee(call)));

    for (const { key, target, how } of bindings) {
      if (key === undefined || how !== 'import') continue;
      const name = script.text(target);
      const isMeasuring = MEASURING_MODULES.some((module) => script.names.isModule(module, name));
      if (!imported.has(name) && !isMeasuring) continue;
      this.#keys.add(key);
      const isModule = isMeasuring || [...projectModules].some((module) => script.names.isModule(module, name));
      if (isModule || called.has(name) || EVALUATION_NAME.test(name)) this.#owners.add(key);
    }
    for (const { key, node } of script.names.writes) if (script.reasonAt(node) !== undefined) this.#written.add(key);
    for (const call of script.tree.nodes) {
      const why = call.type === 'call' ? script.reasonAt(call) : undefined;
      const root = why === undefined || why === TRAIN_REASONS.import ? undefined : rootOf(call);
      const key = root === undefined ? undefined : script.names.keyOf(root);
      if (root === undefined || key === undefined) continue;
      const name = script.text(root);
      const callee = script.callee(call);
      const isImport = imported.has(name) || fromImports.has(`module:${name}`);
      const isPlain = callee === name;
      if (isImport || (isPlain && BUILTIN.test(name))) this.#keys.add(key);
      else if (isPlain && judges(script, call, why) && (definitions.has(key) || EVALUATION_NAME.test(name))) for (const set of [this.#keys, this.#owners, this.#own]) set.add(key);
      if (!isPlain && (isImport || why === TRAIN_REASONS.evaluation)) this.#callees.add(callee);
    }
    this.#followAliases();
  }

  isRebound({ key, target, how }: NameBinding): boolean {
    if (target.type !== 'identifier') return this.#isInside(target);
    if (key === undefined || !(this.#keys.has(key) || (this.#written.has(key) && how !== 'parameter'))) return false;
    if (how === 'import') return !this.#isOwnImport(target);
    return how !== 'definition' || !this.#own.has(key) || this.#script.names.bindings.some((other) => other.key === key && other.how !== 'parameter' && other.target.start < target.start);
  }

  /** Whether a node takes hold of the inside of a module or a function: `f.__code__`, `vars(m)`, `setattr(m, …)`, `sys.modules["m"]`. */
  isReachedInto(node: SyntaxNode): boolean {
    const text = (inner: SyntaxNode | undefined): string => inner === undefined ? '' : this.#script.text(inner);
    if (node.type === 'attribute') return INNER_ATTRIBUTE.test(text(fieldOf(node, 'attribute'))) && this.#isOwner(fieldOf(node, 'object'));
    if (node.type === 'subscript') {
      const name = stringIn(text(fieldOf(node, 'subscript')));
      if (name === undefined) return false;
      const of = text(fieldOf(node, 'value'));
      return (of === 'sys.modules' && this.#isMeasuringModule(name)) || (NAMESPACE.test(of) && this.#keys.has(`module:${name}`));
    }
    if (node.type !== 'call') return false;
    const callee = this.#script.callee(node);
    if (callee !== 'vars' && !SETTER.test(callee)) return false;
    return this.#isOwner(fieldOf(node, 'arguments')?.children.find(({ named }) => named));
  }

  /** `p = prepare` makes `p` the module, too. */
  #followAliases(): void {
    for (let size = -1; size !== this.#owners.size;) {
      size = this.#owners.size;
      for (const { key, value } of this.#script.names.writes) {
        if (value?.type === 'identifier' && this.#owners.has(this.#script.names.keyOf(value) ?? '')) this.#owners.add(key);
      }
    }
  }

  /** Whether an attribute or item belongs to what must stay, or is itself called by a measuring line. */
  #isInside(target: SyntaxNode): boolean {
    if (this.#isOwner(target)) return true;
    const written = this.#script.text(target);
    const root = rootOf(target);
    const isOfImport = root !== undefined && this.#keys.has(this.#script.names.keyOf(root) ?? '');
    return [...this.#callees].some((callee) => callee === written || written.startsWith(`${callee}.`) || (isOfImport && callee.startsWith(`${written}.`)));
  }

  #isOwner(node: SyntaxNode | undefined): boolean {
    if (node === undefined) return false;
    // importlib.import_module("prepare").x, __import__("prepare").x
    const module = /\b(?:import_module|__import__)\(\s*["'](\w+)["']/.exec(this.#script.text(node))?.[1];
    if (module !== undefined && this.#isMeasuringModule(module)) return true;
    const root = rootOf(node);
    return root !== undefined && this.#owners.has(this.#script.names.keyOf(root) ?? '');
  }

  #isMeasuringModule(name: string): boolean {
    return this.#projectModules.has(name) || MEASURING_MODULES.some((module) => module === name);
  }

  /** `import torch`, `from time import …`: nothing but the thing itself can get the name. An import of the project is marked by its own rule. */
  #isOwnImport(target: SyntaxNode): boolean {
    if (this.#script.reasonAt(target) === TRAIN_REASONS.import) return true;
    const name = target.parent?.type === 'aliased_import' ? target.parent : undefined;
    const statement = name?.parent ?? target.parent?.parent;
    if (name === undefined && statement?.type === 'import_statement') return true;
    const module = (statement === undefined ? undefined : fieldOf(statement, 'module_name')) ?? (name === undefined ? undefined : fieldOf(name, 'name'));
    return module !== undefined && MEASURING_MODULES.some((measuring) => measuring === this.#script.text(module));
  }
}

/** Whether a call makes the metric or prints the summary, by the reason for its line; `print(f"val_bpb: {evaluate(model)}")` does both. */
function judges(script: Script, call: SyntaxNode, why: string | undefined): boolean {
  if (why === TRAIN_REASONS.evaluation) return true;
  if (why !== TRAIN_REASONS.summary) return false;
  const definition = script.names.functionOf(call);
  return call.parent?.type === 'expression_statement' || EVALUATION_NAME.test(script.callee(call)) || (definition !== undefined && script.reasonAt(definition) !== undefined);
}

/** The variable at the beginning of `a.b[0].c`, and of `a.b(…)` as what is called. */
function rootOf(node: SyntaxNode): SyntaxNode | undefined {
  for (let at: SyntaxNode | undefined = node; at !== undefined;) {
    if (at.type === 'identifier') return at;
    at = fieldOf(at, at.type === 'attribute' ? 'object' : at.type === 'subscript' ? 'value' : at.type === 'call' ? 'function' : '');
  }
  return undefined;
}

function stringIn(text: string): string | undefined {
  return /^["'](.*)["']$/.exec(text)?.[1];
}
