import type { ReportFormat, ReportRef } from './adapters/report.ts';

/** Options that name a report file, and what must stand in the command too where the option's name alone isn't proof. */
const OPTIONS: readonly { readonly option: RegExp; readonly format: ReportFormat; readonly beside?: RegExp }[] = [
  // pytest; gotestsum; ctest; phpunit
  { option: /^(?:--junit-?xml|--junitfile|--output-junit|--log-junit)$/, format: 'junit' },
  { option: /^--output(?:Json|-json)$/, format: 'vitest-bench', beside: /^(?:.*[/\\])?vitest(?:\.\w+)?$/ },
  { option: /^--output(?:File|-file)\.junit$/, format: 'junit' },
  { option: /^--output(?:File|-file)$/, format: 'junit', beside: /^--reporter=junit$|^junit$/ },
  { option: /^--test-reporter-destination$/, format: 'junit', beside: /^--test-reporter=junit$|^junit$/ },
  // mocha's reporter option; jest-junit takes its file from the environment alone
  { option: /^output$/, format: 'junit', beside: /^(?:--reporter=)?xunit$/ },
  { option: /^JEST_JUNIT_OUTPUT_FILE$/, format: 'junit', beside: /^(?:--reporters=)?jest-junit$/ },
  { option: /^--export-json$/, format: 'hyperfine', beside: /^(?:.*[/\\])?hyperfine(?:\.exe)?$/ },
];

/**
 * The report file that a command writes, read off its text; undefined where it writes none, or where the text doesn't
 * say which (a variable in the path, a change of folder before it). A guess here would read another file's score.
 */
export function reportOf(command: string): ReportRef | undefined {
  const words = wordsOf(command);
  for (const [index, word] of words.entries()) {
    if (word === 'cd' || word === 'pushd') return undefined;
    const cut = word.indexOf('=');
    const name = cut === -1 ? word : word.slice(0, cut);
    const found = OPTIONS.find(({ option, beside }) => option.test(name) && (beside === undefined || words.some((other) => beside.test(other))));
    if (found === undefined) continue;
    const file = cut === -1 ? words[index + 1] : word.slice(cut + 1);
    if (file === undefined || file === '' || /^-|[$`%*?]|^(?:stdout|stderr)$/.test(file)) return undefined;
    return { file, format: found.format };
  }
  return undefined;
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
