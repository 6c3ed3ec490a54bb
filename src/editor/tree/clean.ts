/** Control characters and line breaks, and the marks that turn the direction of text around: with them a text could pass for another. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** A text of a model or a program as one line of at most `maxChars` characters that says what it seems to say. */
export function cleanLine(text: string, maxChars: number): string {
  const line = text.slice(0, maxChars * 4).replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
