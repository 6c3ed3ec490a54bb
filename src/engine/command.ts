/** A program to start: no shell unless `file` is one. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the child; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** On Windows the arguments reach the program unquoted: cmd has quoting of its own. */
  readonly verbatim?: boolean;
}
