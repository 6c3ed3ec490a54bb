/** Words that announce a list of alternatives in a comment. */
const ANNOUNCED = /\b(?:one of|options?|choices?|alternatives?|either|allowed|can be)\b\s*:?\s*(.*)$/i;

/**
 * The alternatives that a comment lists for a literal, as they would be written in its place, its own among them; empty
 * where it lists none. "one of: relu, gelu" and "relu | gelu" are lists, if the literal's own value is in them.
 */
export function alternativesIn(comment: string, literal: string): readonly string[] {
  const plain = comment.replace(/^\s*(?:#+|\/\/+|\/\*+|--+)\s*/, '').replace(/\s*\*\/\s*$/, '');
  const announced = ANNOUNCED.exec(plain)?.[1];
  const listed = announced ?? (plain.includes('|') ? plain : '');
  const quote = /^["']/.exec(literal)?.[0] ?? '';
  const own = quote === '' ? literal : literal.slice(1, -1);
  const options = listed.split(/\s*(?:,\s*or\b|,|\||\s\/\s|\bor\b)\s*/)
    .map((option) => option.trim().replace(/^["'`](.*)["'`]$/, '$1').replace(/\.$/, ''))
    .filter((option) => option !== '');
  const isList = options.length > 1 && options.includes(own) && options.every((option) => /^[\w.+-]+$/.test(option));
  return isList ? [...new Set(options)].map((option) => `${quote}${option}${quote}`) : [];
}
