import type { Surroundings } from '../surroundings.ts';

/** Where a runner's report goes, in the folder in which it runs. */
export const REPORT = 'ratchet-tests.xml';
/** The same, where it is JSON. */
export const JSON_REPORT = 'ratchet-tests.json';

/** A test runner whose report is read. */
export interface Runner {
  readonly name: string;
  /** Why it is taken for a runner of this project, as one phrase; undefined where nothing says so. */
  evidence(around: Surroundings): Promise<string | undefined>;
  /** Whether a folder (absolute) is where it is meant to run. */
  configures(around: Surroundings, folder: string): Promise<boolean>;
  /**
   * The command of sh, run in `folder`, that tests these files (absolute), or with undefined all that are configured.
   * It ends with 0 when all that went wrong is a failed test. Undefined where the runner isn't installed.
   */
  command(around: Surroundings, folder: string, files?: readonly string[]): Promise<string | undefined>;
}

/**
 * Runners that end with 1 for whatever went wrong: once the report was written, all that failed was a test. (A report of
 * an earlier run isn't taken for this one's: only what the run itself wrote is read.)
 */
export function unlessReported(command: string, report = REPORT): string {
  return `${command} || test -s ${report}`;
}

/** Runners that print their report and end with 1 where a test failed, and with another number where the tests could not run. */
export function unlessOnlyFailed(command: string): string {
  return `${command} || test $? -eq 1`;
}
