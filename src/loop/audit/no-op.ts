import { splitLines } from '../edit/lines.ts';

const WORDS = 'ratchet check: a comment, and nothing else';

/** How a comment of its own line begins and ends, by the ending of a file's name. */
const COMMENTS: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:pyw?|pyi|sh|bash|zsh|rb|pl|pm|r|jl|ya?ml|toml|ex|exs|nim|cmake|mk|tf|conf|cfg|dockerfile|makefile|gd|coffee|awk|tcl|ps1)$/, '# ', ''],
  [/^(?:[cm]?[jt]sx?|c|h|cc|cpp|cxx|hpp|java|kt|kts|go|rs|swift|cs|scala|dart|php|zig|groovy|gradle|proto|jsonc|json5|less|scss|glsl|wgsl|cu|v|sv|sol|d)$/, '// ', ''],
  [/^(?:css)$/, '/* ', ' */'],
  [/^(?:html?|xml|svg|md|markdown|vue|svelte)$/, '<!-- ', ' -->'],
  [/^(?:sql|lua|hs|elm|ada|adb|vhdl?)$/, '-- ', ''],
  [/^(?:tex|erl|m|bib)$/, '% ', ''],
  [/^(?:ini|lisp|clj|cljs|el|scm|asm|s)$/, '; ', ''],
];

/** The text with one comment more, at its end; undefined where files of this kind have no comments that we know. */
export function noOp(text: string, path: string): string | undefined {
  const name = (path.split('/').at(-1) ?? '').toLowerCase();
  const ending = name.includes('.') ? (name.split('.').at(-1) ?? '') : name;
  const [, open, close] = COMMENTS.find(([endings]) => endings.test(ending)) ?? (text.startsWith('#!') ? ['', '# ', ''] : []);
  if (open === undefined || close === undefined) return undefined;
  const lines = splitLines(text);
  const end = lines.find((line) => line.end !== '')?.end ?? '\n';
  const gap = lines.length === 0 || lines.at(-1)?.end !== '' ? '' : end;
  return `${text}${gap}${open}${WORDS}${close}${end}`;
}
