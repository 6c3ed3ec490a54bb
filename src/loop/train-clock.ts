import { ancestorsOf, fieldOf } from './syntax.ts';
import type { SyntaxNode } from './syntax.ts';
import { KEEPS_MEANING, TRAIN_REASONS } from './train-script.ts';
import type { Script } from './train-script.ts';

const SYNC_CALL = /(?:^|\.)(?:synchronize|effects_barrier|block_until_ready|elapsed_time)$/;
const LIMIT_NAME = /budget|deadline|(?:time|second)s?_limit|max_(?:time|seconds)/i;
const CONSTANT_NAME = /^[A-Z][A-Z0-9_]*$/;
const TIME_FUNCTION = /^(?:time|perf_counter|monotonic|process_time)(?:_ns)?$/;
/** Sums of more parts are no arithmetic of seconds, and would take the stack. */
const DEEPEST_SUM = 100;
const LOOP_OR_SCOPE: ReadonlySet<string> = new Set(['while_statement', 'for_statement', 'function_definition', 'class_definition', 'module']);

/**
 * Marks what reads or writes the clock, the conditions under which it runs, the limits that it is compared with, and the
 * way out of the loop when the time is over. `summaryNames` are the variables that the summary prints as seconds.
 */
export function markClock(script: Script, summaryNames: ReadonlySet<string>): void {
  const { names, tree } = script;
  const clocks = clockNames(script, summaryNames);
  const limits = new Set<string>();
  const isClock = (node: SyntaxNode): boolean => isReading(script, node) || clocks.has(names.keyOf(node) ?? '');
  for (const node of tree.nodes) {
    if (!isClock(node) && !(node.type === 'call' && SYNC_CALL.test(script.callee(node)))) continue;
    script.mark(node, TRAIN_REASONS.clock);
    for (const around of ancestorsOf(node)) {
      if (around.type === 'block') break;
      if (around.type === 'comparison_operator') for (const read of names.readIn(around)) limits.add(read.key);
      if (around.type === 'binary_operator') for (const read of names.readIn(around)) if (LIMIT_NAME.test(read.text)) limits.add(read.key);
      if (around.type === 'if_statement' || around.type === 'elif_clause') markWayOut(script, around);
    }
  }
  for (const write of names.writes) if (clocks.has(write.key)) for (const key of markGuards(script, write.node)) limits.add(key);
  script.markWrites(limits, TRAIN_REASONS.clock);
}

/** Whether a node asks for the time. */
function isReading(script: Script, node: SyntaxNode): boolean {
  if (node.type !== 'call') return false;
  const callee = script.callee(node);
  const [module, name] = callee.split('.');
  if (name === undefined) return TIME_FUNCTION.test(script.names.importedFrom('time', callee) ?? (callee === 'time' ? '' : callee));
  return script.names.isModule('time', module ?? '') ? TIME_FUNCTION.test(name) : /(?:^|\.)(?:now|utcnow|default_timer)$/.test(callee);
}

/** Names that hold seconds: read from the clock, or made of such by adding and taking away. A share of the budget is not one. */
function clockNames(script: Script, summaryNames: ReadonlySet<string>): ReadonlySet<string> {
  const { names } = script;
  const clocks = new Set(names.writes.filter((write) => summaryNames.has(write.key)).map((write) => write.key));
  const holdsSeconds = (node: SyntaxNode, depth = 0): boolean => {
    if (depth > DEEPEST_SUM) return false;
    const inner = (part: SyntaxNode): boolean => holdsSeconds(part, depth + 1);
    if (isReading(script, node) || clocks.has(names.keyOf(node) ?? '')) return true;
    if (node.type === 'parenthesized_expression' || node.type === 'conditional_expression') return node.children.some(inner);
    if (node.type === 'binary_operator') {
      const operator = script.text(fieldOf(node, 'operator') ?? node);
      const sides = [fieldOf(node, 'left'), fieldOf(node, 'right')].filter((side) => side !== undefined);
      if (!sides.some(inner)) return false;
      return operator === '+' || operator === '-' || sides.some((side) => side.type === 'integer' || side.type === 'float');
    }
    if (node.type === 'call' && KEEPS_MEANING.has(script.callee(node))) return fieldOf(node, 'arguments')?.children.some(inner) ?? false;
    return false;
  };
  for (let size = -1; size !== clocks.size;) {
    size = clocks.size;
    for (const write of names.writes) if (write.value !== undefined && holdsSeconds(write.value)) clocks.add(write.key);
  }
  return clocks;
}

/** What leaves the loop when the time is over: without it the comparison says nothing. */
function markWayOut(script: Script, branch: SyntaxNode): void {
  const body = fieldOf(branch, 'consequence');
  for (const statement of body?.children ?? []) {
    const leaves = /^(?:break|return|raise)_statement$/.test(statement.type) || /^(?:sys\.)?exit\(/.test(script.text(statement));
    if (leaves) script.markAll(statement, TRAIN_REASONS.clock);
  }
}

/** The conditions under which the clock is written, up to the loop around it. Gives the constants in them. */
function markGuards(script: Script, target: SyntaxNode): readonly string[] {
  const constants: string[] = [];
  for (const around of ancestorsOf(target)) {
    if (LOOP_OR_SCOPE.has(around.type)) break;
    if (!/^(?:if_statement|elif_clause|else_clause)$/.test(around.type)) continue;
    const condition = fieldOf(around, 'condition');
    if (condition !== undefined && /\b__name__\b/.test(script.text(condition))) continue;
    script.markHead(around, TRAIN_REASONS.clock);
    for (const read of condition === undefined ? [] : script.names.readIn(condition)) if (CONSTANT_NAME.test(read.text)) constants.push(read.key);
  }
  return constants;
}
