const OPENING = /^<think(?:ing)?>/;
const CLOSING = /<\/think(?:ing)?>/g;
const CLOSING_ALONE = /^<\/think(?:ing)?>$/;
const QUOTES = '"\'`';

/** Whether a line of prose opens a thinking part: alone on its line, or anyhow as the first words of a reply. */
export function opensThinking(line: string, isFirst: boolean): boolean {
  const text = line.trim();
  const tag = OPENING.exec(text)?.[0];
  return tag !== undefined && (isFirst || tag === text);
}

/** Where the text after the last `</think>` of a line starts. A tag in quotes is one that is spoken of. */
export function afterThinking(line: string): number | undefined {
  if (!line.includes('</think')) return undefined;
  let after: number | undefined;
  for (const { 0: tag, index } of line.matchAll(CLOSING)) {
    const end = index + tag.length;
    const spokenOf = QUOTES.includes(line[index - 1] ?? ' ') && QUOTES.includes(line[end] ?? ' ');
    if (!spokenOf) after = end;
  }
  return after;
}

/** Whether a line is nothing but the end of a thinking part. */
export function isThinkingEnd(line: string): boolean {
  return CLOSING_ALONE.test(line.trim());
}
