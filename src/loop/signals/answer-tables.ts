import { ancestorsOf, descendantsOf, fieldOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';
import { isLiteral, partsOf } from './literal-values.ts';
import { functionAround, isFunction } from './uses.ts';

/** A literal input, and the literal that a function gives back for it. */
export interface Answer {
  readonly input: SyntaxNode;
  readonly output: SyntaxNode;
  /** The function that answers. */
  readonly of: SyntaxNode;
}

/** Calls that only write an input down. */
const WRITES_DOWN = /^(?:str|repr|tuple|frozenset|hash|int|float|JSON\.stringify|String|Number|json\.dumps)$|\.(?:toString|join|trim|strip)$/;
/** Calls that give back what they get. */
const KEEPS = /^(?:list|tuple|str|int|float|dict|copy|Number|String|structuredClone)$/;
const CALLS: ReadonlySet<string> = new Set(['call', 'call_expression', 'new_expression']);

/**
 * The answers that functions of a file have at hand: a table looked up by the unchanged input whose entry is the result, and
 * branches on the unchanged input that return a literal. A table that takes part in a computation is none, nor is a lookup
 * by something computed, nor a callback.
 */
export function answersIn(tree: SyntaxTree): readonly Answer[] {
  const tables = tablesIn(tree);
  const inputsByFunction = new Map<SyntaxNode, ReadonlySet<string>>();
  return tree.nodes.flatMap((node): readonly Answer[] => {
    const of = functionAround(node);
    if (of === undefined || /^(?:arguments|argument_list)$/.test(of.parent?.type ?? '')) return [];
    const inputs = inputsByFunction.get(of) ?? inputsOf(tree, of);
    inputsByFunction.set(of, inputs);
    const branch = branchAnswer(tree, node, inputs);
    if (branch !== undefined) return [{ ...branch, of }];
    const looked = lookup(tree, node);
    if (looked === undefined || !isInput(tree, looked.by, inputs) || !isResult(tree, node, of)) return [];
    const entries = looked.table.type === 'identifier' || looked.table.type === 'attribute' || looked.table.type === 'member_expression'
      ? tables.get(lastName(tree, looked.table)) ?? [] : entriesOf(tree, looked.table);
    return entries.map((entry) => ({ ...entry, of }));
  });
}

type Entry = Pick<Answer, 'input' | 'output'>;

/** Tables of literals by the name of what holds them. */
function tablesIn(tree: SyntaxTree): ReadonlyMap<string, readonly Entry[]> {
  const tables = new Map<string, Entry[]>();
  const add = (name: SyntaxNode | undefined, entries: readonly Entry[]): void => {
    if (name === undefined || entries.length === 0) return;
    const table = tables.get(lastName(tree, name)) ?? [];
    for (const entry of entries) table.push(entry);
    tables.set(lastName(tree, name), table);
  };
  for (const node of tree.nodes) {
    const left = fieldOf(node, 'left') ?? fieldOf(node, 'name') ?? fieldOf(node, 'property') ?? fieldOf(node, 'pattern');
    const right = fieldOf(node, 'right') ?? fieldOf(node, 'value');
    if (left === undefined || right === undefined || CALLS.has(node.type)) continue;
    // T[10] = 55
    const looked = lookup(tree, left);
    if (looked !== undefined) add(looked.table, isLiteral(looked.by) && isLiteral(right) ? [{ input: looked.by, output: right }] : []);
    else add(left, entriesOf(tree, right));
  }
  return tables;
}

/** What stands in `{10: 55}`, `new Map([[10, 55]])`, `Object.freeze({…})`; of a list, its items by themselves. */
function entriesOf(tree: SyntaxTree, node: SyntaxNode, depth = 0): readonly Entry[] {
  if (depth > 8) return [];
  if (node.type === 'dictionary' || node.type === 'object') {
    return partsOf(node).flatMap((pair) => {
      const input = fieldOf(pair, 'key');
      const output = fieldOf(pair, 'value');
      return input !== undefined && output !== undefined && isKey(input) && isLiteral(output) ? [{ input, output }] : [];
    });
  }
  if (node.type === 'list' || node.type === 'array' || node.type === 'tuple') return partsOf(node).filter((item) => isLiteral(item)).map((item) => ({ input: item, output: item }));
  const [inner, ...others] = CALLS.has(node.type) ? partsOf(fieldOf(node, 'arguments') ?? node) : partsOf(node);
  if (inner === undefined || (CALLS.has(node.type) && others.length > 0)) return [];
  if (CALLS.has(node.type) && /\b(?:Map|dict)$/.test(calleeOf(tree, node)) && /^(?:array|list|tuple)$/.test(inner.type)) {
    return partsOf(inner).flatMap((pair) => {
      const [input, output] = partsOf(pair);
      return input !== undefined && output !== undefined && isLiteral(input) && isLiteral(output) ? [{ input, output }] : [];
    });
  }
  return CALLS.has(node.type) || /^(?:parenthesized|as|satisfies|non_null)_expression$/.test(node.type) ? entriesOf(tree, inner, depth + 1) : [];
}

function isKey(node: SyntaxNode): boolean {
  return node.type === 'property_identifier' || isLiteral(node);
}

/** `table[by]` and `table.get(by)`. */
function lookup(tree: SyntaxTree, node: SyntaxNode): { readonly table: SyntaxNode; readonly by: SyntaxNode } | undefined {
  const table = node.type === 'subscript' ? fieldOf(node, 'value') : node.type === 'subscript_expression' ? fieldOf(node, 'object') : undefined;
  const by = fieldOf(node, 'subscript') ?? fieldOf(node, 'index');
  if (table !== undefined && by !== undefined) return { table: unwrapped(table), by };
  const callee = CALLS.has(node.type) ? fieldOf(node, 'function') : undefined;
  if (callee === undefined || !/\.(?:get|__getitem__)$/.test(textOf(tree, callee))) return undefined;
  const object = fieldOf(callee, 'object');
  const [first] = partsOf(fieldOf(node, 'arguments') ?? node);
  return object === undefined || first === undefined ? undefined : { table: unwrapped(object), by: first };
}

/** `if n == 10: return 55`, `case 10: return 55`, and `n === 10 ? 55 : …` as a result. */
function branchAnswer(tree: SyntaxTree, node: SyntaxNode, inputs: ReadonlySet<string>): Entry | undefined {
  if (node.type === 'switch_case' || node.type === 'case_clause') {
    const around = ancestorsOf(node).find(({ type }) => type === 'switch_statement' || type === 'match_statement');
    const subject = around === undefined ? undefined : fieldOf(around, 'subject') ?? fieldOf(around, 'value');
    const pattern = node.type === 'switch_case' ? fieldOf(node, 'value') : node.children.find(({ type }) => type === 'case_pattern')?.children[0];
    const output = returned(fieldOf(node, 'consequence') ?? fieldOf(node, 'body'));
    return subject !== undefined && isInput(tree, unwrapped(subject), inputs) && pattern !== undefined && isLiteral(pattern) && output !== undefined ? { input: pattern, output } : undefined;
  }
  const isIf = node.type === 'if_statement' || node.type === 'elif_clause';
  if (!isIf && node.type !== 'ternary_expression' && node.type !== 'conditional_expression') return undefined;
  // In Python: value `if` condition `else` other, without roles.
  const parts = partsOf(node);
  const condition = node.type === 'conditional_expression' ? parts[1] : fieldOf(node, 'condition');
  const chosen = node.type === 'conditional_expression' ? parts[0] : fieldOf(node, 'consequence');
  const input = condition === undefined ? undefined : comparedWith(tree, unwrapped(condition), inputs);
  const of = functionAround(node);
  const output = isIf ? returned(chosen) : chosen !== undefined && isLiteral(chosen) && of !== undefined && isResult(tree, node, of) ? chosen : undefined;
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** The literal that an input is compared with. */
function comparedWith(tree: SyntaxTree, condition: SyntaxNode, inputs: ReadonlySet<string>): SyntaxNode | undefined {
  if (condition.type !== 'comparison_operator' && condition.type !== 'binary_expression') return undefined;
  const [left, right] = partsOf(condition);
  const operator = left === undefined || right === undefined ? '' : tree.text.slice(left.end, right.start).trim();
  if (left === undefined || right === undefined || !/^(?:===?|is)$/.test(operator)) return undefined;
  if (isInput(tree, left, inputs) && isLiteral(right)) return right;
  return isInput(tree, right, inputs) && isLiteral(left) ? left : undefined;
}

/** The literal that a statement or the block's only statement returns. */
function returned(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined) return undefined;
  const [only] = partsOf(node);
  if (node.type === 'return_statement') return only !== undefined && isLiteral(only) ? only : undefined;
  return only !== undefined && /block$/.test(node.type) ? returned(only) : undefined;
}

/** Names of a function's parameters, and of those around it that are its own. */
function inputsOf(tree: SyntaxTree, of: SyntaxNode): ReadonlySet<string> {
  const parameters = fieldOf(of, 'parameters') ?? fieldOf(of, 'parameter');
  const names = parameters === undefined ? [] : descendantsOf(parameters).filter(({ type, field }) => (type === 'identifier' && field !== 'value' && field !== 'right' && field !== 'type') || type === 'shorthand_property_identifier_pattern');
  return new Set(names.map((node) => textOf(tree, node)).filter((name) => name !== 'self' && name !== 'cls'));
}

/** Whether a node is an input as it came, or one that was only written down as text or tuple. */
function isInput(tree: SyntaxTree, node: SyntaxNode, inputs: ReadonlySet<string>, depth = 0): boolean {
  if (depth > 8) return false;
  if (node.type === 'identifier') return inputs.has(textOf(tree, node));
  if (node.type === 'parenthesized_expression' || node.type === 'tuple' || node.type === 'template_string' || node.type === 'array') {
    const names = descendantsOf(node).filter(({ type }) => type === 'identifier');
    return names.length > 0 && !descendantsOf(node).some(({ type }) => CALLS.has(type) || /binary/.test(type)) && names.every((name) => inputs.has(textOf(tree, name)));
  }
  if (!CALLS.has(node.type) || !WRITES_DOWN.test(calleeOf(tree, node))) return false;
  const object = fieldOf(fieldOf(node, 'function') ?? node, 'object');
  const inner = [...partsOf(fieldOf(node, 'arguments') ?? node), ...(object === undefined || object.type !== 'identifier' ? [] : [object])];
  return inner.some((part) => isInput(tree, part, inputs, depth + 1)) && inner.every((part) => isInput(tree, part, inputs, depth + 1) || isLiteral(part) || textOf(tree, part) === 'JSON' || textOf(tree, part) === 'json');
}

/** Whether the value of a node is what the function gives back, at least in one case. */
function isResult(tree: SyntaxTree, node: SyntaxNode, of: SyntaxNode): boolean {
  let at = node;
  for (let { parent } = at; parent !== undefined; { parent } = at) {
    if (parent.type === 'return_statement' || (isFunction(parent) && at.field === 'body')) return true;
    const isKept = /^(?:parenthesized|await|as|non_null|satisfies)_expression$/.test(parent.type)
      || (/^(?:binary_expression|boolean_operator)$/.test(parent.type) && /^(?:\?\?|\|\||or)$/.test(textOf(tree, fieldOf(parent, 'operator') ?? parent)))
      || (/^(?:ternary|conditional)_expression$/.test(parent.type) && at.field !== 'condition' && partsOf(parent)[1] !== at)
      || (parent.type === 'ternary_expression' && at.field === 'consequence')
      || (/^(?:arguments|argument_list)$/.test(parent.type) && partsOf(parent).length === 1 && parent.parent !== undefined && KEEPS.test(calleeOf(tree, parent.parent)))
      || (CALLS.has(parent.type) && at.field === 'arguments');
    if (isKept) {
      at = parent;
      continue;
    }
    const name = /^(?:assignment|variable_declarator|named_expression|assignment_expression)$/.test(parent.type) && (at.field === 'value' || at.field === 'right') ? fieldOf(parent, 'name') ?? fieldOf(parent, 'left') : undefined;
    return name?.type === 'identifier' && returnsName(tree, of, textOf(tree, name));
  }
  return false;
}

function returnsName(tree: SyntaxTree, of: SyntaxNode, name: string): boolean {
  return descendantsOf(of).some((node) => node.type === 'return_statement' && partsOf(node).some((part) => part.type === 'identifier' && textOf(tree, part) === name));
}

function unwrapped(node: SyntaxNode): SyntaxNode {
  let at = node;
  for (let [only] = partsOf(at); only !== undefined && /^(?:parenthesized|as|satisfies|non_null)_expression$/.test(at.type); [only] = partsOf(at)) at = only;
  return at;
}

function calleeOf(tree: SyntaxTree, call: SyntaxNode): string {
  const callee = fieldOf(call, call.type === 'new_expression' ? 'constructor' : 'function');
  return callee === undefined ? '' : textOf(tree, callee);
}

/** "T" of `T`, `self.T` and `Solver.T`. */
function lastName(tree: SyntaxTree, node: SyntaxNode): string {
  return textOf(tree, node).replace(/^.*\./s, '');
}
