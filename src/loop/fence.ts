/** `text` in a Markdown fence that nothing inside can close: longer than any run of backticks in it. */
export function fenced(text: string, info = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** The end of a long text, from the start of a line where one is near, with a note of what is missing. */
export function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.slice(-maxChars);
  const lineStart = end.indexOf('\n') + 1;
  // One endless line is cut where it must be, but never within a character.
  const kept = lineStart > 0 && lineStart < maxChars / 2 ? end.slice(lineStart) : end.replace(/^[\uDC00-\uDFFF]/, '');
  return `[the first ${text.length - kept.length} characters are left out]\n${kept}`;
}
