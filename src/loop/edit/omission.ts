import { quoted, type Refusal } from './refusal.ts';

/** Comments that stand for code which was left out: "... rest of the code ...". A real `...` of a language is none. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** What is not repeated. */
const OLD = set('rest remainder remaining existing previous original other others unchanged unmodified more etc');
const CODE = set('code file class classes function functions method methods module implementation script program component components logic body');
/** Parts that a comment also speaks of when nothing is left out. */
const PARTS = set('import imports line lines content contents definition definitions section sections test tests case cases field fields property properties'
  + ' declaration declarations statement statements rule rules style styles config configuration option options item items entry entries handler handlers'
  + ' route routes part parts block blocks variable variables constant constants helper helpers setup loop document text template markup stuff things everything');
const UNTOUCHED = set('unchanged unmodified untouched omitted elided snipped truncated');
/** "The same", "as before", "here": with an old thing they say that it stays. */
const STAYS = set('same identical before here is as-is remain remains stay stays');
const FILLERS = set('the a an of in for to and all your my this that its our it was as is are be can should keep kept left leave with plus here goes go'
  + ' remain remains stay stays follows follow continues continue same identical before above below brevity clarity add insert include see');

const MAX_CHARS = 160;
const WHOLE_COMMENT = /^(?:#+|\/\/[/!]*|\/\*+|\{\/\*+|\*+(?!\/)|<!--|--(?:\[\[)?|;+|%+|\(\*|\{-)(.*?)(?:\*+\/\}?|-->|\*\)|-\}|\]\])?$/;
/** A comment after code. What holds a quote may be a string that holds a comment. */
const COMMENT_AFTER_CODE = /[\s{(,;](?:#+|\/\/+|\/\*+|<!--)([^"'`#/*]+)(?:\*+\/|-->)?[\s})\];,]*$/;
/** Code that does nothing by itself. */
const STUB = /(?:\.{3}|…|\bpass|\{)\s*$/;
/** An ellipsis and prose; one that touches a word is a spread, unless another one ends the line. */
const BARE = /^[[({<]?(?:(?:\.{3,}|…)\s[\p{L}\d\s'’(),:;.…-]+|(?:\.{3,}|…)[\p{L}\d\s'’,-]+(?:\.{3,}|…))[\])}>]?$/u;
const AT_START = /^(?:\.{3,}|…)/;
const AT_END = /(?:\.{3,}|…)$/;
/** Decoration around the words, brackets and rulers among it. */
const AROUND = /^[\s\-=*_~#>()[\]{}<:]+|[\s\-=*_~#>()[\]{}<:;,]+$/g;

/** The first line of `after` that stands for left-out code and isn't among the lines of `before`. */
export function addedOmission(before: readonly string[], after: readonly string[]): string | undefined {
  const suspects = after.filter(isOmission);
  if (suspects.length === 0) return undefined;
  const allowed = new Map<string, number>();
  for (const line of before) allowed.set(line.trim(), (allowed.get(line.trim()) ?? 0) + 1);
  return suspects.find((line) => {
    const left = allowed.get(line.trim()) ?? 0;
    allowed.set(line.trim(), left - 1);
    return left <= 0;
  });
}

export function omissionRefusal(line: string): Refusal {
  return { code: 'placeholder', reason: `The line ${quoted(line)} is a placeholder for code that was left out. Write every line out.` };
}

/** Whether a line, or a comment at its end, stands for left-out code. */
export function isOmission(line: string): boolean {
  if (line.length > MAX_CHARS * 2) return false;
  const text = line.trim();
  if (text === '' || text.length > MAX_CHARS) return false;
  const whole = WHOLE_COMMENT.exec(text)?.[1];
  if (whole !== undefined) return saysOmission(whole, true);
  const after = COMMENT_AFTER_CODE.exec(text);
  if (after?.[1] !== undefined) return saysOmission(after[1], STUB.test(text.slice(0, after.index + 1)));
  return isBareOmission(text);
}

/** What a comment says. Where it needn't have an ellipsis (`plain`), there may be no other words at all. */
function saysOmission(comment: string, plain: boolean): boolean {
  const { starts, ends, words } = wordsOf(comment);
  if (words.length === 0) return starts;
  if (starts && ends) return true;
  return starts || ends ? beginsAsOmission(words) : plain && isNothingElse(words);
}

/** A line without any comment sign, as "[... rest of the code ...]". `...rest` is code. */
function isBareOmission(text: string): boolean {
  if (!BARE.test(text)) return false;
  const { words } = wordsOf(text);
  return words.length > 0 && beginsAsOmission(words);
}

function wordsOf(text: string): { readonly starts: boolean; readonly ends: boolean; readonly words: readonly string[] } {
  const core = text.replace(AROUND, '');
  const words = core.replace(AT_START, '').replace(AT_END, '').toLowerCase().match(/[\p{L}\d_$](?:[\p{L}\d_$'.-]*[\p{L}\d_$])?/gu) ?? [];
  return { starts: AT_START.test(core), ends: AT_END.test(core), words };
}

/** "rest of the parsing logic", "existing imports and setup", "code unchanged"; not "remaining time is short". */
function beginsAsOmission(words: readonly string[]): boolean {
  const start = words.findIndex((word) => !FILLERS.has(word));
  if (start < 0) return words.includes('same') || words.includes('before');
  const told = words.slice(start);
  const first = told[0] ?? '';
  const nouns = told.slice(0, 5).some((word) => CODE.has(word) || PARTS.has(word));
  if (OLD.has(first)) return nouns || told.every((word) => OLD.has(word) || FILLERS.has(word) || UNTOUCHED.has(word));
  return UNTOUCHED.has(first) || (nouns && told.some((word) => UNTOUCHED.has(word)));
}

/** "the rest of the code", "other methods stay the same", "unchanged"; not "rest of the rows", "other helpers". */
function isNothingElse(words: readonly string[]): boolean {
  const known = (word: string) => OLD.has(word) || CODE.has(word) || PARTS.has(word) || UNTOUCHED.has(word) || FILLERS.has(word);
  // One name may stand before the noun: "rest of the solve function".
  const unknown = words.filter((word, at) => !known(word) && !CODE.has(words[at + 1] ?? ''));
  if (unknown.length > 0) return false;
  const old = words.some((word) => OLD.has(word));
  const code = words.some((word) => CODE.has(word));
  const part = code || words.some((word) => PARTS.has(word));
  if (words.some((word) => UNTOUCHED.has(word))) return old || part || words.length === 1 || words.includes('brevity');
  const rest = words.includes('rest') || words.includes('remainder') || words.includes('existing') || words.includes('remaining');
  return (rest && code) || (old && part && words.some((word) => STAYS.has(word)));
}
