/** One part of a shell's line: a word as it is written, an operator, or the room between. */
interface Token {
  readonly text: string;
  readonly kind: 'word' | 'operator' | 'room';
}

/** A line of sh in its parts; undefined where it needs more than words and operators to be understood. */
export function tokensOf(line: string): readonly Token[] | undefined {
  if (/[`\n]|\$[({]|<</.test(line)) return undefined;
  const pattern = /(\s+)|(&&|\|\||[;&|()]|\d?>>?&?\d?|<)|((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\;&|<>()])+)/g;
  const tokens = [...line.matchAll(pattern)].map(([text, room, operator]): Token => ({ text, kind: room !== undefined ? 'room' : operator !== undefined ? 'operator' : 'word' }));
  return tokens.map(({ text }) => text).join('') === line ? tokens : undefined;
}

/** `NAME=value` before a command. */
export function isAssignment(word: string): boolean {
  return /^\w+=/.test(word);
}

/** Whether the word after this operator is a program. */
export function startsCommand(operator: string): boolean {
  return !/[<>]/.test(operator);
}
