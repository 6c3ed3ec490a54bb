import type { SyntaxNode } from '../syntax.ts';

const NAMED = /^(?:variable_declarator|function_declaration|generator_function_declaration|function_expression|class_declaration|enum_declaration)$/;
/** Patterns, with the role in them that binds; undefined where every child does. */
const PATTERNS: Readonly<Record<string, string | undefined>> = {
  object_pattern: undefined, array_pattern: undefined, rest_pattern: undefined,
  pair_pattern: 'value', assignment_pattern: 'left', object_assignment_pattern: 'left', required_parameter: 'pattern', optional_parameter: 'pattern',
};

/** Whether a node of a JavaScript or TypeScript file is a name at the place that declares it. Imports are not counted. */
export function isBoundName(node: SyntaxNode): boolean {
  if (node.type !== 'identifier' && node.type !== 'type_identifier' && node.type !== 'shorthand_property_identifier_pattern') return false;
  let at = node;
  for (let { parent } = at; parent !== undefined && parent.type in PATTERNS; { parent } = at) {
    const role = PATTERNS[parent.type];
    if (role !== undefined && at.field !== role) return false;
    at = parent;
  }
  const { parent, field } = at;
  if (parent === undefined) return false;
  return parent.type === 'formal_parameters' || (field === 'parameter' && (parent.type === 'arrow_function' || parent.type === 'catch_clause'))
    || (field === 'name' && NAMED.test(parent.type)) || (field === 'left' && parent.type === 'for_in_statement');
}
