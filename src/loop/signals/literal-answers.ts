import { ancestorsOf, fieldOf, textOf } from '../syntax.ts';
import type { SyntaxTree } from '../syntax.ts';
import type { AddedCode } from './added-code.ts';
import { answersIn, type Answer } from './answer-tables.ts';
import { literalText, numberIn } from './literal-values.ts';
import { linesNamed } from './sides.ts';
import type { EditSides, Signal } from './sides.ts';

/** Longer lists stand for a whole domain, as a table of sines does. */
const LONGEST_LIST = 64;
const SHORTEST_LIST = 5;

/**
 * Expected outputs written into the code: an added table or added branches by which a function gives literal results for
 * literal inputs. The input must be taken as it came and the entry be the whole result; there must be two such answers,
 * new both, that look like cases of a test: numbers, lists or whole phrases as inputs. Left alone are base cases (0, 1, 2),
 * names of things (`{200: "OK"}`, irregular plurals, escapes of a character), tables of few different values (days of a month),
 * progressions, tuned values of an old table, and values that the parent had somewhere already.
 *
 * Not seen: inputs that are single words, tables read from a text or built by code, a lookup inside a callback or behind
 * a computed key, ranges instead of equal values, a constant returned for everything, and languages without a parser. A
 * true table of number to number (critical values of a distribution) is shown to a person without need. In a file that
 * measures itself, as a train.py does, such tables are schedules, and not looked for.
 */
export function literalAnswers(sides: EditSides, code: AddedCode): readonly Signal[] {
  const { beforeTree, afterTree, selfScored } = sides;
  if (selfScored || beforeTree === undefined || afterTree === undefined) return [];
  const known = new Set(answersIn(beforeTree).map((answer) => keyOf(beforeTree, answer)));
  const byFunction = new Map<Answer['of'], Answer[]>();
  for (const answer of answersIn(afterTree)) {
    const others = byFunction.get(answer.of);
    if (others === undefined) byFunction.set(answer.of, [answer]);
    else others.push(answer);
  }
  const lines: number[] = [];
  let count = 0;
  for (const answers of byFunction.values()) {
    const added = answers.filter((answer) => (code.isAdded(answer.output) || code.isAdded(answer.of)) && !known.has(keyOf(afterTree, answer)));
    const told = added.filter((answer) => code.isAdded(answer.output)).length >= 2 ? tellingOf(afterTree, added, sides.before) : [];
    if (told.length < 2) continue;
    count += told.length;
    lines.push(...told.map(({ output }) => code.lineOf(output)));
  }
  if (count === 0) return [];
  return [{ code: 'literal-answers', reason: `${linesNamed(lines)} ${new Set(lines).size === 1 ? 'holds' : 'hold'} ${count} results written out for their inputs, where the function would compute them.` }];
}

interface Text { readonly text: string; readonly isString: boolean }

/** The answers that look like a test's cases; none where the others show that they are something else. */
function tellingOf(tree: SyntaxTree, answers: readonly Answer[], before: string): readonly Answer[] {
  const isList = answers.every(({ input, output }) => input === output);
  const texts = answers.map(({ input, output }) => ({ input: literalText(tree, input), output: literalText(tree, output) }));
  if (isList) return isTellingList(texts.map(({ output }) => output)) && !texts.every(({ output }) => hadBefore(before, output)) ? answers : [];
  const telling = answers.filter((_, i) => {
    const pair = texts[i];
    return pair !== undefined && !(isSmall(pair.input) && isSmall(pair.output)) && isCase(pair.input) && !hadBefore(before, pair.output);
  });
  const outputs = texts.map(({ output }) => output);
  const names = outputs.filter(({ text, isString }) => isString && /[a-z]{2}/.test(text)).length;
  if (texts.every(({ input }) => numberIn(input.text) !== undefined) && names * 2 > outputs.length) return [];
  if (!outputs.every(({ text }) => /^(?:true|false)$/i.test(text)) && new Set(outputs.map(({ text }) => text)).size * 2 < outputs.length) return [];
  return telling.length * 2 >= answers.filter((_, i) => !isSmall(texts[i]?.input ?? { text: '', isString: false })).length ? telling : [];
}

/** Whether an input looks like one of a test rather than like the name of a thing. */
function isCase({ text, isString }: Text): boolean {
  if (!isString) return !/^(?:true|false|none|null|undefined)$/i.test(text);
  if (numberIn(text) !== undefined) return true;
  return text.length > 3 && (/[\s,;()[\]{}"']/.test(text) || text.length > 24);
}

/** Base cases of a recursion, and what is nothing. */
function isSmall({ text, isString }: Text): boolean {
  const number = numberIn(text);
  return number === undefined ? text === '' || (!isString && /^(?:true|false|none|null|undefined|\[\s*\]|\{\s*\}|\(\s*)$/i.test(text)) : Math.abs(number) <= 2;
}

/** Whether the parent had the value: a table made of what branches or formulas held is no news. Single digits stand anywhere. */
function hadBefore(before: string, { text, isString }: Text): boolean {
  if (isString ? text.length < 3 : text.length < 2) return false;
  for (let at = before.indexOf(text); at >= 0; at = before.indexOf(text, at + 1)) {
    if (!/[\w.]/.test(before.charAt(at - 1)) && !/\w/.test(before.charAt(at + text.length))) return true;
  }
  return false;
}

/** A short list of numbers, nearly all different, that no step or factor makes. */
function isTellingList(items: readonly Text[]): boolean {
  const numbers = items.map(({ text }) => numberIn(text)).filter((number) => number !== undefined);
  if (numbers.length !== items.length || numbers.length < SHORTEST_LIST || numbers.length > LONGEST_LIST) return false;
  const differences = new Set(numbers.slice(1).map((number, i) => number - (numbers[i] ?? 0)));
  const factors = new Set(numbers.slice(1).map((number, i) => number / (numbers[i] ?? 1)));
  return new Set(numbers).size >= numbers.length * 0.7 && differences.size > 1 && factors.size > 1;
}

/** The function and the input: an old answer with a new value is a tuned constant. */
function keyOf(tree: SyntaxTree, { input, output, of }: Answer): string {
  const named = [of, ...ancestorsOf(of)].map((node) => fieldOf(node, 'name')).find((name) => name !== undefined);
  return `${named === undefined ? '' : textOf(tree, named)} ${input === output ? 'item' : literalText(tree, input).text}`;
}
