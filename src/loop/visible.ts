import { cleanLine } from './one-line.ts';

/**
 * What a screen would obey instead of showing it: control characters, and the marks that turn the direction of a text
 * around, with which code can read other than it runs. Line ends, tabs, and the marks that letters are joined by stay.
 */
const OBEYED = /(?!\r\n|[\t\n])[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text of a model, a program or a file for a screen: each such character as its number. */
export function visible(text: string): string {
  return text.replace(OBEYED, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);
}

const MAX_MESSAGE_CHARS = 2000;

/**
 * A sentence for a notice or a box of the editor, which makes links, of commands too, of `[words](address)`: what it
 * quotes of a file's name, a program or a model stays text.
 */
export function plainMessage(text: string): string {
  return cleanLine(text, MAX_MESSAGE_CHARS).replaceAll(/\](?=\s*\()/g, '] ');
}
