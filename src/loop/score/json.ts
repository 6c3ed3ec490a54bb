/**
 * Reads JSON as scorers write it: Python's json.dumps prints NaN, Infinity and -Infinity, others print nan and inf.
 * They come back as numbers that aren't finite, so that the reader can refuse them instead of missing them.
 * Undefined where the text isn't JSON.
 */
export function readJson(text: string): { readonly value: unknown } | undefined {
  return parse(text, undefined) ?? parse(text.replace(STRING_OR_TOKEN, marked), unmarked);
}

/** The objects of a JSON array; none where it is something else. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key of the object itself, never one that every object inherits. */
export function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Strings are matched only to be left alone; an unfinished one to the end, so that no text takes more than one pass. */
const STRING_OR_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\b(?:nan|inf(?:inity)?)\b/gi;
const MARK = '\u0000not-finite:';

function marked(match: string): string {
  if (match.startsWith('"')) return match;
  const name = /nan$/i.test(match) ? 'NaN' : match.startsWith('-') ? '-Infinity' : 'Infinity';
  return JSON.stringify(MARK + name);
}

function unmarked(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(MARK) ? Number(value.slice(MARK.length)) : value;
}

function parse(text: string, reviver: ((key: string, value: unknown) => unknown) | undefined): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text, reviver);
    return { value };
  } catch {
    return undefined;
  }
}
