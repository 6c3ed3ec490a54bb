import { descendantsOf, fieldOf, textOf } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';
import { argumentsOf } from './uses.ts';

const PRINT = /^(?:print|builtins\.print|sys\.(?:__)?stdout(?:__)?\.write(?:lines)?|os\.write|console\.(?:log|info|debug)|process\.stdout\.write|fs\.writeSync)$/;
/** Printing in languages without a parser. */
const PRINT_TEXT = /\b(?:echo|print\w*|fmt\.Print\w*|puts|put_line|cout|write(?:ln|Line)?|log|say|cat)\b/i;
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * The target prints a line that would be read as its score, where another program is the scorer: `name: …`,
 * `METRIC name=…`, JSON with the metric, or nothing but a number. A line put together from parts that each look like
 * nothing isn't seen here; the count of values in the output is compared after the run.
 */
export function printsScore(sides: EditSides, code: AddedCode): readonly Signal[] {
  if (sides.selfScored) return [];
  const tree = sides.afterTree;
  const name = sides.metric.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const line = new RegExp(`(?:^|\\\\n|\\n)\\s*(?:METRIC\\s+)?${name}\\s*[:=]|["']${name}\\\\?["']\\s*:`);
  const lines = tree === undefined
    ? code.added.filter(({ text }) => PRINT_TEXT.test(text) && new RegExp(`["'\`\\s](?:METRIC\\s+)?${name}\\s*[:=]\\s*\\S`).test(text)).map((each) => each.line)
    : code.usesAfter.filter(({ how, name: callee, node }) => how === 'call' && PRINT.test(callee) && code.isAdded(node) && isScore(tree, node, sides.metric, line)).map(({ node }) => code.lineOf(node));
  return lines.length === 0 ? [] : [{ code: 'prints-score', reason: `${linesNamed(lines)} ${lines.length === 1 ? 'prints' : 'print'} what would be read as a score (\`${sides.metric}\`), which is the scorer's to print.` }];
}

function isScore(tree: SyntaxTree, call: SyntaxNode, metric: string, line: RegExp): boolean {
  const args = argumentsOf(call).filter(({ type }) => type !== 'keyword_argument');
  const text = args[0] === undefined ? '' : textOf(tree, args[0]).replace(/^[a-zA-Z]{0,2}(?:"""|'''|["'`])|(?:"""|'''|["'`])$/g, '');
  if (args.length === 1 && NUMBER.test(text.replace(/(?:\\n)+$/, ''))) return true;
  return args.flatMap(descendantsOf).some((node) => {
    if (node.type === 'string' || node.type === 'template_string') return line.test(textOf(tree, node).replace(/^[a-zA-Z]{0,2}(?:"""|'''|["'`])/, ''));
    const key = node.type === 'pair' ? fieldOf(node, 'key') : undefined;
    return key !== undefined && textOf(tree, key).replace(/^["']|["']$/g, '') === metric;
  });
}
