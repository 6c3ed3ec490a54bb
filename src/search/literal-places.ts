import { descendantsOf, fieldOf, textOf } from '../loop/syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../loop/syntax.ts';
import { numberOf } from './literal-values.ts';

/** Where a literal stands. */
export interface LiteralPlace {
  /** The names around it, outermost first: "Config.depth". */
  readonly name: string;
  /** As in `Literal`; undefined where it must not be varied. */
  readonly tier: 1 | 2 | undefined;
  readonly topLevel: boolean;
}

/** Nodes in which nothing is varied: names of other files, checks, types, text, labels. */
const CLOSED: ReadonlySet<string> = new Set([
  'import_statement', 'import_from_statement', 'future_import_statement', 'decorator', 'assert_statement', 'raise_statement', 'throw_statement',
  'type', 'type_annotation', 'type_arguments', 'type_parameters', 'literal_type', 'type_alias_declaration', 'type_alias_statement',
  'interface_declaration', 'enum_declaration', 'ambient_declaration', 'string', 'template_string', 'regex', 'case_pattern', 'slice', 'computed_property_name',
]);
/** Roles in which a value is a name for something: an index, a key, a label. */
const CLOSED_ROLES: ReadonlySet<string> = new Set([
  'subscript/subscript', 'subscript_expression/index', 'pair/key', 'switch_case/value',
]);
/** Node types that give a value its name, with the roles of the two. */
const NAMED: Readonly<Record<string, readonly [name: string, value: string]>> = {
  assignment: ['left', 'right'], assignment_expression: ['left', 'right'], variable_declarator: ['name', 'value'], named_expression: ['name', 'value'],
  default_parameter: ['name', 'value'], typed_default_parameter: ['name', 'value'], keyword_argument: ['name', 'value'], pair: ['key', 'value'],
  assignment_pattern: ['left', 'right'], object_assignment_pattern: ['left', 'right'], required_parameter: ['pattern', 'value'],
  optional_parameter: ['pattern', 'value'], public_field_definition: ['name', 'value'], field_definition: ['property', 'value'],
};
const SCOPES: ReadonlySet<string> = new Set([
  'function_definition', 'function_declaration', 'generator_function_declaration', 'method_definition', 'function_expression', 'arrow_function', 'lambda',
]);
const CLASSES: ReadonlySet<string> = new Set(['class_definition', 'class_declaration']);
/** Nodes through which a value is still the value of the name before it. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'parenthesized_expression', 'tuple', 'list', 'array', 'expression_list', 'as_expression', 'satisfies_expression', 'jsx_expression',
]);
const LONGEST_TUPLE = 8;

/** What such a name holds is not a matter of degree. */
export const FIXED_NAME = /seed|(?<!con)version|random_state|(?:^|\.)(?:axis|dim|dims|keepdims?|exist_ok|flush|indent|stacklevel|port|exitCode|exit_code|status|errno|year)$/i;
/** Calls in which no number is worth a try, at any depth: printing, ending, checking, seeding. */
const FIXED_CALL = /^(?:print\w*|exit|quit|sys\.exit|os\._exit|process\.exit|SystemExit|console\.\w+|assert(?:\.\w+)*|expect|(?:self\.)?(?:log|logger|logging)\.\w+|warnings\.warn)$|(?:seed|manual_seed_all|seed_everything|default_rng|RandomState|PRNGKey|random\.Random)$/;
/** Calls whose own arguments are positions or formats. */
const FORMAT_CALL = /(?:^|\.)(?:parseInt|toString|toFixed|toPrecision|padStart|padEnd|charCodeAt|charAt|at|slice|splice|substring|substr|stringify|dumps?|ljust|rjust|zfill|transpose|permute|view|reshape|squeeze|unsqueeze|size|isinstance)$/;
const UNITS: ReadonlySet<string> = new Set(['24', '60', '1000', '1024', '3600', '1e3', '1e6', '1e9']);

/** Follows a literal outwards and says what it is for. `reassigned` comes from `reassignedNames`. */
export function placeOf(tree: SyntaxTree, literal: SyntaxNode, reassigned: ReadonlySet<SyntaxNode>): LiteralPlace {
  const names: string[] = [];
  const text = textOf(tree, literal);
  let isOpen = true;
  let topLevel = true;
  let isDirect = true;
  let isArgument = false;
  let tier: 1 | 2 = 2;
  for (let child = literal, parent = literal.parent; parent !== undefined; child = parent, parent = parent.parent) {
    if (CLOSED.has(parent.type) || CLOSED_ROLES.has(`${parent.type}/${child.field ?? ''}`)) isOpen = false;
    if (isCallOf(tree, parent, FIXED_CALL) || (isDirect && isCallOf(tree, parent, FORMAT_CALL))) isOpen = false;
    if (SCOPES.has(parent.type)) topLevel = false;
    const name = nameFrom(tree, parent, child);
    if (name !== undefined) {
      names.unshift(name);
      if (FIXED_NAME.test(name)) isOpen = false;
    }
    const isNamed = child.field !== undefined && child.field === NAMED[parent.type]?.[1];
    if (isDirect && ((isNamed && !isElement(tree, parent)) || parent.type === 'jsx_attribute')) {
      isArgument = /argument|parameter|pattern|jsx/.test(parent.type);
      if (!reassigned.has(parent)) tier = 1;
      else if (literal.type === 'true' || literal.type === 'false') isOpen = false;
    }
    if (isFixedOperand(tree, parent, child, text)) isOpen = false;
    isDirect &&= isWrapper(tree, parent) || parent.type === 'argument_list' || parent.type === 'arguments';
    if (parent.type === 'call' || parent.type === 'call_expression') isDirect = false;
  }
  const value = numberOf(text);
  if (tier === 2 && (value === 0 || value === 1 || literal.type === 'string')) isOpen = false;
  // Inside a function these two mostly begin a count.
  if (!topLevel && !isArgument && (text === '0' || text === '1')) isOpen = false;
  return { name: names.join('.').replace(/[^\w.$-]+/g, '_') || 'file', tier: isOpen ? tier : undefined, topLevel };
}

