import { execFile } from 'node:child_process';
import { MARK_NAME } from './family-linux.ts';
import { isTool } from './tree.ts';

/** `ps` with the environment behind each command: the letter differs, and so would its meaning. */
const ARGUMENTS = process.platform === 'darwin' ? ['-axEww'] : ['axeww'];
const COLUMNS = ['-o', 'pid=', '-o', 'lstart=', '-o', 'command='];
const MAX_BYTES = 2 ** 26;
/** A tool that hangs must not hold up the end of a run. */
const MOST_MS = 5_000;
/** Systems tell of a start in whole seconds, counted from a boot whose own time they know no better. */
const START_PRECISION_MS = 5_000;

/**
 * Processes that carry a mark and were started since `sinceMs`, as the system's own tool shows them: where there is no
 * /proc. Nothing where there is no such tool, or it doesn't show environments.
 */
export async function markedProcesses(mark: string, sinceMs: number): Promise<readonly number[]> {
  if (!isTool('ps')) return [];
  // In the C locale the time is always five words of English.
  const text = await new Promise<string>((resolve) => {
    execFile('ps', [...ARGUMENTS, ...COLUMNS], { env: { PATH: process.env['PATH'], LC_ALL: 'C' }, maxBuffer: MAX_BYTES, timeout: MOST_MS, killSignal: 'SIGKILL' }, (_, stdout) => { resolve(stdout); });
  });
  const entry = `${MARK_NAME}=${mark}`;
  return text.split('\n').flatMap((line) => {
    const [, pid, started = '', words = ''] = /^\s*(\d+)\s+(\S+ +\S+ +\d+ \S+ \d+) (.*)$/.exec(line) ?? [];
    return pid !== undefined && words.split(' ').includes(entry) && Date.parse(started) >= sinceMs - START_PRECISION_MS ? [Number(pid)] : [];
  });
}
