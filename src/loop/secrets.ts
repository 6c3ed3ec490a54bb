import { FORMATS } from './secrets/formats.ts';
import { maskKeyBlocks } from './secrets/key-blocks.ts';

/** A text without the secrets that are known by their looks, or to be ones. */
export type Mask = (text: string) => string;

/** What stands in a secret's place. Nothing in it needs quoting, in JSON, XML or a shell. */
function placeholder(name: string): string {
  return `[masked: ${name}]`;
}

/** Masks what looks like a key, a token or a password in a text of a program. */
export function maskSecrets(text: string): string {
  let masked = maskKeyBlocks(text, placeholder('private key'));
  for (const { name, pattern, needs = '' } of FORMATS) if (text.includes(needs)) masked = masked.replace(pattern, (...match) => `${beforeOf(match.at(-1))}${placeholder(name)}`);
  return masked;
}

/** The last argument of a replacer is the named groups, where the pattern has some. */
function beforeOf(groups: unknown): string {
  return typeof groups === 'object' && groups !== null && 'before' in groups && typeof groups.before === 'string' ? groups.before : '';
}

/** Shorter values, or words, are found in any text. */
const LEAST_CHARS = 12;
const LEAST_MIXED_CHARS = 8;

/** Masks what looks like a secret, and each of the values, as it is and as it stands in JSON or in an address. */
export function maskOf(values: readonly string[]): Mask {
  const forms = values.filter(isTelling).flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  // The longest first: one may hold another.
  const known = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => maskSecrets(known.reduce((masked, value) => masked.replaceAll(value, placeholder('secret')), text));
}

/** A value that is nothing but the secret: no short word, number, address or path that a text may hold for other reasons. */
function isTelling(value: string): boolean {
  if (value.trim() !== value || /^(?:[~./]|[A-Za-z]:[\\/])|^[\d.,:-]*$/.test(value)) return false;
  return value.length >= LEAST_CHARS || (value.length >= LEAST_MIXED_CHARS && /\d/.test(value) && /[A-Za-z]/.test(value));
}

/** Where bytes were left out. */
const LEFT_OUT = /\[… \d{1,16} bytes left out …\]/g;
/** So much of a word is looked at, and less is no secret. */
const TORN_CHARS = { least: 8, most: 400 };

/** Without the words that were torn at either side of where bytes were left out: half a secret has no looks. */
function withoutTornWords(text: string): string {
  const kept: string[] = [];
  let done = 0;
  for (const { index, 0: { length } } of text.matchAll(LEFT_OUT)) {
    const before = /\S*$/.exec(text.slice(Math.max(done, index - TORN_CHARS.most), index))?.[0].length ?? 0;
    const after = /^\S*/.exec(text.slice(index + length, index + length + TORN_CHARS.most))?.[0].length ?? 0;
    kept.push(text.slice(done, index - (before < TORN_CHARS.least ? 0 : before)), text.slice(index, index + length));
    done = index + length + (after < TORN_CHARS.least ? 0 : after);
  }
  return kept.join('') + text.slice(done);
}

/** The same for what one stream printed, of which the middle may be left out. */
export function maskPrinted(text: string, droppedBytes: number, mask: Mask): string {
  return mask(droppedBytes > 0 ? withoutTornWords(text) : text);
}
