/** Which of the messages that a test run's page reports are worth a line. */

/** Begins each message of the extension host's own console. */
export const HOST_LINE = '[extension host] ';

/** What this build of the editor always complains about, to no harm. */
const HARMLESS = [/vsda/i, /service ?worker/i, /gallery/i, /Timed out waiting for authentication provider/, /^Canceled: /];
/** Of the tests' own making: a page of a run that a fake source has forgotten, read again while its tab is closed. */
const OF_THE_TESTS = /^Unable to read file 'ratchet:.*Canceled: Canceled/;
/** VS Code 1.104 from npm comes without the program that searches files, which some of its own extensions want. */
const NO_SEARCH = /ripgrep\/bin\/rg ENOENT/;
/** A message of the workbench is there for what comes after it, and must not bury that. */
const LONGEST = 240;

/** The text to print for one message: the tests' own as it is, of the workbench's errors the first line, of the rest nothing. */
export function hostLine(type: string, args: readonly unknown[]): string | undefined {
  const text = args.map((arg) => (arg instanceof Error ? arg.message : String(arg))).join(' ');
  if (NO_SEARCH.test(text)) return undefined;
  if (text.startsWith(HOST_LINE)) return text.slice(HOST_LINE.length);
  if (type !== 'error' || OF_THE_TESTS.test(text) || HARMLESS.some((pattern) => pattern.test(text))) return undefined;
  const [line = ''] = text.trimStart().split('\n', 1);
  return `The editor says: ${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}`;
}
