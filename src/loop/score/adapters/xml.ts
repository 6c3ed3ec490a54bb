/** A tag of an XML text; character data isn't kept. */
export interface Tag {
  readonly name: string;
  readonly form: 'open' | 'close' | 'empty';
  /** The attributes as they are written. */
  readonly attributes: string;
}

/** What is passed over: from here, to there. */
const PASSED_OVER = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>'], ['<!', '>']] as const;

/**
 * All tags of a text, in order, up to where it is cut off. Enough of XML for reports of test runners: no entities of its
 * own, no check of nesting. One pass, whatever the text. (A whole parser would be a dependency for five tags and three attributes.)
 */
export function tagsIn(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const from = at;
    const passed = PASSED_OVER.find(([start]) => text.startsWith(start, from));
    const end = passed === undefined ? endOfTag(text, at + 1) : text.indexOf(passed[1], at + passed[0].length);
    if (end === -1) break;
    if (passed === undefined) tags.push(...tagOf(text.slice(at + 1, end)));
    at = end + (passed === undefined ? 1 : passed[1].length);
  }
  return tags;
}

/** The `>` that ends a tag; one may stand in a quoted value. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === '>') {
      return at;
    }
  }
  return -1;
}

function tagOf(inner: string): readonly Tag[] {
  const match = /^(\/?)([\w:.-]+)/.exec(inner);
  if (match === null) return [];
  const [start, slash, name = ''] = match;
  const rest = inner.slice(start.length);
  const empty = rest.endsWith('/');
  return [{ name, form: slash === '/' ? 'close' : empty ? 'empty' : 'open', attributes: empty ? rest.slice(0, -1) : rest }];
}

/** An attribute's value, decoded. */
export function attribute(tag: Tag, name: string): string | undefined {
  for (const [, key, double, single] of tag.attributes.matchAll(/([\w:.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g))
    if (key === name) return decoded(double ?? single ?? '');
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
