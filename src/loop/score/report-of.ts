import type { ReportFormat, ReportRef } from './adapters/report.ts';
import { STDOUT } from './adapters/report.ts';

interface Sign {
  readonly format: ReportFormat;
  /** What must stand in the command: a word for each. */
  readonly words: readonly RegExp[];
}

const program = (names: string): RegExp => new RegExp(String.raw`^(?:.*[/\\])?(?:${names})(?:\.\w+)?$`);
const VITEST = program('vitest');
const ESLINT = program('eslint');
const RUFF = program('ruff');
/** A value of an option that stands in a word of its own. */
const JUNIT = /^--(?:test-)?reporter=junit$|^junit$/;
const JSON_REPORT = /^(?:--json|--reporter=json|json)$/;
const JSON_FORMAT = /^(?:(?:-f|--format|--output-format)=?)?json$/;

/** Options that name a report file, and what must stand in the command too where the option's name alone isn't proof. */
const OPTIONS: readonly (Sign & { readonly option: RegExp })[] = [
  // pytest; gotestsum; ctest; phpunit
  { option: /^(?:--junit-?xml|--junitfile|--output-junit|--log-junit)$/, format: 'junit', words: [] },
  { option: /^--benchmark-json$/, format: 'pytest-benchmark', words: [] },
  { option: /^--output(?:Json|-json)$/, format: 'vitest-bench', words: [VITEST] },
  { option: /^--output(?:File|-file)\.junit$/, format: 'junit', words: [] },
  { option: /^--output(?:File|-file)\.json$/, format: 'jest', words: [VITEST] },
  { option: /^--output(?:File|-file)$/, format: 'junit', words: [JUNIT] },
  { option: /^--output(?:File|-file)$/, format: 'jest', words: [program('jest|vitest'), JSON_REPORT] },
  { option: /^--test-reporter-destination$/, format: 'junit', words: [JUNIT] },
  { option: /^--test-reporter-destination$/, format: 'tap', words: [/^--test-reporter=tap$|^tap$/] },
  // mocha's reporter option; jest-junit takes its file from the environment alone
  { option: /^output$/, format: 'junit', words: [/^(?:--reporter=)?xunit$/] },
  { option: /^JEST_JUNIT_OUTPUT_FILE$/, format: 'junit', words: [/^(?:--reporters=)?jest-junit$/] },
  { option: /^--export-json$/, format: 'hyperfine', words: [program('hyperfine')] },
  { option: /^(?:-o|--output-file)$/, format: 'eslint', words: [ESLINT, JSON_FORMAT] },
  { option: /^(?:-o|--output-file)$/, format: 'ruff', words: [RUFF, JSON_FORMAT] },
];

/** What makes a command print its report. */
const PRINTING: readonly Sign[] = [
  { format: 'jest', words: [program('jest'), /^--json$/] },
  { format: 'jest', words: [VITEST, /^--reporter=json$|^json$/] },
  { format: 'tap', words: [/^--test$/, /^--test-reporter=tap$|^tap$/] },
  { format: 'tap', words: [program('ava'), /^(?:--tap|-t)$/] },
  { format: 'tap', words: [program('tap'), /^(?:--reporter=|-R)tap$/] },
  { format: 'tap', words: [program('tape')] },
  { format: 'eslint', words: [ESLINT, JSON_FORMAT] },
  { format: 'ruff', words: [RUFF, JSON_FORMAT] },
  { format: 'pytest', words: [program(String.raw`pytest|py\.test`)] },
];

/**
 * The report that a command writes to a file or prints, read off its text; undefined where it writes none, or where the
 * text doesn't say which (a variable in the path, a change of folder before it). A guess here would read another file's score.
 */
export function reportOf(command: string): ReportRef | undefined {
  const words = wordsOf(command);
  const stand = (sign: Sign): boolean => sign.words.every((wanted) => words.some((word) => wanted.test(word)));
  const changesFolder = words.findIndex((word) => word === 'cd' || word === 'pushd');
  for (const [index, word] of words.entries()) {
    const cut = word.indexOf('=');
    const name = cut === -1 ? word : word.slice(0, cut);
    const found = OPTIONS.find((option) => option.option.test(name) && stand(option));
    if (found === undefined) continue;
    const file = cut === -1 ? words[index + 1] : word.slice(cut + 1);
    if (file === 'stdout') break;
    const isKnown = file !== undefined && file !== '' && !/^-|[$`%*?]|^stderr$/.test(file) && (changesFolder === -1 || changesFolder > index);
    return isKnown ? { file, format: found.format } : undefined;
  }
  const printing = PRINTING.find(stand);
  return printing === undefined ? undefined : { file: STDOUT, format: printing.format };
}

/** The words of a shell command: quotes taken off, operators (`;`, `&&`, `|`, `>`) as words of their own. */
function wordsOf(command: string): readonly string[] {
  const words: string[] = [];
  const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\["' \\$]|[^\s"';&|<>()])+|[;&|<>()]+/g;
  for (const [text] of command.matchAll(word))
    words.push(text.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(["' \\$])/g, (_whole, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? ''));
  return words;
}
