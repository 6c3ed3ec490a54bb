import { lineTexts } from '../edit/lines.ts';
import { seedLiterals, seedPlaces, seedStatement, withSeed } from '../seed-literal.ts';
import { ancestorsOf, fieldOf, isComment } from '../syntax.ts';
import type { SyntaxNode, SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';
import type { Use } from './uses.ts';

const CLOCK = /^(?:time\.(?:time|perf_counter|monotonic|process_time|thread_time)(?:_ns)?|datetime\.datetime\.(?:utc)?now|timeit\.default_timer|Date\.now|performance\.now|perf_hooks\.performance\.now|process\.hrtime(?:\.bigint)?)$/;
const IDLE: ReadonlySet<string> = new Set(['pass_statement', 'empty_statement']);
/** Stands for a seed or a reading of the clock. */
const MASK = '\u{FFFC}';

/** The only code that an edit changed is the value of a seed or a reading of the clock: what came out is another draw, not another program. */
export function seedOnlyChange(sides: EditSides, code: AddedCode): readonly Signal[] {
  const { before, after, beforeTree, afterTree, seed } = sides;
  const parts = beforeTree === undefined || afterTree === undefined ? undefined : { was: split(beforeTree, code.usesBefore, seed), is: split(afterTree, code.usesAfter, seed) };
  const isAlike = parts === undefined ? sameText(before, after, seed)
    : sameLines(parts.was.rest, parts.is.rest) && parts.was.draws.join('\n') !== parts.is.draws.join('\n');
  if (!isAlike) return [];
  const { added } = code;
  const where = added.length === 0 ? 'The edit' : linesNamed(added.map(({ line }) => line));
  return [{ code: 'seed-only-change', reason: `${where} ${added.length > 1 ? 'change' : 'changes'} nothing but a seed or a reading of the clock.` }];
}

/** A file's code without its seeds and clock readings, and these. */
function split(tree: SyntaxTree, uses: readonly Use[], named: string | undefined): { readonly rest: string; readonly draws: readonly string[] } {
  const cuts: { readonly from: number; readonly to: number; readonly mask: string }[] = [];
  const draws: string[] = [];
  const cut = ({ start, end }: Pick<SyntaxNode, 'start' | 'end'>, mask: string, isDraw = true): void => {
    cuts.push({ from: start, to: end, mask });
    if (isDraw) draws.push(tree.text.slice(start, end));
  };
  for (const { from, to } of named === undefined ? [] : seedLiterals(tree.text, tree, named)) cut({ start: from, end: to }, MASK);
  for (const place of seedPlaces(tree)) {
    const statement = seedStatement(tree, place);
    cut(statement ?? place.value, statement === undefined ? MASK : '');
  }
  for (const { how, name, node } of uses) if (how === 'call' && CLOCK.test(name)) cutClock(node, cut);
  // A statement that does nothing, such as in the place of a seed that was taken out.
  for (const node of tree.nodes) if (isComment(node) || IDLE.has(node.type)) cut(node, '', false);
  let rest = '';
  let at = 0;
  for (const { from, to, mask } of cuts.sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (from < at) continue;
    rest += tree.text.slice(at, from) + mask;
    at = to;
  }
  return { rest: rest + tree.text.slice(at), draws };
}

/** A statement that only stores the time goes as a whole; elsewhere the call with what is added to it. */
function cutClock(call: SyntaxNode, cut: (node: SyntaxNode, mask: string) => void): void {
  let sum = call;
  while (sum.parent?.type === 'binary_operator' || sum.parent?.type === 'binary_expression' || sum.parent?.type === 'parenthesized_expression') sum = sum.parent;
  const statement = ancestorsOf(sum).find(({ type }) => type === 'expression_statement' || type === 'lexical_declaration');
  const inner = statement?.children.find(({ named }) => named);
  const isWhole = inner !== undefined && (fieldOf(inner, 'right') === sum || fieldOf(inner, 'value') === sum);
  cut(isWhole && statement !== undefined ? statement : sum, isWhole ? '' : MASK);
}

function sameLines(was: string, is: string): boolean {
  const lines = (text: string): string => lineTexts(text).map((line) => line.trimEnd()).filter((line) => line !== '').join('\n');
  return lines(was) === lines(is);
}

function sameText(before: string, after: string, named: string | undefined): boolean {
  const found = (text: string): string => withSeed(text, seedLiterals(text, undefined), 0);
  const masked = (text: string): string => (named === undefined ? found(text) : withSeed(found(text), seedLiterals(found(text), undefined, named), 0));
  return before !== after && sameLines(masked(before), masked(after));
}
