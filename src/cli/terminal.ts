import { createInterface } from 'node:readline/promises';

/** The terminal that a command runs in. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly colour: boolean;
  /** Width in columns. */
  readonly width: number;
  /** Absolute folder in which the command was called. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** True where the person said yes; an empty answer is yes. */
  readonly confirm: (question: string) => Promise<boolean>;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    interactive: stdin.isTTY && stdout.isTTY,
    colour: stdout.isTTY && env['NO_COLOR'] === undefined,
    width: stdout.isTTY ? stdout.columns : 120,
    cwd: process.cwd(),
    env,
    confirm: async (question) => {
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return /^(y|yes|)$/i.test((await lines.question(`${question} [Y/n] `)).trim());
      } finally {
        lines.close();
      }
    },
  };
}
