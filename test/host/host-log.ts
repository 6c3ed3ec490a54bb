/** Which of the messages that a test run's page reports are worth a line. */

/** Begins each message of the extension host's own console. */
export const HOST_LINE = '[extension host] ';

/** What this build of the editor always complains about, to no harm. */
const HARMLESS = [/vsda/i, /service ?worker/i, /gallery/i, /Timed out waiting for authentication provider/, /^Canceled: /];

/** The text to print for one message: the tests' own as it is, the workbench's errors named, of the rest nothing. */
export function hostLine(type: string, args: readonly unknown[]): string | undefined {
  const text = args.map((arg) => (arg instanceof Error ? arg.stack ?? arg.message : String(arg))).join(' ');
  if (text.startsWith(HOST_LINE)) return text.slice(HOST_LINE.length);
  if (type !== 'error' || HARMLESS.some((pattern) => pattern.test(text))) return undefined;
  return `The editor says: ${text}`;
}
