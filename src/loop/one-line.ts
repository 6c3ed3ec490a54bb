/** Control characters and line breaks, and the marks that turn the direction of text around: with them a text could pass for another. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** A text as one line of at most `maxChars` characters, so that nothing in it stands alone on a line. */
export function oneLine(text: string, maxChars: number): string {
  return cut(text.slice(0, maxChars * 4).replace(/\s+/g, ' ').trim(), maxChars);
}

/** A text of a model, a program or a file as one line of at most `maxChars` characters that says on a screen what it seems to say. */
export function cleanLine(text: string, maxChars: number): string {
  return cut(text.slice(0, maxChars * 4).replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim(), maxChars);
}

/** Never within a character. */
function cut(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