/** Assignments of names that get another value elsewhere: what they hold is a state, not a setting. */
export function reassignedNames(tree: SyntaxTree): ReadonlySet<SyntaxNode> {
  const writes = new Map<string, SyntaxNode[]>();
  const outer = new Set<string>();
  for (const node of tree.nodes) {
    if (node.type === 'global_statement' || node.type === 'nonlocal_statement') {
      for (const child of node.children) if (child.type === 'identifier') outer.add(textOf(tree, child));
    }
    for (const target of targetsOf(node)) {
      const name = textOf(tree, target);
      // In JavaScript a function may write the variable of another; in Python it says so first.
      const scope = tree.language === 'python' && target.type === 'identifier' && !outer.has(name) ? scopeOf(node) : '';
      const key = `${scope}:${name}`;
      writes.set(key, [...writes.get(key) ?? [], node]);
    }
  }
  return new Set([...writes.values()].filter((nodes) => nodes.length > 1).flat().filter((node) => node.parent?.children[0]?.type !== 'const'));
}

function targetsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const role = {
    assignment: 'left', augmented_assignment: 'left', named_expression: 'name', for_statement: 'left', for_in_statement: 'left',
    assignment_expression: 'left', augmented_assignment_expression: 'left', variable_declarator: 'name', update_expression: 'argument',
  }[node.type];
  const target = role === undefined ? undefined : fieldOf(node, role);
  if (target === undefined) return [];
  if (/^(?:identifier|attribute|member_expression|subscript|subscript_expression)$/.test(target.type)) return [target];
  return descendantsOf(target).filter((inner) => inner.type === 'identifier' || inner.type === 'shorthand_property_identifier_pattern');
}

function scopeOf(node: SyntaxNode): string {
  let at = node.parent;
  while (at !== undefined && !SCOPES.has(at.type) && !CLASSES.has(at.type)) at = at.parent;
  return `${at?.start ?? 'file'}`;
}

function nameFrom(tree: SyntaxTree, parent: SyntaxNode, child: SyntaxNode): string | undefined {
  const roles = NAMED[parent.type];
  const isAugmented = parent.type === 'augmented_assignment' || parent.type === 'augmented_assignment_expression';
  const named = roles !== undefined && child.field === roles[1] ? fieldOf(parent, roles[0])
    : isAugmented && child.field === 'right' ? fieldOf(parent, 'left')
      : SCOPES.has(parent.type) || CLASSES.has(parent.type) ? fieldOf(parent, 'name')
        : parent.type === 'jsx_attribute' ? parent.children[0] : undefined;
  return named === undefined ? undefined : textOf(tree, named).replace(/["'\s]/g, '').slice(0, 60);
}

function isCallOf(tree: SyntaxTree, node: SyntaxNode, names: RegExp): boolean {
  if (node.type !== 'call' && node.type !== 'call_expression') return false;
  const callee = fieldOf(node, 'function');
  return callee !== undefined && names.test(textOf(tree, callee));
}

/** Whether an assignment fills one place of something bigger: `table[i] = 5` names no setting, `config["rate"] = 5` does. */
function isElement(tree: SyntaxTree, assignment: SyntaxNode): boolean {
  const left = fieldOf(assignment, 'left');
  const index = left === undefined ? undefined : fieldOf(left, 'subscript') ?? fieldOf(left, 'index');
  return index !== undefined && index.type !== 'string' && !/^[A-Z_]+$/.test(textOf(tree, index));
}

/** An operand that says what is computed rather than how much: 60 in 5 * 60, 2 in 2 ** 16, 3 in x == 3. */
function isFixedOperand(tree: SyntaxTree, parent: SyntaxNode, child: SyntaxNode, text: string): boolean {
  if (parent.type === 'comparison_operator') return parent.children.some((operator) => /^[!=]=$/.test(operator.type)) && isNumber(child);
  if (parent.type !== 'binary_operator' && parent.type !== 'binary_expression') return false;
  const operator = parent.children[1]?.type ?? '';
  if (/^(?:[!=]==?|>>>?|<<|[&^|])$/.test(operator)) return true;
  if (operator === '**') return child.field === 'left' && isNumber(child);
  const left = fieldOf(parent, 'left');
  return (operator === '*' || operator === '/') && child.field === 'right' && UNITS.has(text.replaceAll('_', '')) && left !== undefined && isConstant(tree, left);
}

function isWrapper(tree: SyntaxTree, node: SyntaxNode): boolean {
  if (node.type === 'unary_operator' || node.type === 'unary_expression') return /^[-+]$/.test(node.children[0]?.type ?? '');
  if (node.type === 'binary_operator' || node.type === 'binary_expression') return isConstant(tree, node);
  return WRAPPERS.has(node.type) && node.children.filter((child) => child.named).length <= LONGEST_TUPLE;
}

/** Made of numbers alone. */
function isConstant(tree: SyntaxTree, node: SyntaxNode): boolean {
  return /^[-+*/%().\d_eE\s]+$/.test(textOf(tree, node));
}

function isNumber(node: SyntaxNode): boolean {
  return node.type === 'integer' || node.type === 'float' || node.type === 'number';
}
