import { spawn } from 'node:child_process';

/** Takes one line for people. */
export type Report = (line: string) => void;
/** Does a piece of work and reports its name and how long it took. */
export type Step = (name: string, work: () => Promise<unknown>) => Promise<void>;

export function stepper(report: Report): Step {
  return async (name, work) => {
    const from = performance.now();
    await work();
    report(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  };
}

/** The last lines of a tool's output, without addresses. */
export function lastLines(output: string, lines = 15): string {
  return output.replace(/\bhttps?:\/\/[^\s'")]+/g, '(address)').trimEnd().split('\n').slice(-lines).join('\n');
}

export interface ToolOptions {
  readonly cwd?: string;
  /** On top of this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end and gives what it printed. Throws with its last lines when it fails. */
export async function runTool(command: string, args: readonly string[], options: ToolOptions = {}): Promise<string> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => { output += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output += text; });
  return await new Promise<string>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${command} could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args[0] ?? ''} failed (${signal ?? `exit ${code}`}):\n${lastLines(output)}`));
    });
  });
}
