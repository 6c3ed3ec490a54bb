/**
 * A text without what a terminal would obey: control characters of a model, a program or a shipped file. Line ends and
 * tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
